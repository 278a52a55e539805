/** The lines of requests that wait for the database, however many come and go. */
import { expect, test } from 'vitest';
import { type WaitingLine, WaitingLines } from './waiting-lines.server.ts';

const MEGABYTE = 1024 * 1024;

test('lines come back as they went in, oldest first, until they leave', () => {
  const lines = new WaitingLines();
  const expected: WaitingLine[] = [];
  let count = 0;
  let left = 0;
  // As many come as leave in the end, but in crowds of very different sizes.
  for (const [come, go] of [
    [3, 1],
    [2000, 500],
    [20_000, 3],
    [1, 21_000],
    [700, 1200],
    [5, 5],
  ] as const) {
    for (let i = 0; i < come; i += 1) {
      const line = { at: 1.7e12 + count, line: `${count}${'x'.repeat(count % 300)}` };
      expect(lines.add(line.at, line.line)).toBeUndefined();
      expected.push(line);
      count += 1;
    }
    expect(lines.first(go)).toEqual(expected.slice(0, go));
    left += go;
    lines.leave(left);
    expected.splice(0, go);
    expect([lines.length, lines.left]).toEqual([expected.length, left]);
    expect(lines.first(count)).toEqual(expected);
  }
  expect(lines.length).toBe(0);
});

test('of 16 megabytes the oldest sixteenth goes, and is not taken away twice', () => {
  const lines = new WaitingLines();
  const line = 'x'.repeat(1012);
  for (let i = 0; i < 16 * 1024; i += 1) expect(lines.add(i, line)).toBeUndefined();
  const first = lines.first(10);
  expect(lines.add(99_999, line)).toEqual({ dropped: 1024, until: 1023 });
  // They have been stored meanwhile, and are gone.
  lines.leave(first.length);
  expect([lines.length, lines.left]).toEqual([15 * 1024 + 1, 1024]);
  expect(lines.first(1)).toEqual([{ at: 1024, line }]);
  expect(lines.first(MEGABYTE).at(-1)).toEqual({ at: 99_999, line });
});
