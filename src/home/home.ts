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

const titled = z.strictObject({ title: line(), text: line() });
const lines = z.array(line()).check(z.minLength(1));

/** content/home.json: the words of the home page, and of the news. A function, as in company.ts. */
export const homeWordsSchema = () =>
  z.strictObject({
    hero: z.strictObject({
      heading: line(),
      lead: line(),
      facts: z.array(titled).check(z.length(3)),
    }),
    reasons: z.strictObject({ lead: line(), items: z.array(titled).check(z.length(4)) }),
    services: line(),
    solutions: line(),
    payments: z.strictObject({ lead: line(), ways: lines }),
    pricing: z.strictObject({ lead: line(), custom: line() }),
    news: z.strictObject({ lead: line(), pageLead: line(), pageDescription: line() }),
    about: z.strictObject({
      purposes: z.array(titled).check(z.length(2)),
      points: z.array(titled).check(z.length(3)),
    }),
    contact: line(),
  });
type HomeWords = z.output<ReturnType<typeof homeWordsSchema>>;

export interface HomeContent {
  words: HomeWords;
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
