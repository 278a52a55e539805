import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownContent, todaysAddOnPrices } from '../../tests/support/own-content.ts';
import { localDate } from '../company/days.ts';
import { MAX_USERS } from '../limits.ts';
import { cents } from '../platform/money.ts';
import { LIST_PLANS } from './catalogue.ts';
import { addOnPricesOn } from './catalogue-content.server.ts';
import { cheaperPlan, monthlyPrice, planFor, readCount } from './pricing.ts';

const content = ownContent();
const { addOns, plans, company } = content;
const prices = todaysAddOnPrices(content);

describe('a monthly price', () => {
  test('is the plan, and the specification’s prices for each user, to the cent', () => {
    const perUser = { none: 0, business_standard: 1_250, business_premium: 2_200, e3: 3_600 };
    const backupPerUser = 495;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000_000 }),
        fc.constantFrom('none', 'business_standard', 'business_premium', 'e3'),
        fc.integer({ min: 1, max: MAX_USERS }),
        fc.boolean(),
        (planCents, option, users, backup) => {
          const choice = { ms365Option: option, ms365Users: users, includeCloudBackup: backup };
          const { lines, total } = monthlyPrice(
            { name: 'Any', price: cents(planCents) },
            choice,
            prices,
          );
          const each = perUser[option] + (backup ? backupPerUser : 0);
          expect(total).toBe(planCents + (option === 'none' ? 0 : users * each));
          expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(total);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('of an add-on applies from midnight of its day at the company', () => {
    const raised = {
      label: 'Microsoft 365 E3',
      option: 'e3' as const,
      pricePerUser: cents(4000),
      from: '2027-03-01',
    };
    const rows = { ...addOns, microsoft365: [...addOns.microsoft365, raised] };
    const at = (time: string) =>
      addOnPricesOn(rows, localDate(company, Date.parse(time))).microsoft365.e3?.pricePerUser;
    expect(at('2027-02-28T23:59:59.999-05:00')).toBe(3600);
    expect(at('2027-03-01T00:00:00-05:00')).toBe(4000);
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

  test('is the cheaper one of two of the same size, and none without plans', () => {
    const dearer = plans.map((plan) => ({ ...plan, id: plan.id + 5, price: cents(900_000) }));
    for (const people of [5, 60])
      expect(planFor(people, [...dearer, ...plans])).toEqual(planFor(people, plans));
    expect(planFor(1, [])).toBeUndefined();
  });
});

test('the next cheaper plan is offered beside the one that fits, and nothing below the cheapest', () => {
  const names = plans.map((plan) => [plan.name, cheaperPlan(plan, plans)?.name]);
  expect(names).toEqual([
    ['Essential', undefined],
    ['Professional', 'Essential'],
    ['Enterprise', 'Professional'],
  ]);
});

test.each([
  ['essential', {}, 10],
  ['PROFESSIONAL', {}, 20],
  ['Enterprise', { users: 0 }, 50],
  ['Harbor', {}, 1],
  ['Enterprise', { users: 35 }, 35],
])('the plan %s %j is sized for %i users', (name, change, users) => {
  const [plan] = LIST_PLANS.answer.parse([{ id: 7, name, price: 1, features: [], ...change }]);
  expect(plan?.users).toBe(users);
});

test('a number of users is read from digits only, from 1 to the maximum', () => {
  const accepted = ['1', '9', '020', '250', '1000'].map((text) => readCount(text));
  expect(accepted).toEqual([1, 9, 20, 250, 1000]);
  for (const text of ['', '0', '1001', '-1', '+5', '12.5', '1e2', 'abc', ' 5', '٣'])
    expect([text, readCount(text)]).toEqual([text, undefined]);
  expect(readCount('251', 250)).toBeUndefined();
});

test('money is a whole number of cents', () => {
  for (const wrong of [0.5, Number.NaN, 2 ** 53]) expect(() => cents(wrong)).toThrow(RangeError);
});
