/** The data of the home page. */
import * as z from 'zod/mini';
import type {
  Comparison,
  Plan,
  Question,
  Service,
  Solution,
  Testimonial,
} from '../catalogue/catalogue.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import type { ArticleSummary } from '../news/article.ts';
import { line } from '../platform/schema.ts';

/** content/slides.json: the pictures of the hero carousel, in order. */
export const slidesSchema = z
  .array(z.strictObject({ image: line(), alt: line(), label: line() }))
  .check(z.length(4));
export type Slide = z.output<typeof slidesSchema>[number];

export interface HomeContent {
  slides: readonly Slide[];
  /** Per month, for example '$450'; '' without plans. */
  lowestPrice: string;
  news: readonly ArticleSummary[];
  testimonials: readonly Testimonial[];
  services: Service[];
  solutions: Solution[];
  plans: Plan[];
  addOns: AddOnPrices;
  comparison: Comparison;
  questions: readonly Question[];
}
