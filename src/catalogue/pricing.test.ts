import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import { oraclePrice } from '../../tests/support/price-oracle.ts';
import { cents, formatDollars, fromDollars } from '../platform/money.ts';
import { addOnPricesAt } from './catalogue-content.server.ts';
import { MAX_USERS, MS365_OPTIONS, monthlyPrice, planFor, readCount } from './pricing.ts';

const { addOns, plans } = ownContent();
const prices = addOnPricesAt(addOns, new Date());

describe('a monthly price', () => {
  test('equals an independent oracle, to the cent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000_000 }),
        fc.constantFrom(...MS365_OPTIONS),
        fc.integer({ min: 1, max: MAX_USERS }),
        fc.boolean(),
        (planCents, option, users, backup) => {
          const choice = { ms365Option: option, ms365Users: users, includeCloudBackup: backup };
          const { lines, total } = monthlyPrice(
            { name: 'Any', price: cents(planCents) },
            choice,
            prices,
          );
          expect(total).toBe(oraclePrice({ planCents, option, users, backup }));
          expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(total);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('has a line for the plan and one for each add-on, which say what they are', () => {
    const choice = { ms365Option: 'e3' as const, ms365Users: 3, includeCloudBackup: true };
    const { lines } = monthlyPrice({ name: 'Any', price: cents(100) }, choice, prices);
    expect(lines.map(({ kind, label, quantity }) => [kind, label, quantity])).toEqual([
      ['plan', 'Any', 1],
      ['microsoft365', prices.microsoft365.e3.label, 3],
      ['backup', prices.cloudBackup.label, 3],
    ]);
  });

  test('without a Microsoft 365 option is that of the plan alone, whatever else is chosen', () => {
    const choice = { ms365Option: 'none' as const, ms365Users: 5000, includeCloudBackup: true };
    const { lines, total } = monthlyPrice({ name: 'Any', price: cents(100) }, choice, prices);
    expect([lines.map(({ kind }) => kind), total]).toEqual([['plan'], 100]);
  });

  test('that nobody has set for a day is named, and not guessed', () => {
    const inForce = (rows: typeof addOns) => () => addOnPricesAt(rows, new Date('2027-03-01'));
    const missing = (what: string) => `no price for ${what} holds on 2027-03-01`;
    expect(inForce({ ...addOns, microsoft365: [] })).toThrow(missing('business_standard'));
    expect(inForce({ ...addOns, cloudBackup: [] })).toThrow(missing('cloudBackup'));
  });

  test('holds from its day on and not before', () => {
    const raised = {
      label: 'Microsoft 365 E3',
      option: 'e3' as const,
      pricePerUser: cents(4000),
      from: '2027-03-01',
    };
    const rows = { ...addOns, microsoft365: [...addOns.microsoft365, raised] };
    const on = (day: string) => addOnPricesAt(rows, new Date(day)).microsoft365.e3.pricePerUser;
    expect(on('2027-02-28T23:59:59.999Z')).toBe(3600);
    expect(on('2027-03-01T00:00:00Z')).toBe(4000);
  });
});

describe('the plan that fits', () => {
  test.each([
    [10, 'Essential'],
    [11, 'Professional'],
    [250, 'Enterprise'],
  ])('%i people: %s', (people, name) => {
    for (const offered of [plans, plans.toReversed()])
      expect(planFor(people, offered)?.name).toBe(name);
  });

  test('is the cheaper of two of one size, and none where nothing is sold', () => {
    const dearer = plans.map((plan) => ({ ...plan, id: plan.id + 5, price: cents(900_000) }));
    for (const people of [5, 60])
      expect(planFor(people, [...dearer, ...plans])).toEqual(planFor(people, plans));
    expect(planFor(1, [])).toBeUndefined();
  });
});

test('a count is a whole number from 1 to the most that is sold, in digits', () => {
  const taken = ['1', '9', '020', '250', '1000'].map((text) => readCount(text));
  expect(taken).toEqual([1, 9, 20, 250, 1000]);
  for (const text of ['', '0', '1001', '-1', '+5', '12.5', '1e2', 'abc', ' 5', '٣'])
    expect([text, readCount(text)]).toEqual([text, undefined]);
  expect(readCount('251', 250)).toBeUndefined();
});

describe('money', () => {
  test('is read from dollars only when they are whole cents', () => {
    expect([0, 0.1, 12.5, 4.95, 19.99, 1950, 999_999.99].map(fromDollars)).toEqual([
      0, 10, 1250, 495, 1999, 195_000, 99_999_999,
    ]);
    for (const wrong of [0.001, 12.345, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => fromDollars(wrong)).toThrow(RangeError);
    }
    for (const wrong of [0.5, Number.NaN, 2 ** 53]) {
      expect(() => cents(wrong)).toThrow(RangeError);
    }
  });

  test('is shown with two decimals', () => {
    expect([0, 5, 1250, 195_000].map((amount) => formatDollars(cents(amount)))).toEqual([
      '$0.00',
      '$0.05',
      '$12.50',
      '$1,950.00',
    ]);
  });
});
