/** Each combination of what is known of a subscription has one status. */
import { expect, test } from 'vitest';
import { cents } from '../platform/money.ts';
import {
  awaitsPayment,
  isBillable,
  ORDER_STATUSES,
  type OrderStatus,
  statusOf,
} from './order-status.ts';
import { COLLECTIONS, SUBSCRIPTION_STATUSES } from './subscription.ts';

const ATTEMPTS = [null, 'processing', 'failed', 'requires_action'] as const;
const EITHER = [true, false];

/** What a row says nothing of may be anything. */
interface Row {
  by?: string;
  subscription?: readonly string[];
  attempt?: readonly (string | null)[];
  paid?: boolean;
  asked?: boolean;
  overdue?: boolean;
  reversed?: boolean;
  is: OrderStatus;
}

const KEPT = { reversed: false };
const FIRST_BY_CARD = { ...KEPT, by: 'card', subscription: ['incomplete'], paid: false };
const LATER_BY_CARD = { ...KEPT, by: 'card', subscription: ['incomplete', 'paused'], paid: true };
const LIVE = ['incomplete', 'active', 'past_due', 'unpaid'];
const WAITING = ['trialing', 'paused'];
const BEGUN = [{ subscription: LIVE }, { subscription: WAITING, asked: true }];
const FIRST_INVOICE = { ...KEPT, by: 'invoice', paid: false };
const LATER_INVOICE = { ...KEPT, by: 'invoice', paid: true };

const TABLE: Row[] = [
  { reversed: true, is: 'refunded' },
  { ...KEPT, subscription: ['canceled'], is: 'canceled' },
  { ...KEPT, by: 'invoice', subscription: WAITING, asked: false, is: 'processing' },
  { ...KEPT, by: 'card', subscription: WAITING, paid: false, is: 'processing' },
  { ...KEPT, by: 'card', subscription: ['trialing'], paid: true, is: 'paid' },
  { ...KEPT, by: 'card', subscription: ['active'], paid: true, is: 'paid' },
  { ...KEPT, by: 'card', subscription: ['active'], paid: false, is: 'processing' },
  { ...KEPT, by: 'card', subscription: ['past_due', 'unpaid'], paid: true, is: 'past_due' },
  { ...KEPT, by: 'card', subscription: ['past_due', 'unpaid'], paid: false, is: 'failed' },
  { ...LATER_BY_CARD, overdue: false, is: 'paid' },
  { ...LATER_BY_CARD, overdue: true, is: 'past_due' },
  { ...FIRST_BY_CARD, attempt: [null], is: 'pending' },
  { ...FIRST_BY_CARD, attempt: ['processing', 'requires_action'], is: 'processing' },
  { ...FIRST_BY_CARD, attempt: ['failed'], is: 'failed' },
  ...BEGUN.flatMap((begun): Row[] => [
    { ...LATER_INVOICE, ...begun, overdue: false, is: 'paid' },
    { ...LATER_INVOICE, ...begun, overdue: true, is: 'past_due' },
    { ...FIRST_INVOICE, ...begun, attempt: [null, 'requires_action'], is: 'pending' },
    { ...FIRST_INVOICE, ...begun, attempt: ['processing'], is: 'processing' },
    { ...FIRST_INVOICE, ...begun, attempt: ['failed'], is: 'failed' },
  ]),
];

function* combinations() {
  for (const by of COLLECTIONS)
    for (const subscription of SUBSCRIPTION_STATUSES)
      for (const attempt of ATTEMPTS)
        for (const paid of EITHER)
          for (const asked of EITHER)
            for (const overdue of EITHER)
              for (const reversed of EITHER)
                yield { by, subscription, attempt, paid, asked, overdue, reversed };
}

test('an order has the status that its subscription, invoices and charges say, in each of 896 combinations', () => {
  let seen = 0;
  for (const facts of combinations()) {
    const { by: collection, subscription: status, attempt, ...billed } = facts;
    const rows = TABLE.filter(
      (row) =>
        (row.by ?? collection) === collection &&
        (row.subscription?.includes(status) ?? true) &&
        (row.attempt?.includes(attempt) ?? true) &&
        (row.paid ?? billed.paid) === billed.paid &&
        (row.asked ?? billed.asked) === billed.asked &&
        (row.overdue ?? billed.overdue) === billed.overdue &&
        (row.reversed ?? billed.reversed) === billed.reversed,
    );
    // The first attempt is that of the payment by card, or of the first invoice.
    const byCard = collection === 'card';
    const subscription = { collection, status, attempt: byCard ? attempt : null };
    const firstAttempt = byCard ? null : attempt;
    const is = statusOf(subscription, { ...billed, firstAttempt, refunded: cents(0) });
    expect([facts, is]).toEqual([facts, rows[0]?.is]);
    expect([facts, rows.length]).toEqual([facts, 1]);
    seen += 1;
  }
  expect(seen).toBe(896);
});

const UNPAID = ORDER_STATUSES.filter(awaitsPayment);
const BILLED = ['active', 'past_due', 'unpaid'];
const BILLABLE: (Pick<Row, 'by' | 'subscription'> & { status: string[]; is: boolean })[] = [
  { status: ['paid', 'past_due'], is: true },
  { status: ['canceled', 'refunded'], is: false },
  { status: UNPAID, subscription: WAITING, is: true },
  { status: UNPAID, by: 'card', subscription: BILLED, is: true },
  { status: UNPAID, by: 'invoice', subscription: BILLED, is: false },
  { status: UNPAID, subscription: ['incomplete', 'canceled'], is: false },
];

test('a plan is its customer’s from its acceptance on, in each combination', () => {
  for (const status of ORDER_STATUSES)
    for (const collection of COLLECTIONS)
      for (const state of SUBSCRIPTION_STATUSES) {
        const rows = BILLABLE.filter(
          (row) =>
            row.status.includes(status) &&
            (row.by ?? collection) === collection &&
            (row.subscription?.includes(state) ?? true),
        );
        const is = isBillable({ status, subscription: { collection, status: state } });
        expect([status, collection, state, ...rows.map((row) => row.is)]).toEqual([
          ...[status, collection, state],
          is,
        ]);
      }
});
