import { longDate } from '../platform/long-date.ts';
import { ArrowLink } from '../ui/arrow-link.tsx';
import type { ArticleSummary } from './article.ts';

/** An article in few words: its title, when and on what, and the way to it. */
export function ArticleLine({ article }: { article: ArticleSummary }) {
  const { slug, title, date, topic } = article;
  const heading = `article-${slug}`;
  return (
    <article className="flex h-full flex-col border-t border-line pt-2.5 sm:pt-3">
      <h3 id={heading} className="flex-1 text-sm">
        {title}
      </h3>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-xs text-muted">
          <time dateTime={date}>{longDate(date)}</time>&nbsp;· {topic}
        </p>
        <ArrowLink href={`/news/${slug}`} describedBy={heading} about={title}>
          Read More
        </ArrowLink>
      </div>
    </article>
  );
}
