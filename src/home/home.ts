import type { InDollars, Plan, Service, Solution, Testimonial } from '../catalogue/catalogue.ts';
import type { ArticleSummary } from '../news/article.ts';
import type { Slide } from './slide.ts';

/**
 * What the home page shows. The three lists are missing after a move inside the document: the browser fetches
 * them, and keeps room for as many rows as `awaited` says.
 */
export interface HomeContent {
  slides: readonly Slide[];
  news: readonly ArticleSummary[];
  testimonials: readonly Testimonial[];
  services?: readonly InDollars<Service>[];
  solutions?: readonly Solution[];
  plans?: readonly InDollars<Plan>[];
  awaited?: { services: number; solutions: number };
}
