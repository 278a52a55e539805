/** What is typed on a card form is looked at before it is sent, and each fault is told at its field. */
import { describe, expect, test } from 'vitest';
import { cardFaults, digits, showExpiry } from './card-numbers.ts';

const NUMBER = 'Please enter the 16 digits of your card number';
const EXPIRY = 'Please enter the expiry date as MM/YY';
const EXPIRED = 'This card has expired';
const CVV = 'Please enter the 3 digits of your CVV';

const GOOD = { number: '4242424242424242', expiry: '1229', cvv: '123' };
const faults = (change: Partial<typeof GOOD>, now = new Date(2026, 10, 21)) =>
  cardFaults({ ...GOOD, ...change }, now);

test('only digits are kept of what is typed', () => {
  expect(digits('4242 4242-4242x4242')).toBe('4242424242424242');
});

test.each([
  ['', ''],
  ['1', '1'],
  ['12', '12'],
  ['122', '12/2'],
  ['1229', '12/29'],
])('the expiry date %j shows as %j', (typed, shown) => {
  expect(showExpiry(typed)).toBe(shown);
});

describe('a card', () => {
  test('that is filled in has no faults', () => {
    expect(faults({})).toEqual({});
  });

  test.each(['', '424242424242424', '42424242424242424'])(
    'with the number %j is asked for its 16 digits',
    (number) => {
      expect(faults({ number })).toEqual({ number: NUMBER });
    },
  );

  test.each(['', '12', '1234'])('with the CVV %j is asked for its 3 digits', (cvv) => {
    expect(faults({ cvv })).toEqual({ cvv: CVV });
  });

  test.each(['', '129', '12299', '0029', '1329'])(
    'with the expiry date %j is asked for a real one',
    (expiry) => {
      expect(faults({ expiry })).toEqual({ expiry: EXPIRY });
    },
  );

  test('with every fault is told all of them at once', () => {
    expect(faults({ number: '', expiry: '', cvv: '' })).toEqual({
      number: NUMBER,
      expiry: EXPIRY,
      cvv: CVV,
    });
  });

  test.each(['0127', '1227'])('may expire in any month, as %s', (expiry) => {
    expect(faults({ expiry })).toEqual({});
  });

  test('is good until the end of its month, and no longer', () => {
    expect(faults({ expiry: '1126' }, new Date(2026, 10, 30, 23, 59, 59, 999))).toEqual({});
    expect(faults({ expiry: '1126' }, new Date(2026, 11, 1))).toEqual({ expiry: EXPIRED });
    expect(faults({ expiry: '1225' }, new Date(2026, 0, 1))).toEqual({ expiry: EXPIRED });
    expect(faults({ expiry: '1226' }, new Date(2026, 11, 31))).toEqual({});
  });
});
