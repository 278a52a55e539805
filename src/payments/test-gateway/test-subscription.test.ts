/** What a change in the middle of a month adds to the next bill of the test gateway. */
import { expect, test } from 'vitest';
import { line } from '../../../tests/support/saved-order.ts';
import { priceDifference } from './test-subscription.server.ts';

const DAY = 86_400_000;

/** What these numbers of users, each at its time, add to the next bill of a month of 30 days that began with ten. */
function differences(...changes: [count: number, at: number][]): number[] {
  let lines = JSON.stringify([line('microsoft365', 3_000, 10)]);
  return changes.map(([count, at]) => {
    const after = [line('microsoft365', 3_000, count)];
    const month = { lines, periodStart: 0, periodEnd: 30 * DAY };
    lines = JSON.stringify(after);
    return priceDifference(month, after, at);
  });
}

test('a customer who adds users pays for their day in whole, and one who gives users up pays that day still', () => {
  expect(differences([12, 15.5 * DAY])).toEqual([3_000]);
  expect(differences([8, 15.5 * DAY])).toEqual([-2_800]);
  expect(differences([11, 29.9 * DAY])).toEqual([100]);
});

test('a customer who raises to 1,000 users and lowers again within the day pays a day of them', () => {
  const [raised = 0, lowered = 0] = differences([1_000, 100], [10, 200]);
  expect(raised + lowered).toBe(99_000);
});
