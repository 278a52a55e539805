import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  failureOf,
  intentOf,
  openShop,
  type Shop,
  secretOf,
  subscribe,
  typesOf,
} from './test-kit.ts';

let shop: Shop;
let id: string;
let intent: string;
beforeEach(async () => {
  // The 31st: a month later must be the last of February, not the third of March.
  shop = await openShop({ now: () => Date.UTC(2027, 0, 31, 12) });
  const subscription = await subscribe(shop);
  shop.fake.confirmCard(secretOf(subscription), '4242424242424242');
  id = subscription.id;
  intent = intentOf(subscription);
});
afterEach(() => shop.fake.close());

const statusOf = (): string | undefined => shop.fake.state.subscription.get(id)?.status;
const endOf = (): string =>
  new Date((shop.fake.state.subscription.get(id)?.items.data[0]?.current_period_end ?? 0) * 1000)
    .toISOString()
    .slice(0, 10);

it('renews month by month from the anchor', () => {
  const { fake } = shop;
  expect(endOf()).toBe('2027-02-28');
  const before = fake.events.length;
  const invoice = fake.renew(id, { pay: true });
  expect(invoice).toMatchObject({
    billing_reason: 'subscription_cycle',
    status: 'paid',
    amount_paid: 34_900,
  });
  expect(endOf()).toBe('2027-03-31');
  expect(typesOf(fake, before)).toEqual([
    'customer.subscription.updated',
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoice.paid',
    'invoice.payment_succeeded',
  ]);
});

it('is past due after a refused renewal, and active again when a later attempt succeeds', () => {
  const { fake } = shop;
  const invoice = fake.renew(id, { pay: false });
  expect(statusOf()).toBe('past_due');
  expect(fake.eventsOf('invoice.payment_failed').at(-1)?.object).toMatchObject({
    billing_reason: 'subscription_cycle',
    attempt_count: 1,
  });
  fake.retryInvoice(invoice?.id ?? '', { pay: true });
  expect(statusOf()).toBe('active');
});

it('ends at the period end when asked to, and at once when cancelled', async () => {
  const { fake, stripe } = shop;
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  expect(fake.renew(id, { pay: true })).toBeNull();
  expect(statusOf()).toBe('canceled');
  expect(fake.events.at(-1)?.type).toBe('customer.subscription.deleted');
  expect((await failureOf(stripe.subscriptions.cancel(id))).code).toBe('resource_missing');
  expect(
    (await stripe.subscriptions.list({ customer: shop.customer.id, status: 'all' })).data,
  ).toHaveLength(1);
});

it('refunds in parts, then the rest, then no more', async () => {
  const { fake, stripe } = shop;
  const part = await stripe.refunds.create({ payment_intent: intent, amount: 10_000 });
  expect(part).toMatchObject({ status: 'succeeded', amount: 10_000 });
  expect(fake.events.at(-1)).toMatchObject({
    type: 'charge.refunded',
    object: { refunded: false, amount_refunded: 10_000 },
  });
  expect(
    (await failureOf(stripe.refunds.create({ payment_intent: intent, amount: 30_000 }))).param,
  ).toBe('amount');
  const rest = await stripe.refunds.create({ payment_intent: intent, expand: ['charge'] });
  expect(rest).toMatchObject({
    amount: 24_900,
    charge: { refunded: true, amount_refunded: 34_900 },
  });
  expect((await failureOf(stripe.refunds.create({ payment_intent: intent }))).code).toBe(
    'charge_already_refunded',
  );
});

it('tells of a dispute, and how it ended', async () => {
  const { fake, stripe } = shop;
  const dispute = fake.openDispute(intent);
  expect(fake.events.at(-1)).toMatchObject({
    type: 'charge.dispute.created',
    object: { status: 'needs_response', payment_intent: intent },
  });
  expect((await failureOf(stripe.refunds.create({ payment_intent: intent }))).code).toBe(
    'charge_disputed',
  );
  fake.closeDispute(dispute.id, 'lost');
  expect(fake.events.at(-1)).toMatchObject({
    type: 'charge.dispute.closed',
    object: { status: 'lost', amount: 34_900 },
  });
  const { data } = await stripe.disputes.list({ charge: dispute.charge });
  expect(data).toMatchObject([{ id: dispute.id, status: 'lost' }]);
  expect((await stripe.disputes.list({ charge: 'ch_other' })).data).toEqual([]);
  expect(fake.state.charge.get(dispute.charge)?.disputed).toBe(true);
});

it('keeps the metadata an invoice began with', async () => {
  const { fake, stripe } = shop;
  Object.assign(fake.state.subscription.get(id) ?? {}, { metadata: { orderId: '8' } });
  const invoices = await stripe.invoices.list({ subscription: id });
  expect(invoices.data[0]?.parent?.subscription_details?.metadata).toEqual({ orderId: '7' });
  expect(fake.renew(id, { pay: true })?.parent.subscription_details.metadata).toEqual({
    orderId: '8',
  });
});
