import { expect, test } from 'vitest';
import { hashOf, readRoute } from './order-api.ts';

const TOKEN = '12.AbC-_x';

test.each([
  { token: TOKEN, receipt: null, access: null },
  { token: TOKEN, receipt: 'in_1Q2', access: null },
  { token: TOKEN, receipt: null, access: 'k-Y_1' },
])('the fragment holds $receipt and $access, and is read as it was written', (route) => {
  expect(readRoute(hashOf(route))).toEqual(route);
});

test('an address without a fragment bears no link', () => {
  expect(readRoute('')).toEqual({ token: '', receipt: null, access: null });
});
