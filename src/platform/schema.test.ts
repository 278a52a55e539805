/** Answers of a broken or older server are read as far as possible. */
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { dollars, exactDollars, list, rowId, timestamp } from './schema.ts';

const read = (schema: z.ZodMiniType, values: readonly unknown[]) =>
  values.map((value) => schema.safeParse(value).data);

test('dollars are read as whole cents, despite rounding errors', () => {
  expect(read(dollars, [0, 0.01, 450, 1e9])).toEqual([0, 1, 450_00, 1e11]);
  expect(read(dollars, [12.500001, 0.1 + 0.2, 19.999])).toEqual([1250, 30, 2000]);
  const nonsense = [undefined, null, -0.01, 1e9 + 1, 1 / 0, '5', [5]];
  expect(read(dollars, nonsense)).toEqual(nonsense.map(() => undefined));
});

test('an amount that a person enters is accepted only if it is whole cents', () => {
  const entered = exactDollars({ min: 0.01, max: 1_000_000 });
  const right = [0.01, 0.1, 12.5, 4.95, 19.99, 1950, 999_999.99];
  expect(read(entered, right)).toEqual([1, 10, 1250, 495, 1999, 195_000, 99_999_999]);
  const wrong = [0, 0.001, 12.345, 12.500001, 1_000_000.01, Number.NaN, 1 / 0, '5', null];
  expect(read(entered, wrong)).toEqual(wrong.map(() => undefined));
});

test('a list drops invalid items, and is refused when all are invalid', () => {
  const lists = [[], [1, 'x', 0, 2], ['x'], 'x', null, { length: 0 }];
  expect(read(list(rowId), lists)).toEqual([
    [],
    [1, 2],
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a timestamp that is not ISO 8601 is refused', () => {
  const timestamps = ['2026-05-13T09:00:00.000Z', 'soon', '', 5];
  expect(read(timestamp, timestamps)).toEqual([timestamps[0], undefined, undefined, undefined]);
});
