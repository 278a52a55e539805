/** Each event of a paid order notifies both sides once; an unpaid order no one. */
import { expect, test } from 'vitest';
import type { ChannelName } from '../../../src/notifications/outbox-api.ts';
import {
  ageOrders,
  eventsDuring,
  order,
  paymentOf,
  rowOf,
  type Started,
  sharedShop,
  subscriptionOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

/** No server listens there, so everything stays in the outbox. */
const WITH_ALL = { ...WITH_MAIL, TEAMS_WEBHOOK_URL: 'http://127.0.0.1:9/hook' };
const GOOD = '4242424242424242';

/** Only the customer gets these; staff have the list of orders. */
const RECEIPTS = ['renewed'];

const shop = sharedShop(WITH_ALL);

/** The kinds that the customer got, in order; staff must have got the same by both channels. */
async function notified({ orderId }: Started): Promise<string[]> {
  const rows = await shop.app.database.db
    .selectFrom('outbox')
    .select(['channel', 'kind'])
    .where('topic', '=', `order ${orderId}`)
    .orderBy('id')
    .execute();
  const kindsFor = (name: ChannelName): string[] =>
    rows.filter(({ channel }) => channel === name).map(({ kind }) => kind.replace('order-', ''));
  const customer = kindsFor('mail-customer');
  const staffs = customer.filter((kind) => !RECEIPTS.includes(kind));
  expect([kindsFor('mail-staff'), kindsFor('teams')]).toEqual([staffs, staffs]);
  return customer;
}

/** Delivers each event that Stripe emits while `act` runs, twice. */
async function delivered(act: () => unknown): Promise<void> {
  await shop.fake.deliver(await eventsDuring(shop, act), { to: shop.webhook, times: 2 });
}
async function paid(): Promise<Started> {
  const placed = await order(shop);
  await delivered(() => shop.fake.confirmCard(placed.clientSecret, GOOD));
  return placed;
}
const staff = async ({ orderId }: Started, what: string, body: object) => {
  const { version } = await rowOf(shop, orderId);
  return shop.staff.move().post(`/api/admin/orders/${orderId}/${what}`, { version, ...body });
};
const set = async ({ orderId }: Started, status: string) => {
  const { version } = await rowOf(shop, orderId);
  return shop.staff.move().post(`/api/orders/${orderId}/update-status`, { status, version });
};

test('no one is notified of an order that is placed, refused, abandoned or expires', async () => {
  const refused = await order(shop);
  await delivered(() => shop.fake.confirmCard(refused.clientSecret, '4000000000000002'));
  await staff(refused, 'cancel', { when: 'now' });
  const expired = await order(shop);
  const id = await subscriptionOf(shop, expired);
  await delivered(() => shop.fake.expire(id));
  expect([await notified(refused), await notified(expired)]).toEqual([[], []]);
});

test('a payment notifies once, though webhook, return page, reconciliation and staff report it together', async () => {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, GOOD);
  const comeBack = () =>
    placed.visitor.post(`/api/orders/${placed.orderId}/update-status`, { status: 'processing' });
  await ageOrders(shop, 11);
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

test('each failed renewal, dispute and refund notifies once, however often it is reported', async () => {
  const placed = await paid();
  const id = await subscriptionOf(shop, placed);
  const before = shop.fake.events.length;
  let invoice = '';
  await delivered(() => {
    invoice = shop.fake.renew(id, { pay: false })?.id ?? '';
  });
  // Stripe's next failed attempt does not notify again.
  await delivered(() => shop.fake.retryInvoice(invoice, { pay: false }));
  await delivered(() => shop.fake.retryInvoice(invoice, { pay: true }));
  expect(await notified(placed)).toEqual(['paid', 'renewal-failed', 'renewed']);
  await delivered(() => shop.fake.renew(id, { pay: false }));
  await delivered(() => shop.fake.refundCharge(paymentOf(placed), 10_000));
  await delivered(() => shop.fake.refundCharge(paymentOf(placed), 5_000));
  let dispute = '';
  await delivered(() => {
    dispute = shop.fake.openDispute(paymentOf(placed)).id;
  });
  await delivered(() => shop.fake.closeDispute(dispute, 'lost'));
  const all = ['paid', 'renewal-failed', 'renewed', 'renewal-failed'];
  all.push('refunded', 'refunded', 'disputed', 'refunded');
  expect(await notified(placed)).toEqual(all);
  await shop.fake.deliver(shop.fake.events.slice(before).toReversed(), { to: shop.webhook });
  expect(await notified(placed)).toEqual(all);
});

test('what staff do notifies once, even though Stripe reports it too', async () => {
  const placed = await paid();
  await delivered(() => staff(placed, 'refund', { amount: 50 }));
  await delivered(() => staff(placed, 'refund', { amount: null }));
  expect(await notified(placed)).toEqual(['paid', 'refunded', 'refunded']);
  const ended = await paid();
  await delivered(() => staff(ended, 'cancel', { when: 'now' }));
  expect(await notified(ended)).toEqual(['paid', 'ended']);
  const byHand = await paid();
  await delivered(() => set(byHand, 'past_due'));
  await delivered(() => set(byHand, 'canceled'));
  expect(await notified(byHand)).toEqual(['paid', 'renewal-failed', 'ended']);
});
