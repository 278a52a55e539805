/** Money and counts are formatted without Intl, for speed, but exactly as Intl would. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents, formatDollars, readDollars, withCommas } from './money.ts';

test('any amount is formatted as by Intl', () => {
  const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.integer({ min: -100_000, max: 100_000 })), (amount) => {
      // Intl would write -0, and a hyphen for a minus.
      const byIntl = dollars.format((amount || 0) / 100).replace('-', '−');
      expect(formatDollars(cents(amount))).toBe(byIntl);
    }),
  );
  // Divided by 100, this would lose its cents to rounding.
  expect(formatDollars(cents(Number.MAX_SAFE_INTEGER))).toBe('$90,071,992,547,409.91');
});

test('any whole number is grouped as by Intl', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (whole) => {
      expect(withCommas(whole)).toBe(whole.toLocaleString('en-US'));
    }),
  );
});

test.each([
  ['100,000', 100_000],
  ['$999,999.50', 999_999.5],
  ['1,200', 1200],
  ['12,345,678', 12_345_678],
  ['50,00', undefined],
  ['1,0000', undefined],
  ['0100,00', undefined],
])('typed as %s, an amount is read as %d dollars', (typed, dollars) => {
  expect(readDollars(typed)).toBe(dollars);
});
