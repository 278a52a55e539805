/** What is typed on a card form is looked at before it is sent, and each fault is told at its field. */
import { describe, expect, test } from 'vitest';
import { brandOf, cardFaults, digits, showExpiry, showNumber, testToken } from './test-cards.ts';

const NUMBER = 'Your card number must have 16 digits';
const EXPIRY = 'The expiry date must be a month and a year, as MM/YY';
const EXPIRED = 'This card has expired';
const CVV = 'Your CVV must have 3 digits';

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

test.each([
  ['', ''],
  ['4242', '4242'],
  ['42424', '4242 4'],
  ['4242424242424242', '4242 4242 4242 4242'],
])('the number %j shows as %j', (typed, shown) => {
  expect(showNumber(typed)).toBe(shown);
});

test.each([
  ['', undefined],
  ['4', 'Visa'],
  ['51', 'Mastercard'],
  ['55', 'Mastercard'],
  ['50', undefined],
  ['56', undefined],
  ['2220', undefined],
  ['2221', 'Mastercard'],
  ['2229', 'Mastercard'],
  ['223', 'Mastercard'],
  ['26', 'Mastercard'],
  ['271', 'Mastercard'],
  ['2720', 'Mastercard'],
  ['2721', undefined],
  ['34', 'Amex'],
  ['37', 'Amex'],
  ['36', undefined],
  ['6011', 'Discover'],
  ['644', 'Discover'],
  ['643', undefined],
  ['65', 'Discover'],
])('a number that begins with %j is one of %s', (number, brand) => {
  expect(brandOf(number)).toBe(brand);
});

describe('a card', () => {
  test('that is filled in has no faults', () => {
    expect(faults({})).toEqual({});
  });

  test.each(['4', '424242424242424', '42424242424242424'])(
    'with the number %j is told that it has 16 digits',
    (number) => {
      expect(faults({ number })).toEqual({ number: NUMBER });
    },
  );

  test.each(['1', '12', '1234'])('with the CVV %j is told that it has 3 digits', (cvv) => {
    expect(faults({ cvv })).toEqual({ cvv: CVV });
  });

  test.each(['1', '129', '12299', '0029', '1329'])(
    'with the expiry date %j is asked for a real one',
    (expiry) => {
      expect(faults({ expiry })).toEqual({ expiry: EXPIRY });
    },
  );

  test('is asked for all that is missing at once', () => {
    expect(faults({ number: '', expiry: '', cvv: '' })).toEqual({
      number: 'Please enter your card number',
      expiry: 'Please enter the expiry date',
      cvv: 'Please enter your CVV',
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

test.each([
  ['4242424242424242', 'succeeds'],
  ['5555555555554444', 'succeeds'],
  ['4000000000000002', 'declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000002500003155', 'asks'],
  ['4000000000000341', 'fails_later'],
  ['4539148803436467', undefined],
  ['', undefined],
])('the test card %s has the token %s', (number, token) => {
  expect(testToken(number)).toBe(token);
});
