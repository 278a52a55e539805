/** What the double charges, credits and gives back, to the cent. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Invoice } from './billing-objects.ts';
import { failureOf, openShop } from './test-kit.ts';

/** A month of 30 days, so that a tenth of it is 3 days. */
const START = Date.UTC(2027, 5, 1) / 1000;
const DAY = 86_400;

let shop: Awaited<ReturnType<typeof openShop>>;
beforeEach(async () => {
  shop = await openShop({ now: () => START * 1000, taxPercent: 8 });
});
afterEach(() => shop.fake.close());

const prorations = (invoice: Pick<Invoice, 'lines'> | null): number[] =>
  (invoice?.lines.data ?? [])
    .filter(({ parent }) => parent.subscription_item_details.proration)
    .map(({ amount }) => amount);

test('a change is previewed as it is then billed, and billed once', async () => {
  const { fake, stripe, subscribe } = shop;
  const { id, seats } = await subscribe();
  const change = {
    items: [{ id: seats, quantity: 9 }],
    proration_behavior: 'create_prorations' as const,
    proration_date: START + 12 * DAY,
  };
  const shown = await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: change,
  });
  // 4 seats of $12.50 are given back for 18 of 30 days, and 9 are charged.
  const total = 29_900 + 9 * 1250 + 6750 - 3000;
  expect(shown).toMatchObject({ subtotal: total, amount_due: total });
  await stripe.subscriptions.update(id, change);
  const bill = fake.renew(id, { pay: true });
  expect(bill).toMatchObject({ subtotal: total, amount_paid: total, status: 'paid' });
  expect(prorations(bill)).toEqual([6750, -3000]);
  expect(prorations(fake.renew(id, { pay: true }))).toEqual([]);
});

test('what is given back beyond the next bill stays as a credit, and a bill carries ten lines', async () => {
  const { fake, stripe, subscribe, customer } = shop;
  const { id, seats } = await subscribe();
  const change = (quantity: number) =>
    stripe.subscriptions.update(id, { items: [{ id: seats, quantity }], proration_date: START });
  for (const quantity of [900, 1, 2, 3, 900]) await change(quantity);
  const dear = fake.renew(id, { pay: true });
  expect(dear?.amount_paid).toBe(29_900 + 2 * 900 * 1250 - 4 * 1250);
  expect(dear?.lines).toMatchObject({ has_more: true });
  const all = await stripe.invoices.listLineItems(dear?.id ?? '', { limit: 100 });
  expect(all.data).toHaveLength(12);
  const end = START + 30 * DAY;
  const none = { items: [{ id: seats, quantity: 0 }], proration_date: end };
  await stripe.subscriptions.update(id, none);
  expect(fake.renew(id, { pay: true })).toMatchObject({ amount_due: 0, status: 'paid' });
  expect(fake.state.customer.get(customer.id)?.balance).toBe(29_900 - 900 * 1250);
});

test('tax is added where it is on; a payment that failed is overdue, and paid by a later attempt', async () => {
  const { fake, subscribe } = shop;
  const { id, intent } = await subscribe({ automatic_tax: { enabled: true } });
  expect(fake.state.payment_intent.get(intent)?.amount_received).toBe(34_900 + 2_792);
  const invoice = fake.renew(id, { pay: false });
  expect(fake.state.subscription.get(id)?.status).toBe('past_due');
  fake.retryInvoice(invoice?.id ?? '', { pay: true });
  expect(fake.state.subscription.get(id)?.status).toBe('active');
  expect(invoice).toMatchObject({ status: 'paid', amount_paid: 37_692 });
});

test('a refund is in parts, then the rest, then no more, and none of what is disputed', async () => {
  const { fake, stripe, subscribe } = shop;
  const { intent: payment_intent } = await subscribe();
  const refund = (amount?: number) =>
    stripe.refunds.create({ payment_intent, ...(amount && { amount }), expand: ['charge'] });
  expect(await refund(10_000)).toMatchObject({ amount: 10_000, charge: { refunded: false } });
  expect((await failureOf(refund(30_000))).param).toBe('amount');
  expect(await refund()).toMatchObject({ amount: 24_900, charge: { amount_refunded: 34_900 } });
  expect((await failureOf(refund())).code).toBe('charge_already_refunded');
  const other = await subscribe();
  fake.openDispute(other.intent);
  const disputed = stripe.refunds.create({ payment_intent: other.intent });
  expect((await failureOf(disputed)).code).toBe('charge_disputed');
});
