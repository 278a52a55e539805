/** What each of Stripe's events says of an order, and that an odd one is not believed. */
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, readStripeEvent } from './stripe-event.server.ts';

const CREATED = 1_790_000_000;
const SILENT = { status: 'requires_payment_method', refused: false };
const PAID = { status: 'succeeded', refused: false };

/** What is read of an event of this type; of the event around the object, only type and time count. */
const read = (type: string, object: object) => readStripeEvent({ type, created: CREATED }, object);

test('the webhook must be switched on for these types', () => {
  expect(EVENT_TYPES).toEqual([
    'payment_intent.succeeded',
    'payment_intent.processing',
    'payment_intent.payment_failed',
    'invoice.paid',
    'invoice.payment_failed',
    'invoice.payment_action_required',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'charge.refunded',
    'charge.dispute.created',
    'charge.dispute.closed',
  ]);
});

test.each(['coupon.created', 'toString', 'constructor'])('nothing is read of a %s', (type) => {
  expect(read(type, {})).toBeUndefined();
});

test.each(EVENT_TYPES)('a %s that cannot be read is refused', (type) => {
  expect(() => read(type, { odd: true })).toThrow();
});

describe('a payment', () => {
  const intent = { id: 'pi_1', amount: 45_000, currency: 'usd' };
  const mark = { paymentId: 'pi_1' };

  test('that has succeeded counts with what came in', () => {
    const succeeded = { ...intent, status: 'succeeded', amount_received: 40_000 };
    expect(read('payment_intent.succeeded', succeeded)).toEqual({
      mark,
      sum: { amount: 40_000, currency: 'usd', first: true },
      says: PAID,
      ask: false,
      cause: 'payment succeeded',
    });
  });

  test('that the bank is still deciding on is asked about', () => {
    expect(read('payment_intent.processing', { ...intent, status: 'processing' })).toEqual({
      mark,
      sum: { amount: 45_000, currency: 'usd', first: true },
      says: { status: 'processing', refused: false },
      ask: true,
      cause: 'payment processing',
    });
  });

  test('that was refused is asked about', () => {
    const failed = { ...intent, status: 'requires_payment_method' };
    expect(read('payment_intent.payment_failed', failed)).toEqual({
      mark,
      sum: { amount: 45_000, currency: 'usd', first: true },
      says: { ...SILENT, refused: true },
      ask: true,
      cause: 'payment refused',
    });
  });

  test.each([
    ['payment_intent.succeeded', 'processing', 'its status is processing'],
    ['payment_intent.payment_failed', 'succeeded', 'its status is succeeded'],
    ['payment_intent.processing', 'requires_action', undefined],
  ])('whose %s is %s: %s', (type, status, contradiction) => {
    expect(read(type, { ...intent, status })?.contradiction).toBe(contradiction);
  });
});

describe('a bill', () => {
  const invoice = {
    id: 'in_1',
    created: CREATED - 5,
    status: 'open',
    amount_due: 45_000,
    amount_paid: 0,
    currency: 'usd',
    billing_reason: 'subscription_cycle',
    parent: {
      subscription_details: {
        subscription: 'sub_1',
        metadata: { orderId: '7', orderedAt: '99', somebodyElses: 'x' },
      },
    },
  };
  const mark = { orderId: '7', orderedAt: '99', subscriptionId: 'sub_1' };
  const first = { billing_reason: 'subscription_create' };
  const paid = { status: 'paid', amount_paid: 44_000 };
  const bill = { id: 'in_1', createdAt: (CREATED - 5) * 1000 };

  test('that came with the order and is paid', () => {
    expect(read('invoice.paid', { ...invoice, ...first, ...paid })).toEqual({
      mark,
      sum: { amount: 44_000, currency: 'usd', first: true },
      says: { ...PAID, invoices: [{ ...bill, amount: 44_000, paid: true, renewal: false }] },
      ask: false,
      cause: 'first invoice: paid',
    });
  });

  test('of a later month that is paid', () => {
    expect(read('invoice.paid', { ...invoice, ...paid })).toEqual({
      mark,
      sum: { amount: 44_000, currency: 'usd', first: false },
      says: { ...PAID, invoices: [{ ...bill, amount: 44_000, paid: true, renewal: true }] },
      ask: false,
      cause: 'renewal: paid',
    });
  });

  test('of a later month that was refused says nothing of the first payment', () => {
    expect(read('invoice.payment_failed', invoice)).toEqual({
      mark,
      sum: { amount: 45_000, currency: 'usd', first: false },
      says: { ...SILENT, invoices: [{ ...bill, amount: 45_000, paid: false, renewal: true }] },
      ask: true,
      cause: 'renewal: payment refused',
    });
  });

  test('that came with the order and was refused', () => {
    expect(read('invoice.payment_failed', { ...invoice, ...first })).toMatchObject({
      sum: { amount: 45_000, first: true },
      says: { ...SILENT, refused: true },
      ask: true,
      cause: 'first invoice: payment refused',
    });
  });

  test('that came with the order, while the bank asks', () => {
    const news = read('invoice.payment_action_required', { ...invoice, ...first });
    expect(news).toMatchObject({
      ask: true,
      cause: 'first invoice: the bank asks the customer',
    });
    expect(news?.says).toEqual({ status: 'requires_action', refused: false });
  });

  test.each([
    ['invoice.paid', 'open', 'its status is open'],
    ['invoice.paid', null, 'its status is not given'],
    ['invoice.payment_failed', 'paid', 'its status is paid'],
  ])('whose %s is %j contradicts itself', (type, status, contradiction) => {
    expect(read(type, { ...invoice, status })).toMatchObject({ contradiction });
  });

  test.each([null, { subscription_details: null }])(
    'of no subscription names nobody: %j',
    (parent) => {
      expect(read('invoice.payment_failed', { ...invoice, parent })?.mark).toEqual({});
    },
  );

  test.each([null, {}, { another: 'mark' }])(
    'without our mark %j names its subscription alone',
    (metadata) => {
      const details = { subscription: { id: 'sub_2' }, metadata };
      const parent = { subscription_details: details };
      expect(read('invoice.paid', { ...invoice, ...paid, parent })?.mark).toEqual({
        subscriptionId: 'sub_2',
      });
    },
  );

  test('whose subscription is missing names nothing of it', () => {
    const parent = { subscription_details: { metadata: { orderId: '7' } } };
    expect(read('invoice.paid', { ...invoice, ...paid, parent })?.mark).toEqual({ orderId: '7' });
  });
});

describe('a subscription', () => {
  const subscription = {
    id: 'sub_1',
    status: 'active',
    metadata: { orderId: '7', orderedAt: '99' },
    cancel_at: null,
    latest_invoice: 'in_9',
  };

  test('that goes on', () => {
    expect(read('customer.subscription.updated', subscription)).toEqual({
      mark: { orderId: '7', orderedAt: '99', subscriptionId: 'sub_1' },
      sum: null,
      says: { ...SILENT, invoices: [], ended: false, endsAt: null },
      ask: true,
      cause: 'subscription is active',
    });
  });

  test.each([
    ['past_due', 'past due'],
    ['unpaid', 'unpaid'],
  ])('that is %s has a bill that was not paid', (status, words) => {
    const news = read('customer.subscription.updated', { ...subscription, status });
    const bill = { id: 'in_9', createdAt: CREATED * 1000, amount: 0, paid: false, renewal: true };
    expect(news).toMatchObject({ cause: `subscription is ${words}` });
    expect(news?.says.invoices).toEqual([bill]);
  });

  test('that is overdue without naming a bill has none', () => {
    const overdue = { ...subscription, status: 'past_due', latest_invoice: null };
    expect(read('customer.subscription.updated', overdue)?.says.invoices).toEqual([]);
  });

  test('that was never paid in time', () => {
    const expired = { ...subscription, status: 'incomplete_expired' };
    expect(read('customer.subscription.deleted', expired)).toMatchObject({
      says: { status: 'canceled', ended: true },
      cause: 'subscription is incomplete expired',
    });
  });

  test('that will end', () => {
    const ending = { ...subscription, metadata: null, cancel_at: CREATED + 9 };
    expect(read('customer.subscription.updated', ending)).toMatchObject({
      mark: { subscriptionId: 'sub_1' },
      says: { ended: false, endsAt: (CREATED + 9) * 1000 },
    });
  });
});
