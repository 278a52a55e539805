import type { Plan, Solution, Testimonial } from '../catalogue/catalogue.ts';
import {
  readPlans,
  readServices,
  readSolutions,
  type ServiceRow,
} from '../catalogue/read-catalogue.ts';
import type { ArticleSummary } from '../news/article.ts';
import { readSummaries } from '../news/read-summaries.ts';
import { fields, list, number, or, text } from '../platform/read.ts';
import type { Slide } from './slide.ts';

/**
 * What the home page shows. The three lists are missing after a move inside the document: the browser fetches
 * them, and keeps room for as many rows as `awaited` says.
 */
export interface HomeContent {
  slides: readonly Slide[];
  news: readonly ArticleSummary[];
  testimonials: readonly Testimonial[];
  services?: readonly ServiceRow[] | null;
  solutions?: readonly Solution[] | null;
  plans?: readonly Plan[] | null;
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
  services: or(readServices, null),
  solutions: or(readSolutions, null),
  plans: or(readPlans, null),
  awaited: or(
    fields<{ services: number; solutions: number }>({ services: number, solutions: number }),
    null,
  ),
});
