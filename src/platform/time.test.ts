import { expect, test } from 'vitest';
import { monthsLater } from './time.ts';

test.each([
  ['2026-12-31T23:59:59.000Z', 1, '2027-01-31T23:59:59.000Z'],
  ['2026-01-31T00:00:00.000Z', 1, '2026-02-28T00:00:00.000Z'],
  ['2028-01-31T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
  ['2026-08-31T12:00:00.000Z', 15, '2027-11-30T12:00:00.000Z'],
])('%s plus %i months is %s', (start, months, later) => {
  expect(monthsLater(new Date(start), months).toISOString()).toBe(later);
});
