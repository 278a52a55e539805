import { fields, list, number, or, text } from '../platform/old/read.ts';
import type { ArticleSummary } from './article.ts';

/** What a list of articles shows, out of a page's data. */
export const SUMMARY_FIELDS = {
  id: number,
  title: text,
  date: text,
  topic: text,
  excerpt: text,
  image: or(text, ''),
  imageAlt: text,
  slug: text,
  readingMinutes: number,
};

export const readSummaries = list(fields<ArticleSummary>(SUMMARY_FIELDS));
