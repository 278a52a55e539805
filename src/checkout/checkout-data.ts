/** Where the checkout is, and what its document carries for its script: one of three pages. */
import type { Plan } from '../catalogue/catalogue.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import type { Provider } from '../orders/order.ts';
import type { Site } from '../platform/site.ts';
import type { QuoteView } from '../quotes/quote-api.ts';
import type { CheckoutChoice } from './choice.ts';

export const CHECKOUT = { path: '/checkout', title: 'Checkout' } as const;

/** With it, the checkout is that of a quote; its value is the quote's token. */
export const QUOTE_PARAMETER = 'quote';

/** With it, the tab has paid: a reload shows the order, never the shop for a moment. */
export const PLACED_PARAMETER = 'placed';

/** With it in its address, the checkout is the return from paying. */
export const RETURN_PARAMETER = 'payment_intent_client_secret';

interface Shared {
  site: Site;
  /** Whether customers get emails. */
  mail: boolean;
}

export interface CheckoutData extends Shared {
  page: 'checkout';
  plans: Plan[];
  prices: AddOnPrices;
  choice: CheckoutChoice;
  provider: Provider;
  /** The address names another count of users than the choice has. */
  usersAwaited: boolean;
  /** The customer comes back from paying: until the payment is known, nothing is offered. */
  returning: boolean;
  /** The address names a quote, which the browser asks for. */
  quoted: boolean;
  /** Sales tax comes on top of the prices. */
  tax: boolean;
}

interface QuoteData extends Shared {
  page: 'quote';
  /** '' where the browser reads it from the address. */
  token: string;
  /** Null where the browser fetches it. */
  quote: QuoteView | null;
  /** Whether the link is invalid. */
  unknown: boolean;
}

export type CheckoutDocument =
  | CheckoutData
  | QuoteData
  | (Shared & { page: 'order'; provider: Provider });
