/** What may be ordered, and which status leads where. */
import { describe, expect, test } from 'vitest';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import {
  awaitsPayment,
  isOver,
  isRunning,
  mayFollow,
  monthsLater,
  ORDER_STATUSES,
  type OrderStatus,
  orderRequest,
  salesTax,
} from './order.ts';
import { hashOf, REFUND_ORDER, readOrderFilter, readRoute, writeOrderFilter } from './order-api.ts';

/** Where the order is wrong, and what is said there; nothing for one that is taken. */
function faultsOf(change: object): string[] {
  const { error } = orderRequest.safeParse({ ...SAMPLE_ORDER, ...change });
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

const WRONG_USERS = ['ms365Users: Please enter a whole number from 1 to 1,000'];

describe('an order', () => {
  test('needs a plan, a buyer and the price alone', () => {
    const { planId, name, email, amount } = SAMPLE_ORDER;
    expect(orderRequest.parse({ planId, name, email, amount })).toEqual({
      planId,
      name,
      email,
      amount,
      phone: null,
      company: null,
      ms365Option: 'none',
      ms365Users: 0,
      includeCloudBackup: false,
      another: false,
      paymentMethod: 'credit_card',
    });
  });

  test('is paid by card', () => {
    expect(faultsOf({ paymentMethod: 'credit_card' })).toEqual([]);
    expect(faultsOf({ paymentMethod: '' })).toHaveLength(1);
    expect(faultsOf({ paymentMethod: 'invoice' })).toHaveLength(1);
  });

  test('names a plan by a number that the database can hold', () => {
    for (const planId of [1, 2 ** 31 - 1]) expect(faultsOf({ planId })).toEqual([]);
    for (const planId of [0, 2 ** 31, 1.5]) expect(faultsOf({ planId })).toHaveLength(1);
  });

  test('has a buyer with a name of 2 to 100 characters', () => {
    for (const name of ['Al', 'x'.repeat(100)]) expect(faultsOf({ name })).toEqual([]);
    expect(faultsOf({ name: 'A' })).toEqual(['name: Name must be at least 2 characters']);
    const tooLong = faultsOf({ name: 'x'.repeat(101) });
    expect(tooLong).toEqual(['name: Please use at most 100 characters']);
  });

  test.each(['business_standard', 'business_premium', 'e3'])(
    'with %s is for 1 to 1,000 users',
    (ms365Option) => {
      for (const ms365Users of [1, 1000]) expect(faultsOf({ ms365Option, ms365Users })).toEqual([]);
      for (const ms365Users of [0, 1001, 1.5]) {
        expect(faultsOf({ ms365Option, ms365Users })).toEqual(WRONG_USERS);
      }
    },
  );

  test('without Microsoft 365 may name any number of users that can be kept', () => {
    for (const ms365Users of [0, 5000, 2 ** 31 - 1]) expect(faultsOf({ ms365Users })).toEqual([]);
    for (const ms365Users of [-1, 2 ** 31]) expect(faultsOf({ ms365Users })).toEqual(WRONG_USERS);
  });

  test('may tell a ZIP code, in one of two forms', () => {
    for (const postalCode of ['30060', '30060-1234']) expect(faultsOf({ postalCode })).toEqual([]);
    const wrong = 'postalCode: The ZIP code must have 5 digits, such as 30060';
    expect(faultsOf({ postalCode: '3006012345' })).toEqual([wrong]);
    const tooLong = 'postalCode: Please use at most 10 characters';
    expect(faultsOf({ postalCode: '30060-12345' })).toEqual([tooLong]);
  });
});

const NEXT: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['processing', 'failed', 'canceled'],
  processing: ['paid', 'failed', 'canceled'],
  failed: ['processing'],
  paid: ['past_due', 'refunded', 'canceled'],
  past_due: ['paid', 'canceled'],
  canceled: [],
  refunded: [],
};

describe('a status', () => {
  const those = (are: (status: OrderStatus) => boolean) => ORDER_STATUSES.filter(are);

  test('says whether a payment is awaited, whether it is charged every month, and whether all is over', () => {
    expect(those(awaitsPayment)).toEqual(['pending', 'processing', 'failed']);
    expect(those(isRunning)).toEqual(['paid', 'past_due']);
    expect(those(isOver)).toEqual(['canceled', 'refunded']);
  });

  test.each(ORDER_STATUSES)('%s is followed by those of the contract', (from) => {
    expect(those((to) => mayFollow(from, to, 'staff')).sort()).toEqual([...NEXT[from]].sort());
    const told: OrderStatus[] = from === 'pending' ? ['paid'] : [];
    const expected = [...NEXT[from], ...told].sort();
    expect(those((to) => mayFollow(from, to, 'provider')).sort()).toEqual(expected);
  });
});

test('the sales tax is what the first bill asks for on top of the amount', () => {
  expect(salesTax({ amountCents: 450_00, dueCents: 486_00 })).toBe(36_00);
  expect(salesTax({ amountCents: 450_00, dueCents: null })).toBe(0);
  expect(salesTax({ amountCents: 0, dueCents: null })).toBe(0);
  // A credit covers some of it.
  expect(salesTax({ amountCents: 450_00, dueCents: 100_00 })).toBe(0);
});

test.each([
  ['2026-11-20T14:00:00.000Z', 1, '2026-12-20T14:00:00.000Z'],
  ['2026-12-31T23:59:59.000Z', 1, '2027-01-31T23:59:59.000Z'],
  ['2026-01-31T00:00:00.000Z', 1, '2026-02-28T00:00:00.000Z'],
  ['2028-01-31T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
  ['2026-01-31T00:00:00.000Z', 2, '2026-03-31T00:00:00.000Z'],
  ['2026-08-31T12:00:00.000Z', 15, '2027-11-30T12:00:00.000Z'],
])('%s and %i months more is %s', (start, months, later) => {
  expect(monthsLater(new Date(start), months).toISOString()).toBe(later);
});

test.each([
  ['', { words: '', status: '', page: 1 }],
  ['find=jane+doe', { words: 'jane doe', status: '', page: 1 }],
  ['find=jane&status=past_due&page=2', { words: 'jane', status: 'past_due', page: 2 }],
] as const)(
  'the list’s filter is written into an address and read from it: %s',
  (query, filter) => {
    expect(readOrderFilter(new URLSearchParams(query))).toEqual(filter);
    expect(`${writeOrderFilter(filter)}`).toBe(query);
  },
);

test('a refund is of whole cents, up to ten million dollars', () => {
  const takes = (amount: number | null) => REFUND_ORDER.body.safeParse({ amount }).success;
  expect([null, 0.01, 12.5, 10_000_000].map(takes)).not.toContain(false);
  expect([0, -1, 0.009, 1.234, 10_000_000.01].map(takes)).not.toContain(true);
});

test.each([
  { token: '', receipt: null, access: null },
  { token: '12.AbC-_x', receipt: 'in_1Q2', access: null },
  { token: '12.AbC-_x', receipt: null, access: 'k-Y_1' },
])('a link holds $token, $receipt and $access in its fragment', (route) => {
  expect(readRoute(hashOf(route))).toEqual(route);
});
