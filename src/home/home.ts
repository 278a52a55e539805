import type { Testimonial } from '../catalogue/catalogue.ts';
import type { ArticleSummary } from '../news/article.ts';
import { readSummaries } from '../news/read-summaries.ts';
import { anything, fields, list, number, or, text } from '../platform/read.ts';
import type { Slide } from './slide.ts';

/**
 * What the home page shows. The three lists are as their calls answer, and are read where they are drawn. After a move
 * inside the document they are missing: the browser fetches them, and keeps room for as many rows as `awaited` says.
 */
export interface HomeContent {
  slides: readonly Slide[];
  news: readonly ArticleSummary[];
  testimonials: readonly Testimonial[];
  /** What the least expensive plan costs a month, such as '$450'; '' when there is none. */
  from: string;
  services?: unknown;
  solutions?: unknown;
  plans?: unknown;
  awaited?: { services: number; solutions: number } | null;
}

export const readHome = fields<HomeContent>({
  slides: list(fields<Slide>({ image: text, alt: text, label: text })),
  news: readSummaries,
  testimonials: list(
    fields<Testimonial>({
      id: number,
      name: text,
      company: text,
      comment: text,
      rating: number,
      image: or(text, ''),
    }),
  ),
  from: or(text, ''),
  services: anything,
  solutions: anything,
  plans: anything,
  awaited: or(
    fields<{ services: number; solutions: number }>({ services: number, solutions: number }),
    null,
  ),
});
