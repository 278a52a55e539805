/** What a broken or older server answers is read as far as it makes sense. */
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { dollars, list, moment, rowId } from './schema.ts';

const read = (schema: z.ZodMiniType, values: readonly unknown[]) =>
  values.map((value) => schema.safeParse(value).data);

test('dollars are read as whole cents, however a database has kept them', () => {
  expect(read(dollars, [0, 0.01, 450, 1e9])).toEqual([0, 1, 450_00, 1e11]);
  expect(read(dollars, [12.500001, 0.1 + 0.2, 19.999])).toEqual([1250, 30, 2000]);
  const nonsense = [undefined, null, -0.01, 1e9 + 1, 1 / 0, '5', [5]];
  expect(read(dollars, nonsense)).toEqual(nonsense.map(() => undefined));
});

test('a list leaves out the items that make no sense, and is refused when none does', () => {
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

test('a moment is one that can be shown', () => {
  const moments = ['2026-05-13T09:00:00.000Z', 'soon', '', 5];
  expect(read(moment, moments)).toEqual([moments[0], undefined, undefined, undefined]);
});
