import { expect, test } from 'vitest';
import { hashOf, readRoute } from './order-route.ts';

const TOKEN = '12.AbC-_x';

test.each([
  { token: TOKEN, receipt: null },
  { token: TOKEN, receipt: 'in_1Q2' },
])('the fragment holds $receipt, and is read as it was written', (route) => {
  expect(readRoute(hashOf(route))).toEqual(route);
});

test('an address without a fragment bears no link', () => {
  expect(readRoute('')).toEqual({ token: '', receipt: null });
});
