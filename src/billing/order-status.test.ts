/** Each combination of what is known of a subscription has one status. */
import { expect, test } from 'vitest';
import { combinations, saidBy } from '../../tests/support/truth-table.ts';
import { cents } from '../platform/money.ts';
import {
  awaitsPayment,
  isBillable,
  ORDER_STATUSES,
  type OrderStatus,
  statusOf,
} from './order-status.ts';
import { COLLECTIONS, SUBSCRIPTION_STATUSES } from './subscription.ts';

type Row<Is> = { is: Is } & Record<string, unknown>;

const EITHER = [true, false];
const CARD = { reversed: false, collection: 'card' };
const FIRST_BY_CARD = { ...CARD, status: 'incomplete', paid: false };
const LATER_BY_CARD = { ...CARD, status: ['incomplete', 'paused'], paid: true };
const INVOICE = { reversed: false, collection: 'invoice' };
const LIVE = ['incomplete', 'active', 'past_due', 'unpaid'];
const WAITING = ['trialing', 'paused'];
const BEGUN = [
  { ...INVOICE, status: LIVE },
  { ...INVOICE, status: WAITING, asked: true },
];

const TABLE: Row<OrderStatus>[] = [
  { reversed: true, is: 'refunded' },
  { reversed: false, status: 'canceled', is: 'canceled' },
  { ...INVOICE, status: WAITING, asked: false, is: 'processing' },
  { ...CARD, status: WAITING, paid: false, is: 'processing' },
  { ...CARD, status: ['trialing', 'active'], paid: true, is: 'paid' },
  { ...CARD, status: 'active', paid: false, is: 'processing' },
  { ...CARD, status: ['past_due', 'unpaid'], paid: true, is: 'past_due' },
  { ...CARD, status: ['past_due', 'unpaid'], paid: false, is: 'failed' },
  { ...LATER_BY_CARD, overdue: false, is: 'paid' },
  { ...LATER_BY_CARD, overdue: true, is: 'past_due' },
  { ...FIRST_BY_CARD, attempt: null, is: 'pending' },
  { ...FIRST_BY_CARD, attempt: ['processing', 'requires_action'], is: 'processing' },
  { ...FIRST_BY_CARD, attempt: 'failed', is: 'failed' },
  ...BEGUN.flatMap((begun): Row<OrderStatus>[] => [
    { ...begun, paid: true, overdue: false, is: 'paid' },
    { ...begun, paid: true, overdue: true, is: 'past_due' },
    { ...begun, paid: false, attempt: [null, 'requires_action'], is: 'pending' },
    { ...begun, paid: false, attempt: 'processing', is: 'processing' },
    { ...begun, paid: false, attempt: 'failed', is: 'failed' },
  ]),
];

test('an order has the status that its subscription, invoices and charges say, in each of 896 combinations', () => {
  const all = combinations({
    collection: COLLECTIONS,
    status: SUBSCRIPTION_STATUSES,
    attempt: [null, 'processing', 'failed', 'requires_action'] as const,
    ...{ paid: EITHER, asked: EITHER, overdue: EITHER, reversed: EITHER },
  });
  expect(all.length).toBe(896);
  for (const facts of all) {
    // The first attempt is that of the payment by card, or of the first invoice.
    const { attempt, ...others } = facts;
    const [byCard, firstAttempt] = facts.collection === 'card' ? [attempt, null] : [null, attempt];
    const billed = { ...others, firstAttempt, refunded: cents(0) };
    const is = statusOf({ ...others, attempt: byCard }, billed);
    expect([facts, ...saidBy(TABLE, facts)]).toEqual([facts, is]);
  }
});

const UNPAID = ORDER_STATUSES.filter(awaitsPayment);
const BILLED = ['active', 'past_due', 'unpaid'];
const BILLABLE: Row<boolean>[] = [
  { order: ['paid', 'past_due'], is: true },
  { order: ['canceled', 'refunded'], is: false },
  { order: UNPAID, status: WAITING, is: true },
  { order: UNPAID, collection: 'card', status: BILLED, is: true },
  { order: UNPAID, collection: 'invoice', status: BILLED, is: false },
  { order: UNPAID, status: ['incomplete', 'canceled'], is: false },
];

test('a plan is its customer’s from its acceptance on, in each combination', () => {
  const of = { order: ORDER_STATUSES, collection: COLLECTIONS, status: SUBSCRIPTION_STATUSES };
  for (const { order, ...subscription } of combinations(of)) {
    const facts = { order, ...subscription };
    const is = isBillable({ status: order, subscription });
    expect([facts, ...saidBy(BILLABLE, facts)]).toEqual([facts, is]);
  }
});
