/** The validation of the test gateway's card form. */
import { expect, test } from 'vitest';
import { cardErrors, readCard, showExpiry } from './test-cards.ts';

const GOOD = { number: '4242424242424242', expiry: '1229', cvv: '123' };
const NOW = new Date(2026, 10, 30, 23, 59);
const errors = (change: Partial<typeof GOOD>) => cardErrors({ ...GOOD, ...change }, NOW);

test('a buyer reads what is missing or wrong in each field', () => {
  expect(errors({})).toEqual({});
  expect(errors({ number: '', expiry: '', cvv: '' })).toEqual({
    number: 'Please enter your card number',
    expiry: 'Please enter the expiry date',
    cvv: 'Please enter your CVV',
  });
  expect(errors({ number: '424242424242424', cvv: '12' })).toEqual({
    number: 'Your card number must have 16 digits',
    cvv: 'Your CVV must have 3 digits',
  });
  for (const expiry of ['129', '0029', '1329'])
    expect(errors({ expiry })).toEqual({
      expiry: 'The expiry date must be a month and a year, as MM/YY',
    });
});

test('a card is valid until the end of its month', () => {
  expect(errors({ expiry: '1126' })).toEqual({});
  expect(errors({ expiry: '1026' })).toEqual({ expiry: 'This card has expired' });
});

test.each([
  ['1230', '12/30'],
  ['12/30', '12/30'],
  ['12 / 2030', '12/30'],
  ['12/2030', '12/30'],
  ['122030', '12/30'],
  ['3/2030', '03/30'],
  ['3/30', '03/30'],
  ['3/', '03'],
  ['2030-12', '12/30'],
  ['2030/3', '03/30'],
  ['203012', '12/30'],
  ['12/203', '12/3'],
  ['12/3099', '12/30'],
  ['Dec 2030', '12/30'],
  ['december 30', '12/30'],
  ['May-2030', '05/30'],
  ['1', '1'],
])('a buyer who pastes the expiry date %s reads %s', (pasted, shown) => {
  expect(showExpiry(readCard('expiry', pasted))).toBe(shown);
});
