/** What the checkout's document carries for its script, and how that reads it. */
import { type Plan, plan } from '../catalogue/catalogue.ts';
import { type AddOnPrices, addOnPrices, MS365_OPTIONS } from '../catalogue/pricing.ts';
import { readSite } from '../company/read-site.ts';
import { PROVIDERS, type Provider } from '../orders/payment.ts';
import {
  fields,
  flag,
  id,
  nullable,
  number,
  oneOf,
  or,
  type Reader,
} from '../platform/old/read.ts';
import { list } from '../platform/schema.ts';
import type { Site } from '../platform/site.ts';
import type { CheckoutChoice } from './choice.ts';

export type CheckoutDocument =
  | ({ page: 'checkout' } & CheckoutData)
  | { page: 'order'; site: Site; provider: Provider; receipts: boolean }
  | { page: 'quote'; site: Site; receipts: boolean };

export interface CheckoutData {
  site: Site;
  plans: Plan[];
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

const provider = oneOf(PROVIDERS);

const readCheckout = fields<{ page: 'checkout' } & CheckoutData>({
  page: oneOf(['checkout']),
  site: readSite,
  plans: or((value) => list(plan).safeParse(value).data, []),
  prices: (value) => addOnPrices.safeParse(value).data,
  choice: fields<CheckoutData['choice']>({
    planId: nullable(id),
    ms365Option: oneOf(MS365_OPTIONS),
    ms365Users: number,
    includeCloudBackup: flag,
  }),
  provider,
  usersAwaited: or(flag, false),
  returning: or(flag, false),
  quoted: or(flag, false),
  tax: or(flag, false),
  receipts: or(flag, false),
});

const readOrderPage = fields<Extract<CheckoutDocument, { page: 'order' }>>({
  page: oneOf(['order']),
  site: readSite,
  provider,
  receipts: or(flag, false),
});

const readQuotePage = fields<Extract<CheckoutDocument, { page: 'quote' }>>({
  page: oneOf(['quote']),
  site: readSite,
  receipts: or(flag, false),
});

export const readDocument: Reader<CheckoutDocument> = (value) =>
  readCheckout(value) ?? readOrderPage(value) ?? readQuotePage(value);
