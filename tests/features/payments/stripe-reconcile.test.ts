/** What no webhook brought, or came while Stripe was away, makes no difference in the end, however long the site was off. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  becomes,
  eventsWaiting,
  openShop,
  order,
  paymentOf,
  receiptsFor,
  type Started,
  type StripeShop,
  seenByStaff,
  statusesOf,
  subscriptionOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const GOOD = '4242424242424242';
const DAY_MS = 24 * 60 * 60_000;
let shop: StripeShop;
/** How far Stripe's clock is behind while something happens there. */
let behind = 0;
beforeEach(async () => {
  behind = 0;
  shop = await openShop(WITH_MAIL, { now: () => Date.now() - behind });
});
afterEach(() => shop.close());

/** Paid at Stripe, and not told here; gives the subscription too. */
async function paidThere(): Promise<Started & { subscription: string }> {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, GOOD);
  return { ...placed, subscription: await subscriptionOf(shop, placed) };
}

/** As if all orders had been placed a while ago. */
async function letTimePass(minutes: number): Promise<void> {
  await shop.app.database.db
    .updateTable('orders')
    .set(({ eb }) => ({ createdAt: eb('createdAt', '-', minutes * 60_000) }))
    .execute();
}

describe('a webhook that never came makes no difference in the end', () => {
  test('for a payment, a refund, a renewal, a dispute and the end of a subscription', async () => {
    const paid = await paidThere();
    const refunded = await paidThere();
    shop.fake.refundCharge(paymentOf(refunded));
    const overdue = await paidThere();
    shop.fake.renew(overdue.subscription, { pay: false });
    const lost = await paidThere();
    shop.fake.closeDispute(shop.fake.openDispute(paymentOf(lost)).id, 'lost');
    const ended = await paidThere();
    shop.fake.cancelSubscription(ended.subscription);
    await shop.restart();
    await becomes(shop, paid, 'paid');
    await becomes(shop, refunded, 'refunded');
    await becomes(shop, overdue, 'past_due');
    await becomes(shop, lost, 'refunded');
    await becomes(shop, ended, 'canceled');
  });

  test('even when Stripe no longer lists its events', async () => {
    const placed = await paidThere();
    const failed = await order(shop);
    shop.fake.confirmCard(failed.clientSecret, '4000000000000002');
    const young = await paidThere();
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
    shop.fake.expire(await subscriptionOf(shop, expired));
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
  const unreadable = await paidThere();
  const readable = await paidThere();
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
  const placed = await paidThere();
  await letTimePass(11);
  await shop.restart();
  await shop.fake.deliver(shop.fake.events, { to: shop.webhook, together: true });
  await becomes(shop, placed, 'paid');
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid']);
  expect(await receiptsFor(shop, placed.orderId)).toBe(1);
});

test('while Stripe cannot be asked, events wait and orders stay as they are; afterwards they follow', async () => {
  const placed = await paidThere();
  shop.fake.cancelSubscription(placed.subscription);
  shop.fake.failNext({ how: 'status-500-kept', method: 'GET', times: 1000 });
  const events = ['customer.subscription.deleted', 'invoice.paid'].flatMap(shop.fake.eventsOf);
  const statuses = await shop.fake.deliver(events, { to: shop.webhook });
  expect(statuses).toEqual([200, 200]);
  expect((await seenByStaff(shop, placed.orderId)).status).toBe('pending');
  expect(await eventsWaiting(shop)).toBe(2);
  shop.fake.clearFaults();
  await shop.restart();
  await becomes(shop, placed, 'canceled');
  expect(await receiptsFor(shop, placed.orderId)).toBe(1);
  await expect.poll(() => eventsWaiting(shop)).toBe(0);
});

test.each([
  ['four weeks ago, while the site was off', 28, 0],
  ['while Stripe did not list its events at two starts', 5, 2],
])('what ended %s', async (_when, daysAgo, refusals) => {
  const placed = await paidThere();
  // All of it is heard, or asking about it later would tell of what happened since as well.
  await shop.fake.deliver(shop.fake.events, { to: shop.webhook });
  await becomes(shop, placed, 'paid');
  behind = daysAgo * DAY_MS;
  shop.fake.cancelSubscription(placed.subscription);
  behind = 0;
  if (refusals > 0)
    shop.fake.failNext({ how: 'status-500-kept', path: '/v1/events', times: refusals });
  for (let start = 0; start < refusals; start += 1) await shop.restart();
  shop.fake.clearFaults();
  await shop.restart();
  await becomes(shop, placed, 'canceled');
});
