/**
 * Which order requests are valid, how months are added, what staff read of an order, and the filter
 * of their list.
 */
import { describe, expect, test } from 'vitest';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { INVOICE } from '../../tests/support/saved-order.ts';
import { type Actor, byCustomer, type Cause } from '../billing/cause.server.ts';
import { BY_CARD } from '../billing/invoice.ts';
import type { OrderEvent } from '../billing/order-event.server.ts';
import { cents } from '../platform/money.ts';
import { describeHistory } from './describe-event.server.ts';
import { orderRequest } from './order.ts';
import { ORDER_FILTER, readOrderHash } from './order-api.ts';
import { renewalWords, wordsOf } from './status-words.ts';

/** The validation errors as 'path: message'. */
function errorsIn(change: object): string[] {
  const { error } = orderRequest.safeParse({ ...SAMPLE_ORDER, ...change });
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

test('a private link opens when it was copied with the end of a sentence', () => {
  for (const end of ['.', ').', '%3E', ',%20thanks', '”'])
    expect(readOrderHash(`#12.c2ln-_Vk/to/pay/access/bmV3${end}`)).toMatchObject({
      ...{ token: '12.c2ln-_Vk', place: 'pay', access: 'bmV3' },
    });
  expect(readOrderHash('#12.c2ln-_Vk.').token).toBe('12.c2ln-_Vk');
});

describe('an order request', () => {
  test('needs only a plan, a name, an email address and the price', () => {
    const { planId, name, email, amount } = SAMPLE_ORDER;
    const wanted = { planId, name, email, amount };
    expect(orderRequest.parse(wanted)).toMatchObject({
      ...wanted,
      phone: null,
      company: null,
      ms365Option: 'none',
      ms365Users: 0,
      includeCloudBackup: false,
      paymentMethod: 'credit_card',
    });
  });

  test('with a blank company is for no company', () => {
    for (const company of ['', '   '])
      expect(orderRequest.parse({ ...SAMPLE_ORDER, company }).company).toBeNull();
  });

  test.each([
    ['the highest plan id that PostgreSQL can hold', { planId: 2 ** 31 - 1 }],
    ['a name of 100 characters', { name: 'x'.repeat(100) }],
    ['1,000 users', { ms365Option: 'e3', ms365Users: 1000 }],
    ['any number of users without Microsoft 365', { ms365Users: 5000 }],
  ])('may have %s', (_what, change) => {
    expect(errorsIn(change)).toEqual([]);
  });

  test.each([
    ['30060-1234', '30060-1234'],
    ['300601234', '30060-1234'],
    ['30060 – 1234', '30060-1234'],
    ['３００６０−１２３４', '30060-1234'],
    ['GA 30060', '30060'],
    ['3 0 0 6 0', '30060'],
  ])('may have a ZIP code written as %j, which is stored in one way', (typed, postalCode) => {
    expect(orderRequest.parse({ ...SAMPLE_ORDER, postalCode: typed })).toMatchObject({
      postalCode,
    });
  });

  const USERS_ERROR = 'ms365Users: Please enter a whole number from 1 to 1,000';
  test.each([
    ['another payment method', { paymentMethod: 'invoice' }, /^paymentMethod: /],
    ['a plan id above that', { planId: 2 ** 31 }, /^planId: /],
    ['a name of 1 character', { name: 'A' }, 'name: Name must be at least 2 characters'],
    ['a name of 101', { name: 'x'.repeat(101) }, 'name: Please use at most 100 characters'],
    ['a control character in the company', { company: 'a\u0007b' }, /^company: /],
    ['no users for Microsoft 365', { ms365Option: 'e3', ms365Users: 0 }, USERS_ERROR],
    ['1,001 users', { ms365Option: 'business_premium', ms365Users: 1001 }, USERS_ERROR],
    ['half a user', { ms365Option: 'business_standard', ms365Users: 1.5 }, USERS_ERROR],
    [
      'a ZIP code of ten digits',
      { postalCode: '3006012345' },
      'postalCode: The ZIP code must have 5 digits, such as 30060',
    ],
    ['a Canadian code', { postalCode: 'K1A 0B1' }, /^postalCode: The ZIP code/],
  ])('is refused with %s', (_what, change, fault) => {
    expect(errorsIn(change)).toEqual([expect.stringMatching(fault)]);
  });
});

const STAFF: Actor = { is: 'staff', account: 1, name: 'admin' };

/** What staff read of these events, the first of which has the id 1. */
function described(...happened: [event: OrderEvent, cause: Cause][]) {
  const events = happened.map(([event, { actor, reason = null, causeId = null }], index) => ({
    ...{ id: index + 1, at: index, event, actor, reason, causeId, snapshot: null },
  }));
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return describeHistory({ events, references: new Map(), nameOf: () => null, day });
}

test('staff read each change of an order once, in plain words', () => {
  const report = { id: 'evt_1', type: 'invoice.paid' };
  const byEvent: Cause = { actor: { is: 'provider', name: 'Acme Pay', event: report } };
  const sums = { amount: cents(50_00), total: cents(50_00) };
  const month = { ...INVOICE, amount: cents(450_00), periodStart: 1 };
  const by = (causeId?: number): Cause => ({ actor: STAFF, causeId });
  const { history, changes } = described(
    [{ kind: 'status', to: 'pending', passing: false }, byCustomer('placed')],
    [{ kind: 'status', to: 'processing', passing: true }, byEvent],
    [{ kind: 'status', to: 'paid', passing: false }, byEvent],
    [{ kind: 'refund-asked', amount: cents(50_00), confirmed: true }, by()],
    [{ kind: 'refunded', ...sums, running: true, lost: false }, by(4)],
    [{ kind: 'renewed', invoices: [month], running: true }, byEvent],
    [{ kind: 'end-asked', when: 'period-end', confirmed: true }, by()],
    [{ kind: 'ending', endsAt: Date.UTC(2026, 11, 20) }, by(7)],
    [{ kind: 'end-asked', when: 'now', confirmed: true }, by()],
    [{ kind: 'status', to: 'canceled', passing: false }, by(9)],
  );
  expect(changes.map(({ status, text }) => [status, text])).toEqual([
    ['pending', 'order placed'],
    ['paid', 'reported by Acme Pay'],
    [null, '$50.00 refunded by admin'],
    [null, 'Renewed: $450.00 (reported by Acme Pay)'],
    [null, 'The subscription ends on 2026-12-20 (Set to end by admin)'],
    ['canceled', 'Ended immediately by admin'],
  ]);
  expect(history.map(({ status, cause }) => [status, cause])).toEqual([
    ['pending', 'order placed'],
    ['processing', 'reported by Acme Pay (event invoice.paid, evt_1)'],
    ['paid', 'reported by Acme Pay (event invoice.paid, evt_1)'],
    ['canceled', 'Ended immediately by admin'],
  ]);
});

test('staff read once of a refund that ends an order', () => {
  const all = cents(525_00);
  const came: OrderEvent[] = [
    { kind: 'confirmed' },
    { kind: 'status', to: 'paid', passing: true },
    { kind: 'status', to: 'refunded', passing: false },
    { kind: 'refunded', amount: all, total: all, running: false, lost: false },
  ];
  const { changes } = described(
    [{ kind: 'refund-asked', amount: all }, { actor: STAFF }],
    ...came.map((event): [OrderEvent, Cause] => [event, { actor: STAFF, causeId: 1 }]),
  );
  expect(changes.map(({ status, text }) => [status, text])).toEqual([
    ['refunded', '$525.00 refunded by admin'],
  ]);
});

test('staff read what became of an invoice with the status that it led to', () => {
  const cause: Cause = { actor: { is: 'provider', name: 'Acme Pay', event: null } };
  const status = { kind: 'status', to: 'processing', passing: false } as const;
  const state = 'debit_under_way';
  const texts = (...events: OrderEvent[]) =>
    described(...events.map((event): [OrderEvent, Cause] => [event, cause])).changes.map(
      ({ text }) => text,
    );
  const underWay = 'Bank debit under way (status checked at Acme Pay)';
  expect(texts({ ...status, invoiceState: state })).toEqual([underWay]);
  // Release 1.1.6 stored it as an event of its own.
  expect(texts(status, { kind: 'invoice-state', state })).toEqual([
    'status checked at Acme Pay',
    underWay,
  ]);
});

test.each([
  ['', { search: '', status: '', from: '', to: '', page: 1 }],
  [
    'find=jane+doe&status=past_due&from=2026-11-20&to=2026-11-21&page=2',
    { search: 'jane doe', status: 'past_due', from: '2026-11-20', to: '2026-11-21', page: 2 },
  ],
] as const)(
  'the filter of staff’s list survives being written to an address and read again: %s',
  (query, filter) => {
    expect(ORDER_FILTER.read(new URLSearchParams(query))).toEqual(filter);
    expect(`${ORDER_FILTER.write(filter)}`).toBe(query);
  },
);

describe('a customer who pays by invoice reads', () => {
  test.each([
    ['pending', 'overdue', 'Invoice overdue', undefined],
    ['past_due', 'debit_returned', 'Bank debit returned', undefined],
    ['paid', 'sent', 'Paid', 'Invoice sent'],
    // Staff voided one month of a running plan.
    ['paid', 'void', 'Paid', undefined],
    ['canceled', 'void', 'Canceled', undefined],
    // The last month is still to be paid.
    ['canceled', 'overdue', 'Canceled', 'Invoice overdue'],
    ['refunded', 'paid', 'Refunded', undefined],
  ] as const)(
    'of an order that is %s and its invoice %s: %s, %s',
    (status, invoiceState, ...read) => {
      const payment = { collection: 'invoice' as const, state: invoiceState, dueDay: null };
      const state = { status, payment };
      const words = wordsOf(state);
      expect([words?.customer, renewalWords(state)?.customer]).toEqual(read);
      expect(words?.next).not.toContain('card');
    },
  );
});

test('a customer whose first month could not be charged on its start day reads that it is owed, beside its price', () => {
  const words = wordsOf({ status: 'failed', payment: BY_CARD, billable: true });
  expect(words).toMatchObject({ staff: 'Failed', customer: 'Payment overdue' });
  expect(words?.next).toContain('Please enter a new card');
  expect(words?.unsold).toBeUndefined();
});

test('a customer whose plan is set to end by its start day reads that it will not start', () => {
  const order = { status: 'processing', payment: BY_CARD, billable: true } as const;
  const words = wordsOf({ ...order, startsOn: '2027-01-04', endsAt: '2027-01-04T17:00:00.000Z' });
  expect(words?.customer).toBe('Will not start');
  expect(words?.next).not.toContain('the monthly total is charged');
});

test('a customer whose plan is billed by agreement reads of no monthly total, nor of a first month', () => {
  const order = { payment: BY_CARD, billable: true, byAgreement: true };
  for (const startsOn of [null, '2027-01-04'])
    for (const status of ['processing', 'paid'] as const)
      expect(wordsOf({ ...order, status, startsOn })?.next).toContain('as we agreed with you');
});

test('a customer whose card is charged again reads of the invoice that is still owed, and of no other to come', () => {
  const payment = { collection: 'card' as const, state: 'overdue' as const, dueDay: '2026-02-01' };
  const state = { status: 'paid' as const, payment };
  expect([wordsOf(state)?.customer, renewalWords(state)?.customer]).toEqual([
    'Paid',
    'Invoice overdue',
  ]);
  expect(wordsOf(state)?.next).toContain('is charged every month');
  const sent = { status: 'past_due' as const, payment: { ...payment, state: 'sent' as const } };
  expect(wordsOf(sent)?.customer).toBe('Payment overdue');
});
