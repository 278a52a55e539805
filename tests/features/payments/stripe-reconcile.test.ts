import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  becomes,
  openShop,
  order,
  paymentOf,
  receiptsFor,
  type StripeShop,
  seenByStaff,
  statusesOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

let shop: StripeShop;
beforeEach(async () => {
  shop = await openShop(WITH_MAIL);
});
afterEach(() => shop.close());

/** As if all orders had been placed a while ago. */
async function letTimePass(minutes: number): Promise<void> {
  await shop.app.database.db
    .updateTable('orders')
    .set(({ eb }) => ({ createdAt: eb('createdAt', '-', minutes * 60_000) }))
    .execute();
}

describe('a webhook that never came makes no difference in the end', () => {
  test('for a payment', async () => {
    const placed = await order(shop);
    shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    await shop.restart();
    await becomes(shop, placed, 'paid');
  });

  test('for a refund, a renewal, a dispute and the end of a subscription', async () => {
    const refunded = await order(shop);
    shop.fake.confirmCard(refunded.clientSecret, '4242424242424242');
    shop.fake.refundCharge(paymentOf(refunded));
    const overdue = await order(shop);
    shop.fake.confirmCard(overdue.clientSecret, '4242424242424242');
    const subscription = [...shop.fake.state.subscription.keys()].at(-1) ?? '';
    shop.fake.renew(subscription, { pay: false });
    const lost = await order(shop);
    shop.fake.confirmCard(lost.clientSecret, '4242424242424242');
    shop.fake.closeDispute(shop.fake.openDispute(paymentOf(lost)).id, 'lost');
    const ended = await order(shop);
    shop.fake.confirmCard(ended.clientSecret, '4242424242424242');
    shop.fake.cancelSubscription([...shop.fake.state.subscription.keys()].at(-1) ?? '');
    await shop.restart();
    await becomes(shop, refunded, 'refunded');
    await becomes(shop, overdue, 'past_due');
    await becomes(shop, lost, 'refunded');
    await becomes(shop, ended, 'canceled');
  });

  test('even when Stripe no longer lists its events', async () => {
    const placed = await order(shop);
    shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    const failed = await order(shop);
    shop.fake.confirmCard(failed.clientSecret, '4000000000000002');
    const young = await order(shop);
    shop.fake.confirmCard(young.clientSecret, '4242424242424242');
    shop.fake.failNext({ how: 'status-500-kept', path: '/v1/events' });
    await letTimePass(11);
    await shop.app.database.db
      .updateTable('orders')
      .set({ createdAt: Date.now() })
      .where('id', '=', young.orderId)
      .execute();
    await shop.restart();
    await becomes(shop, placed, 'paid');
    await becomes(shop, failed, 'failed');
    expect((await seenByStaff(shop, young.orderId)).status).toBe('pending');
  });

  test('for an order that nobody paid, and one that never reached Stripe', async () => {
    const expired = await order(shop);
    shop.fake.expire([...shop.fake.state.subscription.keys()].at(-1) ?? '');
    shop.fake.failNext({ how: 'reset', path: '/v1/customers', times: 3 });
    await expect(order(shop)).rejects.toThrow('503');
    shop.fake.clearFaults();
    await letTimePass(25 * 60);
    await shop.restart();
    await becomes(shop, expired, 'canceled');
    const other = await shop.app.database.db
      .selectFrom('orders')
      .select('id')
      .where('id', '<>', expired.orderId)
      .executeTakeFirstOrThrow();
    await becomes(shop, { ...expired, orderId: other.id }, 'canceled');
  });
});

test('an order that cannot be read at Stripe keeps no other waiting', async () => {
  const unreadable = await order(shop);
  const readable = await order(shop);
  for (const { clientSecret } of [unreadable, readable])
    shop.fake.confirmCard(clientSecret, '4242424242424242');
  const [first] = shop.fake.state.subscription.values();
  Object.assign(first ?? {}, { latest_invoice: null });
  await shop.app.database.db
    .updateTable('orders')
    .set({ subscriptionId: null, paymentId: null, clientSecret: null })
    .execute();
  await letTimePass(11);
  await shop.restart();
  await becomes(shop, readable, 'paid');
  expect((await seenByStaff(shop, unreadable.orderId)).status).toBe('pending');
});

test('what asking and the webhook both tell changes the order once and is told once', async () => {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
  await letTimePass(11);
  await shop.restart();
  await shop.fake.deliver(shop.fake.events, { to: shop.webhook, together: true });
  await becomes(shop, placed, 'paid');
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid']);
  expect(await receiptsFor(shop, placed.orderId)).toBe(1);
});
