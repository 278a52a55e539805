/** What is typed on a card form is checked before it is sent, and each fault shows at its field. */
import { expect, test } from 'vitest';
import { brandOf, cardFaults, showExpiry, showNumber, testToken } from './test-cards.ts';

const GOOD = { number: '4242424242424242', expiry: '1229', cvv: '123' };
const NOW = new Date(2026, 10, 30, 23, 59);
const faults = (change: Partial<typeof GOOD>) => cardFaults({ ...GOOD, ...change }, NOW);

test('a buyer reads at each field what is missing or wrong', () => {
  expect(faults({})).toEqual({});
  expect(faults({ number: '', expiry: '', cvv: '' })).toEqual({
    number: 'Please enter your card number',
    expiry: 'Please enter the expiry date',
    cvv: 'Please enter your CVV',
  });
  expect(faults({ number: '424242424242424', cvv: '12' })).toEqual({
    number: 'Your card number must have 16 digits',
    cvv: 'Your CVV must have 3 digits',
  });
  for (const expiry of ['129', '0029', '1329'])
    expect(faults({ expiry })).toEqual({
      expiry: 'The expiry date must be a month and a year, as MM/YY',
    });
});

test('a card is good until the end of its month, and no longer', () => {
  expect(faults({ expiry: '1126' })).toEqual({});
  expect(faults({ expiry: '1026' })).toEqual({ expiry: 'This card has expired' });
});

test('a number shows in groups, with its brand, and a date with its slash', () => {
  expect([showNumber('42424'), showNumber(GOOD.number)]).toEqual(['4242 4', '4242 4242 4242 4242']);
  expect([showExpiry('12'), showExpiry('122')]).toEqual(['12', '12/2']);
  expect(['4', '55', '6011', '3'].map(brandOf)).toEqual([
    'Visa',
    'Mastercard',
    'Discover',
    undefined,
  ]);
});

test('a real card is no test card', () => {
  expect(testToken('4000002500003155')).toBe('asks');
  expect(testToken('4539148803436467')).toBeUndefined();
});
