/** What may be ordered and refunded, months and taxes, and the addresses of an order and of the list. */
import { describe, expect, test } from 'vitest';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { monthsLater, orderRequest, salesTax } from './order.ts';
import {
  REFUND_ORDER,
  readOrderFilter,
  readOrderHash,
  writeOrderFilter,
  writeOrderHash,
} from './order-api.ts';

/** Where the order is wrong, and what is said there; nothing for one that is taken. */
function faultsOf(change: object): string[] {
  const { error } = orderRequest.safeParse({ ...SAMPLE_ORDER, ...change });
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('an order', () => {
  test('needs a plan, a buyer and the price alone', () => {
    const { planId, name, email, amount } = SAMPLE_ORDER;
    const wanted = { planId, name, email, amount };
    expect(orderRequest.parse(wanted)).toMatchObject({
      ...wanted,
      ...{ phone: null, company: null, ms365Option: 'none', ms365Users: 0 },
      ...{ includeCloudBackup: false, paymentMethod: 'credit_card' },
    });
  });

  test('for no company is what has spaces alone in its place', () => {
    for (const company of ['', '   '])
      expect(orderRequest.parse({ ...SAMPLE_ORDER, company }).company).toBeNull();
  });

  test.each([
    ['a plan whose number the database can hold', { planId: 2 ** 31 - 1 }],
    ['a name of 2 characters', { name: 'Al' }],
    ['a name of 100', { name: 'x'.repeat(100) }],
    ['1,000 users', { ms365Option: 'e3', ms365Users: 1000 }],
    ['any number of users without Microsoft 365', { ms365Users: 5000 }],
    ['a ZIP code', { postalCode: '30060' }],
    ['a ZIP code with its four digits more', { postalCode: '30060-1234' }],
  ])('may have %s', (_what, change) => {
    expect(faultsOf(change)).toEqual([]);
  });

  const WRONG_USERS = 'ms365Users: Please enter a whole number from 1 to 1,000';
  test.each([
    ['another way to pay', { paymentMethod: 'invoice' }, /^paymentMethod: /],
    ['a larger number of a plan', { planId: 2 ** 31 }, /^planId: /],
    ['a name of 1 character', { name: 'A' }, 'name: Name must be at least 2 characters'],
    ['a name of 101', { name: 'x'.repeat(101) }, 'name: Please use at most 100 characters'],
    ['a company of 101', { company: 'x'.repeat(101) }, /^company: /],
    ['a company with a bell in it', { company: 'a\u0007b' }, /^company: /],
    ['no users with an option', { ms365Option: 'e3', ms365Users: 0 }, WRONG_USERS],
    ['1,001 users', { ms365Option: 'business_premium', ms365Users: 1001 }, WRONG_USERS],
    ['half a user', { ms365Option: 'business_standard', ms365Users: 1.5 }, WRONG_USERS],
    ['fewer than none', { ms365Users: -1 }, WRONG_USERS],
    [
      'a ZIP code of ten digits',
      { postalCode: '3006012345' },
      'postalCode: The ZIP code must have 5 digits, such as 30060',
    ],
  ])('is refused with %s', (_what, change, fault) => {
    expect(faultsOf(change)).toEqual([expect.stringMatching(fault)]);
  });
});

test('the sales tax is what the first bill asks for on top of the amount', () => {
  expect(salesTax({ amountCents: 450_00, dueCents: 486_00 })).toBe(36_00);
  expect(salesTax({ amountCents: 450_00, dueCents: null })).toBe(0);
});

test.each([
  ['2026-12-31T23:59:59.000Z', 1, '2027-01-31T23:59:59.000Z'],
  ['2026-01-31T00:00:00.000Z', 1, '2026-02-28T00:00:00.000Z'],
  ['2028-01-31T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
  ['2026-08-31T12:00:00.000Z', 15, '2027-11-30T12:00:00.000Z'],
])('%s and %i months more is %s', (start, months, later) => {
  expect(monthsLater(new Date(start), months).toISOString()).toBe(later);
});

test.each([
  ['', { words: '', status: '', page: 1 }],
  ['find=jane+doe&status=past_due&page=2', { words: 'jane doe', status: 'past_due', page: 2 }],
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
  expect([0, -1, 1.234, 10_000_000.01].map(takes)).not.toContain(true);
});

test.each([
  { token: '', receipt: null, access: null },
  { token: '12.AbC-_x', receipt: 'in_1Q2', access: null },
  { token: '12.AbC-_x', receipt: null, access: 'k-Y_1' },
])('a link holds $token, $receipt and $access in its fragment', (route) => {
  expect(readOrderHash(writeOrderHash(route))).toEqual(route);
});
