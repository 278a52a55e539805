/** What is told of an order while Stripe's API is away waits until Stripe can be asked. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventsWaiting } from '../../support/stripe-events.ts';
import {
  becomes,
  openShop,
  order,
  receiptsFor,
  type StripeShop,
  seenByStaff,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

let shop: StripeShop;
beforeEach(async () => {
  shop = await openShop(WITH_MAIL);
});
afterEach(() => shop.close());

test('while Stripe cannot be asked, events wait and orders stay as they are; afterwards they follow', async () => {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
  const [subscription = ''] = shop.fake.state.subscription.keys();
  shop.fake.cancelSubscription(subscription);
  shop.fake.failNext({ how: 'status-500-kept', method: 'GET', times: 1000 });
  const events = ['customer.subscription.deleted', 'invoice.paid'].flatMap((type) =>
    shop.fake.eventsOf(type),
  );
  const answers = await shop.fake.deliver(events, { to: shop.webhook });
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await seenByStaff(shop, placed.orderId)).status).toBe('pending');
  expect(await eventsWaiting(shop)).toBe(2);
  shop.fake.clearFaults();
  await shop.restart();
  await becomes(shop, placed, 'canceled');
  expect(await receiptsFor(shop, placed.orderId)).toBe(1);
  await expect.poll(() => eventsWaiting(shop)).toBe(0);
});
