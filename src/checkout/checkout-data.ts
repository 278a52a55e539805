/** What the checkout's document carries for its script. */

import type { Plan } from '../catalogue/catalogue.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import type { Provider } from '../orders/payment.ts';
import type { Site } from '../platform/site.ts';
import type { CheckoutChoice } from './choice.ts';

export type CheckoutDocument =
  | ({ page: 'checkout' } & CheckoutData)
  | { page: 'order'; site: Site; provider: Provider; receipts: boolean }
  | { page: 'quote'; site: Site; receipts: boolean };

export interface CheckoutData {
  site: Site;
  plans: readonly Plan[];
  prices: AddOnPrices;
  choice: CheckoutChoice;
  /** The address names another count of users than the choice has. */
  usersAwaited: boolean;
  /** The customer comes back from paying: until the payment has been asked after, nothing is offered. */
  returning: boolean;
  /** The address names a quote, which the browser asks for. */
  quoted: boolean;
  provider: Provider;
  /** Sales tax comes on top of the prices. */
  tax: boolean;
  /** Customers get a receipt by email. */
  receipts: boolean;
}
