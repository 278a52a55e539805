import { longDate } from '../platform/long-date.ts';
import type { ArticleSummary } from './article.ts';

type Facts = Pick<ArticleSummary, 'date' | 'topic' | 'readingMinutes'>;

/** 'May 1, 2025 · Security · 3 min read' */
export function ArticleFacts({ article: { date, topic, readingMinutes } }: { article: Facts }) {
  return (
    <p className="text-xs text-muted">
      <time dateTime={date}>{longDate(date)}</time>&nbsp;· {topic}&nbsp;·{' '}
      <span className="whitespace-nowrap">{readingMinutes} min read</span>
    </p>
  );
}
