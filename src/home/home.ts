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

/** Of what stands below the first screen, whose own content is in hero.tsx. */
export const sectionsContent = z.object({
  news: list(articleSummary),
  testimonials: fallback(list(testimonial), []),
  services: fallback(z.nullable(list(service)), null),
  solutions: fallback(z.nullable(list(solution)), null),
  plans: fallback(z.nullable(list(plan)), null),
  addOns: fallback(z.nullable(addOnPrices), null),
  comparison: fallback(z.nullable(comparison), null),
  questions: fallback(list(question), []),
});
