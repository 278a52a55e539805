/** What a change in the middle of a month comes to agrees with a count of its own, to the cent. */
import { expect, test } from 'vitest';
import { oracleBills, oracleDifferences } from '../../../tests/support/bill-oracle.ts';
import { randomStory, seeded } from '../../../tests/support/random-changes.ts';
import { line } from '../../../tests/support/test-subscription.ts';
import { chargeOf, monthly, priceChange } from './proration.ts';
import { billingPeriod } from './test-subscription.server.ts';

const DAY = 86_400_000;
const users = (quantity: number) => [line('microsoft365', 3_000, quantity)];
const NEW = { changedAt: 0, peakCents: 0 };

/** What these numbers of users, each at its time, add to the next bill of a month of 30 days that began with ten. */
function differences(...changes: [count: number, at: number][]): number[] {
  let lines = users(10);
  let last = NEW;
  return changes.map(([count, at]) => {
    const month = { periodStart: 0, periodEnd: 30 * DAY, at, ...last };
    const { difference, peak } = priceChange(lines, users(count), month);
    lines = users(count);
    last = { changedAt: at, peakCents: peak };
    return difference;
  });
}

test('a customer who adds users pays for their day in whole, and one who gives users up pays that day still', () => {
  expect(differences([12, 15.5 * DAY])).toEqual([3_000]);
  expect(differences([8, 15.5 * DAY])).toEqual([-2_800]);
});

test('a customer who raises to 1,000 users and lowers again within the day pays a day of them, however often', () => {
  const [raised = 0, lowered = 0, ...rest] = differences(
    [1_000, 100],
    [10, 200],
    [1_000, 300],
    [10, 400],
  );
  expect(raised + lowered).toBe(99_000);
  expect(rest.reduce((sum, each) => sum + each, 0)).toBe(0);
});

test('a customer who lowers and raises again within the day is given nothing back', () => {
  const [lowered = 0, raised = 0] = differences([1, 100], [10, 200]);
  expect(lowered + raised).toBe(0);
});

test('thousands of random changes, and the two bills after them, come to what an independent count says', () => {
  const random = seeded(20261121);
  for (let round = 0; round < 4_000; round += 1) {
    const { start, first, changes } = randomStory(random);
    let lines = first;
    let last = NEW;
    const found = changes.map((change) => {
      const month = { ...billingPeriod(start, 0), at: change.at, ...last };
      const { difference, peak } = priceChange(lines, change.lines, month);
      lines = change.lines;
      last = { changedAt: change.at, peakCents: peak };
      return difference;
    });
    expect(found.map(BigInt)).toEqual(oracleDifferences(first, changes, start));
    const asked = monthly(lines) + found.reduce((sum, each) => sum + each, 0);
    const second = chargeOf(asked);
    const third = chargeOf(monthly(lines) + asked - second);
    expect([second, third]).toEqual(oracleBills(first, changes, start));
  }
});

test('months keep the day of the first one, through short months and leap years', () => {
  const start = Date.UTC(2027, 0, 31, 12, 30, 5);
  const days = [1, 2, 3, 13].map((months) => new Date(billingPeriod(start, months).periodStart));
  expect(days.map((day) => day.toISOString())).toEqual([
    '2027-02-28T12:30:05.000Z',
    '2027-03-31T12:30:05.000Z',
    '2027-04-30T12:30:05.000Z',
    '2028-02-29T12:30:05.000Z',
  ]);
});
