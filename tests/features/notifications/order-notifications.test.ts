/** Staff and the customer hear of what happens to a paid order, each once; of an order that is not paid, nobody. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChannelName } from '../../../src/notifications/outbox-api.ts';
import { eventsDuring } from '../../support/stripe-events.ts';
import {
  order,
  PURCHASE,
  paymentOf,
  type Started,
  sharedShop,
  subscriptionOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

/** Nobody listens there, so that everything stays in the outbox. */
const WITH_ALL = { ...WITH_MAIL, TEAMS_WEBHOOK_URL: 'http://127.0.0.1:9/hook' };
const GOOD = '4242424242424242';

/** For the customer alone: staff have the list of orders. */
const RECEIPTS = ['renewed'];

/** The kinds of notification about an order, in their order; what the customer hears, staff hear in two ways. */
async function notifiedOf({ database }: TestApp, orderId: number): Promise<string[]> {
  const rows = await database.db
    .selectFrom('outbox')
    .select(['channel', 'kind'])
    .where('topic', '=', `order ${orderId}`)
    .orderBy('id')
    .execute();
  const heardBy = (name: ChannelName): string[] =>
    rows.filter(({ channel }) => channel === name).map(({ kind }) => kind.replace('order-', ''));
  const customer = heardBy('mail-customer');
  const staffs = customer.filter((kind) => !RECEIPTS.includes(kind));
  expect([heardBy('mail-staff'), heardBy('teams')]).toEqual([staffs, staffs]);
  return customer;
}

describe('with Stripe', () => {
  const shop = sharedShop(WITH_ALL);
  const notified = ({ orderId }: Started) => notifiedOf(shop.app, orderId);

  /** Delivers what happens at Stripe while `act` runs, each event twice. */
  async function heard(act: () => unknown): Promise<void> {
    await shop.fake.deliver(await eventsDuring(shop, act), { to: shop.webhook, times: 2 });
  }
  async function paid(): Promise<Started> {
    const placed = await order(shop);
    await heard(() => shop.fake.confirmCard(placed.clientSecret, GOOD));
    return placed;
  }
  const staff = ({ orderId }: Started, what: string, body: object) =>
    shop.staff.move().post(`/api/admin/orders/${orderId}/${what}`, body);
  const set = ({ orderId }: Started, status: string) =>
    shop.staff.move().post(`/api/orders/${orderId}/update-status`, { status });

  test('nobody hears of an order that is placed, refused, given up or expires', async () => {
    const refused = await order(shop);
    await heard(() => shop.fake.confirmCard(refused.clientSecret, '4000000000000002'));
    await staff(refused, 'cancel', { when: 'now' });
    const expired = await order(shop);
    const id = await subscriptionOf(shop, expired);
    await heard(() => shop.fake.expire(id));
    expect([await notified(refused), await notified(expired)]).toEqual([[], []]);
  });

  test('a payment notifies once by webhook, return page, reconciliation and staff together', async () => {
    const placed = await order(shop);
    shop.fake.confirmCard(placed.clientSecret, GOOD);
    const comeBack = () =>
      placed.visitor.post(`/api/orders/${placed.orderId}/update-status`, { status: 'processing' });
    await shop.app.database.db
      .updateTable('orders')
      .set(({ eb }) => ({ createdAt: eb('createdAt', '-', 11 * 60_000) }))
      .where('id', '=', placed.orderId)
      .execute();
    await shop.restart();
    placed.visitor = Object.assign(shop.app.visitor(), { cookies: placed.visitor.cookies });
    await Promise.all([
      shop.fake.deliver(shop.fake.events, { to: shop.webhook, together: true, times: 2 }),
      comeBack(),
      comeBack(),
      set(placed, 'processing'),
    ]);
    await expect.poll(() => notified(placed)).toEqual(['paid']);
  });

  test('each failed renewal, dispute and refund notifies once, however often it is heard', async () => {
    const placed = await paid();
    const id = await subscriptionOf(shop, placed);
    const before = shop.fake.events.length;
    let bill = '';
    await heard(() => {
      bill = shop.fake.renew(id, { pay: false })?.id ?? '';
    });
    // Stripe tries again in vain: the customer knows already.
    await heard(() => shop.fake.retryInvoice(bill, { pay: false }));
    await heard(() => shop.fake.retryInvoice(bill, { pay: true }));
    expect(await notified(placed)).toEqual(['paid', 'renewal-failed', 'renewed']);
    await heard(() => shop.fake.renew(id, { pay: false }));
    await heard(() => shop.fake.refundCharge(paymentOf(placed), 10_000));
    await heard(() => shop.fake.refundCharge(paymentOf(placed), 5_000));
    let dispute = '';
    await heard(() => {
      dispute = shop.fake.openDispute(paymentOf(placed)).id;
    });
    await heard(() => shop.fake.closeDispute(dispute, 'lost'));
    const all = ['paid', 'renewal-failed', 'renewed', 'renewal-failed'];
    all.push('refunded', 'refunded', 'disputed', 'refunded');
    expect(await notified(placed)).toEqual(all);
    await shop.fake.deliver(shop.fake.events.slice(before).toReversed(), { to: shop.webhook });
    expect(await notified(placed)).toEqual(all);
  });

  test('a dispute whose end is heard before its opening notifies once', async () => {
    const placed = await paid();
    const events = await eventsDuring(shop, () =>
      shop.fake.closeDispute(shop.fake.openDispute(paymentOf(placed)).id, 'won'),
    );
    await shop.fake.deliver(events.toReversed(), { to: shop.webhook });
    expect(await notified(placed)).toEqual(['paid', 'disputed']);
  });

  test('a cancellation is confirmed when it is decided, and notifies again when it takes effect', async () => {
    const placed = await paid();
    const id = await subscriptionOf(shop, placed);
    await heard(() => staff(placed, 'cancel', { when: 'period-end' }));
    await heard(() => staff(placed, 'cancel', { when: 'period-end' }));
    expect(await notified(placed)).toEqual(['paid', 'ending']);
    await heard(() => shop.fake.renew(id, { pay: true }));
    expect(await notified(placed)).toEqual(['paid', 'ending', 'ended']);
  });

  test('what staff decide notifies once, also when Stripe says it too', async () => {
    const placed = await paid();
    await heard(() => staff(placed, 'refund', { amount: 50 }));
    await heard(() => staff(placed, 'refund', { amount: null }));
    expect(await notified(placed)).toEqual(['paid', 'refunded', 'refunded']);
    const ended = await paid();
    await heard(() => staff(ended, 'cancel', { when: 'now' }));
    expect(await notified(ended)).toEqual(['paid', 'ended']);
    const byHand = await paid();
    await heard(() => set(byHand, 'past_due'));
    await heard(() => set(byHand, 'canceled'));
    expect(await notified(byHand)).toEqual(['paid', 'renewal-failed', 'ended']);
  });

  test('what no webhook brought notifies once all the same', async () => {
    const placed = await order(shop);
    shop.fake.confirmCard(placed.clientSecret, GOOD);
    shop.fake.renew(await subscriptionOf(shop, placed), { pay: false });
    const ended = await order(shop);
    shop.fake.confirmCard(ended.clientSecret, GOOD);
    shop.fake.cancelSubscription(await subscriptionOf(shop, ended));
    await shop.restart();
    await expect.poll(() => notified(placed)).toEqual(['paid', 'renewal-failed']);
    await expect.poll(() => notified(ended)).toEqual(['paid', 'ended']);
    await shop.fake.deliver(shop.fake.events, { to: shop.webhook });
    expect([await notified(placed), await notified(ended)]).toEqual([
      ['paid', 'renewal-failed'],
      ['paid', 'ended'],
    ]);
  });
});

describe('with the test gateway', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(WITH_ALL);
  });
  afterAll(() => app.stop());

  async function paid(): Promise<number> {
    const visitor = app.visitor();
    const email = `${randomUUID()}@example.com`;
    const { json } = await visitor.post('/api/create-payment-intent', { ...PURCHASE, email });
    const { clientSecret, orderId } = json;
    await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'declined' });
    expect(await notifiedOf(app, orderId)).toEqual([]);
    await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    return orderId;
  }

  test.each([
    ['a part refunded', 'refund', [{ amount: 50 }], ['refunded']],
    ['all refunded', 'refund', [{ amount: null }], ['refunded']],
    ['ended at once', 'cancel', [{ when: 'now' }], ['ended']],
    [
      'ended at the end of the month, pressed twice, and then at once',
      'cancel',
      [{ when: 'period-end' }, { when: 'period-end' }, { when: 'now' }],
      ['ending', 'ended'],
    ],
  ])('%s by staff', async (_what, what, bodies, kinds) => {
    const orderId = await paid();
    const colleague = await app.staff();
    for (const body of bodies) {
      const { status } = await colleague.post(`/api/admin/orders/${orderId}/${what}`, body);
      expect(status).toBe(200);
    }
    expect(await notifiedOf(app, orderId)).toEqual(['paid', ...kinds]);
  });
});
