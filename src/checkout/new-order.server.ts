/** What an order stores when it is placed, however it is paid. */

import type { NewOrder, ProviderMode } from '../billing/order-store.server.ts';
import { cents, totalOf } from '../platform/money.ts';
import { quotedPayment } from '../quotes/quote.ts';
import type { Terms } from './order-terms.server.ts';

type Buyer = Pick<NewOrder, 'name' | 'email' | 'phone' | 'company' | 'postalCode' | 'poNumber'>;

/** By invoice if its quote is. `requestHash`: '' for what no request repeats. */
export function newOrder(
  { provider, chargesRealMoney }: ProviderMode,
  buyer: Buyer,
  { plan, ms365Option, price, quote }: Terms,
  requestHash: string,
): NewOrder {
  const lines = JSON.stringify(price.lines);
  const daysUntilDue = quote?.dueDays ?? null;
  return {
    ...buyer,
    quoteId: quote?.id ?? null,
    planId: plan.id,
    planName: plan.name,
    ms365Option,
    status: 'pending',
    boughtLines: lines,
    boughtOnce: JSON.stringify(price.once),
    startsOn: price.startsOn,
    discountPercent: quote?.discountPercent ?? null,
    discountCents: quote?.discountCents ?? cents(0),
    requestHash,
    createdAt: Date.now(),
    subscription: {
      provider,
      live: chargesRealMoney ? 1 : 0,
      collection: quotedPayment({ dueDays: daysUntilDue }).collection,
      daysUntilDue,
      amountCents: totalOf(price.lines),
      priceLines: lines,
    },
  };
}
