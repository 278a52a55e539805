/** What the home page shows. */
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
import type { Slide } from './slide.ts';

export interface HomeContent {
  slides: readonly Slide[];
  /** What the least expensive plan costs a month, such as '$450'; '' when there is none. */
  from: string;
  news: readonly ArticleSummary[];
  testimonials: readonly Testimonial[];
  services: Service[];
  solutions: Solution[];
  plans: Plan[];
  addOns: AddOnPrices;
  comparison: Comparison;
  questions: readonly Question[];
}
