/** Where an order stands at Stripe, from what Stripe's API answers. */
import { describe, expect, test } from 'vitest';
import type { Invoice } from '../../../tests/support/fake-stripe/objects-invoice.ts';
import { logged } from '../../../tests/support/logged.ts';
import { order, rowOf, sharedShop, stripeEnv } from '../../../tests/support/stripe-shop.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { stripeClient } from './stripe-client.server.ts';
import { stateAtStripe } from './stripe-state.server.ts';

const shop = sharedShop();
const SILENT = { status: 'requires_payment_method', refused: false };
const PAID = { status: 'succeeded', refused: false };
const DUE = 119_900;

const look = (row: Row<'orders'>) => stateAtStripe(stripeClient(stripeEnv(shop.fake)), row);

async function unpaidOrder() {
  const placed = await order(shop);
  const row = await rowOf(shop, placed.orderId);
  const first = [...shop.fake.state.invoice.values()].at(-1);
  const intent = shop.fake.state.payment_intent.get(row.paymentId ?? '');
  if (!first || !intent) throw new Error('nothing was made at Stripe');
  return { row, placed, intent, first, subscription: row.subscriptionId ?? '' };
}

async function paidOrder() {
  const unpaid = await unpaidOrder();
  shop.fake.confirmCard(unpaid.placed.clientSecret, '4242424242424242');
  return unpaid;
}

/** The bill that came with the order, once it is paid. */
const firstBill = ({ first }: { first: Pick<Invoice, 'created' | 'id' | 'lines' | 'number'> }) => ({
  number: first.number,
  periodStart: (first.lines.data[0]?.period.start ?? 0) * 1000,
  periodEnd: (first.lines.data[0]?.period.end ?? 0) * 1000,
  tax: 0,
  cardBrand: 'Visa',
  cardLast4: '4242',
  id: first.id,
  createdAt: first.created * 1000,
  amount: DUE,
  paid: true,
  waived: false,
  renewal: false,
});

describe('an order', () => {
  test('of which nothing was started, or that nobody has paid yet', async () => {
    const { row } = await unpaidOrder();
    const nothing = { ...SILENT, partial: false, charges: [], invoices: [] };
    expect(await look({ ...row, paymentId: null, subscriptionId: null })).toEqual(nothing);
    expect(await look(row)).toEqual({ ...nothing, ended: false, endsAt: null });
  });

  test('that is paid', async () => {
    const paid = await paidOrder();
    expect(await look(paid.row)).toEqual({
      ...PAID,
      partial: false,
      charges: [],
      invoices: [firstBill(paid)],
      ended: false,
      endsAt: null,
    });
  });

  test('whose card was refused', async () => {
    const { row, placed } = await unpaidOrder();
    shop.fake.confirmCard(placed.clientSecret, '4000000000000002');
    expect(await look(row)).toMatchObject({ status: 'requires_payment_method', refused: true });
  });

  test.each([
    ['requires_action', 'requires_action'],
    ['requires_confirmation', 'requires_action'],
    ['processing', 'processing'],
    ['requires_capture', 'processing'],
    ['canceled', 'canceled'],
  ])('whose payment is %s at Stripe: %s', async (status, here) => {
    const { row, intent } = await unpaidOrder();
    Object.assign(intent, { status });
    expect(await look(row)).toMatchObject({ status: here, refused: false });
  });

  test('whose subscription will end, and has ended', async () => {
    const { row, subscription } = await paidOrder();
    const cancel_at = 1_790_000_000;
    Object.assign(shop.fake.state.subscription.get(subscription) ?? {}, { cancel_at });
    expect(await look(row)).toMatchObject({ ended: false, endsAt: cancel_at * 1000 });
    shop.fake.cancelSubscription(subscription);
    expect(await look(row)).toMatchObject({ status: 'succeeded', ended: true });
  });

  test('that was never paid in time', async () => {
    const { row, subscription } = await unpaidOrder();
    shop.fake.expire(subscription);
    expect(await look(row)).toMatchObject({ status: 'canceled', ended: true, endsAt: null });
  });
});

describe('what does not fit the order proves nothing', () => {
  const misfit = (what: string) => ({ ...SILENT, notes: [`Stripe's ${what}`] });

  test.each([
    [{ amount: 100 }, 'is for 100 usd, the order for 119900 usd'],
    [{ currency: 'eur' }, 'is for 119900 eur, the order for 119900 usd'],
    [{ status: 'succeeded', amount_received: 7 }, 'is for 7 usd, the order for 119900 usd'],
  ])('a payment with %j', async (change, words) => {
    const { row, intent } = await unpaidOrder();
    Object.assign(intent, change);
    expect(await look(row)).toEqual(misfit(`payment ${row.paymentId} ${words}`));
  });

  test('a payment that has come in without saying how much counts with its amount', async () => {
    const { row, intent } = await paidOrder();
    Object.assign(intent, { amount_received: null });
    expect(await look(row)).toMatchObject(PAID);
  });

  test('a payment of another sum than what was due with its tax', async () => {
    const { row } = await paidOrder();
    expect(await look({ ...row, dueCents: null })).toMatchObject(PAID);
    expect(await look({ ...row, dueCents: 5 })).toEqual(
      misfit(`payment ${row.paymentId} is for 119900 usd, the order for 5 usd`),
    );
  });

  test.each([
    [{ amount_paid: 100 }, 'is for 100 usd, the order for 119900 usd'],
    [{ currency: 'eur' }, 'is for 119900 eur, the order for 119900 usd'],
  ])('a first bill that is paid with %j', async (change, words) => {
    const { row, first } = await paidOrder();
    Object.assign(first, change);
    expect(await look(row)).toEqual(misfit(`the first invoice ${first.id} ${words}`));
  });

  test('but a bill of a later month may be another', async () => {
    const { row, first } = await paidOrder();
    Object.assign(first, { billing_reason: 'subscription_cycle', amount_paid: 100 });
    expect((await look(row)).invoices).toMatchObject([{ amount: 100, paid: true, renewal: true }]);
  });
});

describe('a bill of a later month', () => {
  test.each([
    ['that is paid', { status: 'paid', amount_paid: 7 }, { amount: 7, paid: true, waived: false }],
    ['that failed', { status: 'open', attempted: true }, { paid: false, waived: false }],
    ['that was voided', { status: 'void' }, { amount: DUE, paid: false, waived: true }],
    ['that was written off', { status: 'uncollectible' }, { paid: false, waived: true }],
  ])('%s', async (_what, change, read) => {
    const paid = await paidOrder();
    const next = shop.fake.renew(paid.subscription, { pay: false });
    Object.assign(next ?? {}, { amount_paid: 0, attempted: false }, change);
    const [renewal, ...others] = (await look(paid.row)).invoices ?? [];
    expect(renewal).toMatchObject({ id: next?.id, amount: DUE, ...read, renewal: true });
    expect(others).toEqual([firstBill(paid)]);
  });

  test.each([{ status: 'open' }, { status: 'draft', attempted: true }])(
    'says nothing yet with %j',
    async (change) => {
      const paid = await paidOrder();
      const next = shop.fake.renew(paid.subscription, { pay: false });
      Object.assign(next ?? {}, { attempted: false }, change);
      expect((await look(paid.row)).invoices).toEqual([firstBill(paid)]);
    },
  );

  test.each(['open', 'void', 'uncollectible'])(
    'is told from a first bill that is %s, of which nothing follows',
    async (status) => {
      const { row, first } = await unpaidOrder();
      Object.assign(first, { status, attempted: true });
      expect((await look(row)).invoices).toEqual([]);
    },
  );

  test('counts among a hundred', async () => {
    const { row, subscription } = await paidOrder();
    for (let month = 1; month < 100; month += 1) shop.fake.renew(subscription, { pay: true });
    expect((await look(row)).invoices).toHaveLength(100);
  });
});

describe('of the payment', () => {
  test('a part was given back', async () => {
    const { row } = await paidOrder();
    shop.fake.refundCharge(row.paymentId ?? '', 500);
    const before = shop.fake.requests.length;
    expect((await look(row)).charges).toEqual([
      { id: expect.stringMatching(/^ch_/), amount: DUE, refunded: 500 },
    ]);
    const asked = shop.fake.requests.slice(before).map(({ path }) => path);
    expect(asked).not.toContain('/v1/disputes');
  });

  test.each([
    [null, 'open'],
    ['won', 'won'],
    ['lost', 'lost'],
    ['warning_closed', 'won'],
    ['prevented', 'won'],
  ] as const)('a dispute ended as %s: %s', async (end, dispute) => {
    const { row } = await paidOrder();
    const { id } = shop.fake.openDispute(row.paymentId ?? '');
    if (end) shop.fake.closeDispute(id, end);
    shop.fake.openDispute((await paidOrder()).row.paymentId ?? '');
    expect((await look(row)).charges).toMatchObject([{ amount: DUE, dispute }]);
  });

  test('a refund is known although disputes may not be read', async () => {
    const { row } = await paidOrder();
    shop.fake.refundCharge(row.paymentId ?? '', 500);
    shop.fake.openDispute(row.paymentId ?? '');
    shop.fake.failNext({ how: 'status-500-kept', path: '/v1/disputes' });
    const lines = await logged(async () => {
      const { charges = [] } = await look(row);
      expect(charges).toMatchObject([{ refunded: 500 }]);
      expect(charges[0]).not.toHaveProperty('dispute');
    });
    expect(lines).toMatchObject([{ event: 'stripe-failed', during: 'look-dispute' }]);
  });
});

describe('while Stripe does not answer', () => {
  test.each([
    ['look-subscription', /^\/v1\/subscriptions\//],
    ['look-invoices', '/v1/invoices'],
  ])('all of it, what is known is in part: %s', async (during, path) => {
    const paid = await paidOrder();
    shop.fake.failNext({ how: 'status-500-kept', path });
    const lines = await logged(async () => {
      const { ended, invoices, ...state } = await look(paid.row);
      expect(state).toMatchObject({ ...PAID, partial: true, charges: [] });
      expect(ended).toBe(during === 'look-subscription' ? undefined : false);
      expect(invoices).toEqual(during === 'look-invoices' ? [] : [firstBill(paid)]);
    });
    expect(lines).toMatchObject([{ event: 'stripe-failed', during }]);
  });

  test('about the payment itself, nothing is known', async () => {
    const { row } = await unpaidOrder();
    shop.fake.failNext({ how: 'status-500-kept', path: /^\/v1\/payment_intents\// });
    await expect(look(row)).rejects.toThrow();
  });
});
