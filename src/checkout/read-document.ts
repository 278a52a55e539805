/** What the checkout's document tells the browser. */
import { MS365_OPTIONS } from '../catalogue/pricing.ts';
import { readPlans } from '../catalogue/read-catalogue.ts';
import { readSite } from '../company/read-site.ts';
import { PROVIDERS } from '../orders/payment.ts';
import { type Cents, cents } from '../platform/money.ts';
import {
  fields,
  flag,
  id,
  nullable,
  number,
  oneOf,
  or,
  type Reader,
  text,
} from '../platform/read.ts';
import type { CheckoutData, CheckoutDocument } from './checkout-data.ts';

const wholeCents: Reader<Cents> = (value) =>
  Number.isSafeInteger(value) ? cents(Number(value)) : undefined;
const perUser = fields<{ label: string; pricePerUser: Cents }>({
  label: text,
  pricePerUser: wholeCents,
});
const provider = oneOf(PROVIDERS);

const readCheckout = fields<{ page: 'checkout' } & CheckoutData>({
  page: oneOf(['checkout']),
  site: readSite,
  plans: or(readPlans, []),
  prices: fields<CheckoutData['prices']>({
    microsoft365: fields<CheckoutData['prices']['microsoft365']>({
      none: perUser,
      business_standard: perUser,
      business_premium: perUser,
      e3: perUser,
    }),
    cloudBackup: perUser,
  }),
  choice: fields<CheckoutData['choice']>({
    planId: nullable(id),
    ms365Option: oneOf(MS365_OPTIONS),
    ms365Users: number,
    includeCloudBackup: flag,
  }),
  provider,
  usersAwaited: or(flag, false),
  returning: or(flag, false),
  tax: or(flag, false),
  receipts: or(flag, false),
});

const readOrderPage = fields<Extract<CheckoutDocument, { page: 'order' }>>({
  page: oneOf(['order']),
  site: readSite,
  provider,
});

export const readDocument: Reader<CheckoutDocument> = (value) =>
  readCheckout(value) ?? readOrderPage(value);
