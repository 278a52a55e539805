/** Orders catch up on missed webhooks, even after the site or Stripe was down for weeks. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tablesWith } from '../../support/every-row.ts';
import {
  becomes,
  eventsWaiting,
  openShop,
  order,
  paymentOf,
  receiptsFor,
  rowOf,
  type Started,
  type StripeShop,
  seenByStaff,
  subscriptionOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const GOOD = '4242424242424242';
const DAY_MS = 24 * 60 * 60_000;
let shop: StripeShop;
/** How far Stripe's clock is behind, in milliseconds. */
let behind = 0;
beforeEach(async () => {
  behind = 0;
  shop = await openShop(WITH_MAIL, { now: () => Date.now() - behind });
  // The reconciliation at this start must be over, or it may pay the first order.
  await expect.poll(() => shop.fake.requests.map(({ path }) => path)).toContain('/v1/events');
});
afterEach(() => shop.close());

/** An order that is paid at Stripe, without any event. */
async function paidAtStripe(): Promise<Started & { subscription: string }> {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, GOOD);
  return { ...placed, subscription: await subscriptionOf(shop, placed) };
}

describe('after a restart, orders follow Stripe without any webhook', () => {
  test('through a payment, a refund, a failed renewal, a lost dispute, a cancellation and an expiry', async () => {
    const paid = await paidAtStripe();
    const refunded = await paidAtStripe();
    shop.fake.refundCharge(paymentOf(refunded));
    const overdue = await paidAtStripe();
    shop.fake.renew(overdue.subscription, { pay: false });
    const lost = await paidAtStripe();
    shop.fake.closeDispute(shop.fake.openDispute(paymentOf(lost)).id, 'lost');
    const ended = await paidAtStripe();
    shop.fake.cancelSubscription(ended.subscription);
    const expired = await order(shop);
    shop.fake.expire(await subscriptionOf(shop, expired));
    const receivedAt = Date.now() - 31 * DAY_MS;
    const old = { id: 'evt_old', type: 'invoice.paid', settled: 1, receivedAt } as const;
    await shop.app.database.db.insertInto('providerEvents').values(old).execute();
    await shop.restart();
    await becomes(shop, expired, 'canceled');
    // A first month that was never paid is neither overdue nor waived.
    expect((await rowOf(shop, expired.orderId)).invoices).toEqual([]);
    await becomes(shop, paid, 'paid');
    await becomes(shop, refunded, 'refunded');
    await becomes(shop, overdue, 'past_due');
    await becomes(shop, lost, 'refunded');
    await becomes(shop, ended, 'canceled');
    // Stripe does not list an event of last month any more.
    await expect.poll(() => tablesWith(shop.app.database, 'evt_old')).toEqual([]);
  });
});

test('an order whose subscription is malformed does not hold up the others', async () => {
  const unreadable = await paidAtStripe();
  const readable = await paidAtStripe();
  const [first] = shop.fake.state.subscription.values();
  Object.assign(first ?? {}, { latest_invoice: null });
  await shop.app.database.db
    .updateTable('subscriptions')
    .set({ subscriptionId: null, paymentId: null, clientSecret: null })
    .execute();
  await shop.restart();
  await becomes(shop, readable, 'paid');
  expect((await seenByStaff(shop, unreadable.orderId)).status).toBe('pending');
});

test('events that arrive while Stripe’s API is down are processed once it is back', async () => {
  const placed = await paidAtStripe();
  shop.fake.cancelSubscription(placed.subscription);
  shop.fake.failNext({ how: 'status-500-kept', method: 'GET', times: 1000 });
  const events = ['customer.subscription.deleted', 'invoice.paid'].flatMap(shop.fake.eventsOf);
  const statuses = await shop.fake.deliver(events, { to: shop.webhook });
  expect(statuses).toEqual([503, 503]);
  expect((await seenByStaff(shop, placed.orderId)).status).toBe('pending');
  expect(await eventsWaiting(shop)).toBe(2);
  shop.fake.clearFaults();
  await shop.restart();
  await becomes(shop, placed, 'canceled');
  expect(await receiptsFor(shop, placed.orderId)).toBe(1);
  await expect.poll(() => eventsWaiting(shop)).toBe(0);
});

test('sixty cards that were declined while the site was off are a few looks', async () => {
  const placed = await order(shop);
  for (let card = 0; card < 60; card += 1)
    shop.fake.confirmCard(placed.clientSecret, '4000000000009995');
  const before = shop.fake.requests.length;
  await shop.restart();
  const events = shop.app.database.db.selectFrom('providerEvents').select('id');
  await expect
    .poll(async () => (await events.where('settled', '=', 1).execute()).length)
    .toBe(shop.fake.events.length);
  expect((await rowOf(shop, placed.orderId)).status).toBe('failed');
  expect(shop.fake.requests.length - before).toBeLessThanOrEqual(40);
});

const SUBSCRIPTION = /^\/v1\/subscriptions\/sub_/;

test.each([
  ['four weeks ago, while the site was off', 28, null],
  ['five days ago, although Stripe lists no events until after the start', 5, '/v1/events'],
  ['five days ago, although Stripe does not show it until after the start', 5, SUBSCRIPTION],
])('an order is canceled whose subscription ended %s', async (_when, daysAgo, path) => {
  const placed = await paidAtStripe();
  // Delivered now, or the order fetched for it would show the cancellation as well.
  await shop.fake.deliver(shop.fake.events, { to: shop.webhook });
  await becomes(shop, placed, 'paid');
  behind = daysAgo * DAY_MS;
  shop.fake.cancelSubscription(placed.subscription);
  behind = 0;
  if (path) shop.fake.failNext({ how: 'status-500-kept', method: 'GET', path });
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const listings = () => shop.fake.requests.filter(({ path }) => path === '/v1/events').length;
  const before = listings();
  await shop.restart();
  if (path)
    await expect
      .poll(() => {
        vi.advanceTimersByTime(15 * 60_000);
        return listings() - before;
      })
      // At the start twice: Stripe lists twenty types at once.
      .toBeGreaterThan(2);
  await becomes(shop, placed, 'canceled');
});
