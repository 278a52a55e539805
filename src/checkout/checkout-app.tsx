import type { QueryClient } from '@tanstack/react-query';
import type { InDollars, Plan } from '../catalogue/catalogue.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import type { Site } from '../platform/site.ts';
import type { CheckoutChoice } from './choice.ts';

export interface CheckoutData {
  site: Site;
  plans: InDollars<Plan>[];
  prices: AddOnPrices;
  choice: CheckoutChoice;
  provider: 'test' | 'stripe';
}
export function CheckoutApp({ data }: { data: CheckoutData; queryClient: QueryClient }) {
  return <main>{data.plans.length}</main>;
}
