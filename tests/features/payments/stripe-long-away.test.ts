/** However long the site was off, what happened at Stripe meanwhile is heard in the end. */
import { afterEach, beforeEach, test } from 'vitest';
import {
  becomes,
  openShop,
  order,
  rowOf,
  type Started,
  type StripeShop,
} from '../../support/stripe-shop.ts';

const DAY_MS = 24 * 60 * 60_000;
let shop: StripeShop;
/** How far Stripe's clock is behind while something happens there. */
let behind = 0;
beforeEach(async () => {
  behind = 0;
  shop = await openShop({}, { now: () => Date.now() - behind });
});
afterEach(() => shop.close());

async function paidOrder(): Promise<Started> {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
  // All of it is heard, or asking about it later would tell of what happened since as well.
  await shop.fake.deliver(shop.fake.events, { to: shop.webhook });
  await becomes(shop, placed, 'paid');
  return placed;
}

async function end({ orderId }: Started, daysAgo = 0): Promise<void> {
  behind = daysAgo * DAY_MS;
  shop.fake.cancelSubscription((await rowOf(shop, orderId)).subscriptionId ?? '');
  behind = 0;
}

test('what ended four weeks ago, while the site was off', async () => {
  const placed = await paidOrder();
  await end(placed, 28);
  await shop.restart();
  await becomes(shop, placed, 'canceled');
});

test('what ended while Stripe did not list its events', async () => {
  const placed = await paidOrder();
  await end(placed, 5);
  shop.fake.failNext({ how: 'status-500-kept', path: '/v1/events', times: 2 });
  await shop.restart();
  await shop.restart();
  shop.fake.clearFaults();
  await shop.restart();
  await becomes(shop, placed, 'canceled');
});
