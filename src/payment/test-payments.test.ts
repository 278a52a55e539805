import { expect, test } from 'vitest';
import { testToken } from './test-payments.ts';

test.each([
  ['4242424242424242', 'succeeds'],
  ['4111111111111111', 'succeeds'],
  ['5555555555554444', 'succeeds'],
  ['6011111111111117', 'succeeds'],
  ['3566002020360505', 'succeeds'],
  ['4000000000000002', 'declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000002500003155', 'asks'],
  ['4539148803436467', undefined],
  ['', undefined],
])('the test card %s stands for %s', (number, token) => {
  expect(testToken(number)).toBe(token);
});
