/** Money and counts are written by hand, for speed; Intl says how they should look. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents, formatDollars, withCommas } from './money.ts';

test('any amount is written as Intl writes it', () => {
  const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.integer({ min: -100_000, max: 100_000 })), (amount) => {
      // Intl knows a negative zero.
      expect(formatDollars(cents(amount))).toBe(dollars.format((amount || 0) / 100));
    }),
  );
  // Where a double has no cents any more, the digits are still those of the whole number.
  expect(formatDollars(cents(Number.MAX_SAFE_INTEGER))).toBe('$90,071,992,547,409.91');
});

test('any whole number is grouped as Intl groups it', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (whole) => {
      expect(withCommas(whole)).toBe(whole.toLocaleString('en-US'));
    }),
  );
});
