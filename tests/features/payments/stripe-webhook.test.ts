/** An event of Stripe's changes its order. */
import { expect, test } from 'vitest';
import type { StandInEvent } from '../../support/fake-stripe/events.ts';
import {
  eventsDuring,
  order,
  paymentOf,
  rowOf,
  type Started,
  seenByStaff,
  sharedShop,
  statusesOf,
  subscriptionOf,
} from '../../support/stripe-shop.ts';

const GOOD = '4242424242424242';
const POOR = '4000000000009995';
const ASKS = '4000002500003155';

const shop = sharedShop();

const deliver = (events: readonly StandInEvent[]) =>
  shop.fake.deliver(events, { to: shop.webhook });

/** Of what happens at Stripe while `act` runs, the last event of this type is delivered. */
async function happens(type: string, act: () => unknown): Promise<StandInEvent> {
  const happened = await eventsDuring(shop, act);
  const event = happened.findLast((each) => each.type === type);
  if (!event) throw new Error(`no ${type} happened`);
  await deliver([event]);
  return event;
}

async function paidOrder(): Promise<Started> {
  const placed = await order(shop);
  await happens('invoice.paid', () => shop.fake.confirmCard(placed.clientSecret, GOOD));
  return placed;
}

test('a refused card, a second one, and the payment', async () => {
  const placed = await order(shop);
  await happens('invoice.payment_failed', () => shop.fake.confirmCard(placed.clientSecret, POOR));
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'failed']);
  await happens('invoice.paid', () => shop.fake.confirmCard(placed.clientSecret, GOOD));
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'failed', 'processing', 'paid']);
});

test("the bank's question, and its customer's no", async () => {
  const placed = await order(shop);
  const { clientSecret } = placed;
  await happens('invoice.payment_action_required', () => shop.fake.confirmCard(clientSecret, ASKS));
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'processing']);
  await happens('invoice.payment_failed', () => shop.fake.authenticate(clientSecret, false));
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'processing', 'failed']);
});

/** The first month is paid, the second was refused; gives its bill. */
async function overdueOrder() {
  const placed = await paidOrder();
  const id = await subscriptionOf(shop, placed);
  const failed = await happens('invoice.payment_failed', () => shop.fake.renew(id, { pay: false }));
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid', 'past_due']);
  return { placed, failed, bill: String(failed.object.id) };
}

test('a renewal that is refused, and paid later', async () => {
  const { placed, bill } = await overdueOrder();
  await happens('invoice.paid', () => shop.fake.retryInvoice(bill, { pay: true }));
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid', 'past_due', 'paid']);
});

test.each(['void', 'uncollectible'] as const)(
  'a refused renewal that staff make %s in the dashboard is overdue no more, and nothing to give back',
  async (how) => {
    const { placed, failed, bill } = await overdueOrder();
    await happens('customer.subscription.updated', () => shop.fake.waiveInvoice(bill, how));
    await deliver([failed]);
    expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid', 'past_due', 'paid']);
    await happens('charge.refunded', () => shop.fake.refundCharge(paymentOf(placed)));
    expect((await seenByStaff(shop, placed.orderId)).status).toBe('refunded');
  },
);

test('a renewal is noted once, with what was paid beside a credit; its refund is a part', async () => {
  const placed = await paidOrder();
  const id = await subscriptionOf(shop, placed);
  const { customerId } = await rowOf(shop, placed.orderId);
  Object.assign(shop.fake.state.customer.get(customerId ?? '') ?? {}, { balance: -20_000 });
  await happens('invoice.paid', () => shop.fake.renew(id, { pay: true }));
  const charge = [...shop.fake.state.charge.values()].at(-1);
  await happens('charge.refunded', () => shop.fake.refundCharge(charge?.id ?? ''));
  const seen = await seenByStaff(shop, placed.orderId);
  expect(seen).toMatchObject({ status: 'paid', refunded: 999 });
  const notes: string[] = seen.notes.map(({ note }: { note: string }) => note);
  expect(notes.filter((note) => note.startsWith('Renewed: $999.00'))).toHaveLength(1);
});

test.each([
  ['won', 'paid', 'won'],
  ['lost', 'refunded', 'lost'],
  ['prevented', 'paid', 'won'],
] as const)(
  'a dispute stands beside the status; when it is %s the order is %s',
  async (end, status, dispute) => {
    const placed = await paidOrder();
    let id = '';
    await happens('charge.dispute.created', () => {
      id = shop.fake.openDispute(paymentOf(placed)).id;
    });
    const open = { status: 'paid', dispute: 'open' };
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject(open);
    await happens('charge.dispute.closed', () => shop.fake.closeDispute(id, end));
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject({ status, dispute });
  },
);

test('an ended subscription, and one that nobody paid', async () => {
  const ended = await paidOrder();
  const id = await subscriptionOf(shop, ended);
  await happens('customer.subscription.deleted', () => shop.fake.cancelSubscription(id));
  expect(await statusesOf(shop, ended)).toEqual(['pending', 'paid', 'canceled']);
  const unpaid = await order(shop);
  const other = await subscriptionOf(shop, unpaid);
  await happens('customer.subscription.updated', () => shop.fake.expire(other));
  expect(await statusesOf(shop, unpaid)).toEqual(['pending', 'canceled']);
});
