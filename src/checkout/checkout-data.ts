/** The checkout's query parameters, and the data in the HTML of its three pages. */

import * as z from 'zod/mini';
import type { Plan } from '../catalogue/catalogue.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import type { VendorFile } from '../company/vendor-file.ts';
import type { Provider } from '../payments/payment-api.ts';
import { cents } from '../platform/money.ts';
import type { PublicSite } from '../platform/site.ts';
import type { QuotePageData } from '../quotes/quote-page.tsx';

export const QUOTE_PARAMETER = 'quote';

/** Set once this tab has paid, so that a reload shows the order and never flashes the shop. */
export const PLACED_PARAMETER = 'placed';

/** The payment's client secret in the URL of the return, under the name in the specification. */
export const RETURN_PARAMETER = 'payment_intent_client_secret';

const perUser = z.object({
  label: z.string(),
  pricePerUser: z.pipe(z.int(), z.transform(cents)),
});
/** In cents, as in the document, also in the refusal of an order at other prices. */
export const addOnPrices = z.object({
  microsoft365: z.record(z.string(), perUser),
  cloudBackup: perUser,
});

interface Shared {
  site: PublicSite;
}

export interface CheckoutData extends Shared {
  page: 'checkout';
  plans: Plan[];
  prices: AddOnPrices;
  planId: number | null;
  provider: Provider;
  /** The customer returns from paying: nothing is offered until the payment is known. */
  returning: boolean;
  /** The URL names a quote, which the browser fetches. */
  quoted: boolean;
  tax: boolean;
  custom: string;
}

export type CheckoutDocument =
  | CheckoutData
  | (Shared & QuotePageData & { page: 'quote' })
  | (Shared & { page: 'order'; provider: Provider; vendorFile: VendorFile });
