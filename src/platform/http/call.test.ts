import { expect, test } from 'vitest';
import { readId } from './call.server.ts';

test('a path’s id is a plain number that both databases can hold, or none', () => {
  for (const id of [1, 42, 2 ** 30, 2 ** 31 - 1]) expect(readId(`${id}`)).toBe(id);
  for (const text of [2 ** 31, 3_000_000_000, 10 ** 10, 0, -1, '01', '1.0', '1e3', ' 1', '1a', ''])
    expect([text, readId(`${text}`)]).toEqual([text, undefined]);
  expect(readId(undefined)).toBe(undefined);
});
