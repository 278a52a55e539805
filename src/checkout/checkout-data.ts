/** What the checkout's document carries for its script: one of three pages. */

import * as z from 'zod/mini';
import { plan } from '../catalogue/catalogue.ts';
import { addOnPrices, MS365_OPTIONS } from '../catalogue/pricing.ts';
import { site } from '../company/company.ts';
import { PROVIDERS } from '../orders/order.ts';
import { count, fallback, list, rowId } from '../platform/schema.ts';
import { quoteView } from '../quotes/quote-api.ts';

const flag = fallback(z.boolean(), false);
/** Customers get emails. */
const receipts = flag;
const provider = z.enum(PROVIDERS);

const checkout = z.object({
  page: z.literal('checkout'),
  site,
  plans: fallback(list(plan), []),
  prices: addOnPrices,
  choice: z.object({
    planId: z.nullable(rowId),
    ms365Option: z.enum(MS365_OPTIONS),
    ms365Users: count,
    includeCloudBackup: z.boolean(),
  }),
  provider,
  /** The address names another count of users than the choice has. */
  usersAwaited: flag,
  /** The customer comes back from paying: until the payment is known, nothing is offered. */
  returning: flag,
  /** The address names a quote, which the browser asks for. */
  quoted: flag,
  /** Sales tax comes on top of the prices. */
  tax: flag,
  receipts,
});
export type CheckoutData = z.output<typeof checkout>;

export const checkoutDocument = z.discriminatedUnion('page', [
  checkout,
  z.object({ page: z.literal('order'), site, provider, receipts }),
  z.object({
    page: z.literal('quote'),
    site,
    receipts,
    /** '' where the browser reads it from the address. */
    token: fallback(z.string(), ''),
    /** Null where the browser fetches it. */
    quote: fallback(z.nullable(quoteView), null),
    /** The link leads to no quote. */
    unknown: flag,
  }),
]);
/** As it is drawn, with prices in cents. */
export type CheckoutDocument = z.output<typeof checkoutDocument>;
/** As it travels, with prices in dollars. */
export type SentCheckoutDocument = z.input<typeof checkoutDocument>;
