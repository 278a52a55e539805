import type { ArticleSummary } from '../news/article.ts';
import { readSummaries } from '../news/read-summaries.ts';
import { anything, fields, list, or, text } from '../platform/old/read.ts';
import type { Slide } from './slide.ts';

/**
 * What the home page shows. The lists are as their calls answer; they, `pricing` (catalogue/prices/price-details.ts) and
 * the testimonials are read where they are drawn.
 */
export interface HomeContent {
  slides: readonly Slide[];
  news: readonly ArticleSummary[];
  testimonials?: unknown;
  /** What the least expensive plan costs a month, such as '$450'; '' when there is none. */
  from: string;
  services?: unknown;
  solutions?: unknown;
  plans?: unknown;
  pricing?: unknown;
}

export const readHome = fields<HomeContent>({
  slides: list(fields<Slide>({ image: text, alt: text, label: text })),
  news: readSummaries,
  testimonials: anything,
  from: or(text, ''),
  services: anything,
  solutions: anything,
  plans: anything,
  pricing: anything,
});
