/** What the checkout's document tells the browser. */
import { MS365_OPTIONS } from '../catalogue/pricing.ts';
import { readAddOnPrices } from '../catalogue/read-add-on-prices.ts';
import { readPlans } from '../catalogue/read-catalogue.ts';
import { readSite } from '../company/read-site.ts';
import { PROVIDERS } from '../orders/payment.ts';
import { fields, flag, id, nullable, number, oneOf, or, type Reader } from '../platform/read.ts';
import type { CheckoutData, CheckoutDocument } from './checkout-data.ts';

const provider = oneOf(PROVIDERS);

const readCheckout = fields<{ page: 'checkout' } & CheckoutData>({
  page: oneOf(['checkout']),
  site: readSite,
  plans: or(readPlans, []),
  prices: readAddOnPrices,
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
