/** What a change in the middle of a month comes to agrees with a count of its own, to the cent. */
import { describe, expect, test } from 'vitest';
import { oracleBills, oracleDifference, oracleMonth } from '../../../tests/support/bill-oracle.ts';
import { randomStory, seeded } from '../../../tests/support/random-changes.ts';
import type { PriceLine } from '../../catalogue/pricing.ts';
import { cents } from '../../platform/money.ts';
import { chargeOf, difference, monthly } from './proration.ts';
import { periodOf } from './test-subscription-store.server.ts';

const users = (quantity: number, unitPrice = 100): PriceLine[] => [
  {
    kind: 'microsoft365',
    label: 'Users',
    unitPrice: cents(unitPrice),
    quantity,
    amount: cents(unitPrice * quantity),
  },
];
const MONTH = { periodStart: 0, periodEnd: 30 * 86_400_000 };

describe('the difference for the rest of a month', () => {
  test('is what is left of the new lines less what is left of the old ones', () => {
    expect(difference(users(10), users(12), { ...MONTH, at: 15 * 86_400_000 })).toBe(100);
    expect(difference(users(12), users(10), { ...MONTH, at: 15 * 86_400_000 })).toBe(-100);
    expect(difference(users(10), users(12), { ...MONTH, at: 0 })).toBe(200);
  });

  test('rounds each line by itself, half a cent away from zero', () => {
    const half = { ...MONTH, at: 15 * 86_400_000 };
    expect(difference([], users(1, 1), half)).toBe(1);
    expect(difference(users(1, 1), [], half)).toBe(-1);
    expect(difference(users(1, 1), users(1, 3), half)).toBe(1);
    expect(difference([], users(-1, 1), half)).toBe(-1);
  });

  test('is nothing for lines that stay as they are', () => {
    expect(difference(users(7), users(7), { ...MONTH, at: 1_000 })).toBe(0);
  });
});

test('a bill of less than nothing charges nothing and leaves a credit', () => {
  expect([chargeOf(5), chargeOf(0), chargeOf(-5)]).toEqual([
    { charge: 5, credit: 0 },
    { charge: 0, credit: 0 },
    { charge: 0, credit: 5 },
  ]);
});

test('thousands of random changes, and the two bills after them, come to what an independent count says', () => {
  const random = seeded(20261121);
  for (let round = 0; round < 4_000; round += 1) {
    const { start, first, changes } = randomStory(random);
    const { periodStart, periodEnd } = periodOf(start, 0);
    expect([periodStart, periodEnd]).toEqual([start, oracleMonth(start, 1)]);
    let lines = first;
    let sum = 0;
    for (const change of changes) {
      const found = difference(lines, change.lines, { periodStart, periodEnd, at: change.at });
      expect(BigInt(found)).toBe(oracleDifference(lines, change, periodStart, periodEnd));
      lines = change.lines;
      sum += found;
    }
    const second = chargeOf(monthly(lines) + sum);
    const third = chargeOf(monthly(lines) - second.credit);
    expect([second.charge, third.charge]).toEqual(oracleBills(first, changes, start));
    expect(monthly(first)).toBe(
      first.reduce((sum, each) => sum + each.unitPrice * each.quantity, 0),
    );
  }
});

test('months keep the day of the first one, through short months and leap years', () => {
  const start = Date.UTC(2027, 0, 31, 12, 30, 5);
  const days = [1, 2, 3, 13].map((months) => new Date(periodOf(start, months).periodStart));
  expect(days.map((day) => day.toISOString())).toEqual([
    '2027-02-28T12:30:05.000Z',
    '2027-03-31T12:30:05.000Z',
    '2027-04-30T12:30:05.000Z',
    '2028-02-29T12:30:05.000Z',
  ]);
});
