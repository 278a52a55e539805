/** What the home page shows, as its data carries it. A list that makes no sense is null, and fetched. */
import * as z from 'zod/mini';
import {
  comparison,
  plan,
  question,
  service,
  solution,
  testimonial,
} from '../catalogue/catalogue.ts';
import { addOnPrices } from '../catalogue/pricing.ts';
import { articleSummary } from '../news/article.ts';
import { fallback, list } from '../platform/schema.ts';
import { slide } from './slide.ts';

export const homeContent = z.object({
  slides: list(slide),
  news: list(articleSummary),
  testimonials: fallback(list(testimonial), []),
  /** What the least expensive plan costs a month, such as '$450'; '' when there is none. */
  from: fallback(z.string(), ''),
  services: fallback(z.nullable(list(service)), null),
  solutions: fallback(z.nullable(list(solution)), null),
  plans: fallback(z.nullable(list(plan)), null),
  addOns: fallback(z.nullable(addOnPrices), null),
  comparison: fallback(z.nullable(comparison), null),
  questions: fallback(list(question), []),
});

export type HomeContent = z.output<typeof homeContent>;
