/** The lines of requests that wait for the database, however many come and go. */
import { expect, test } from 'vitest';
import { WaitingLines } from './waiting-lines.server.ts';

const MEGABYTE = 1024 * 1024;

/** The oldest `most`, oldest first. */
function firstOf(lines: WaitingLines, most: number): string[] {
  const { count, pieces } = lines.first(most);
  const found = pieces.flatMap((piece) =>
    piece.lines.toString('latin1').match(/.*\n/g)?.toReversed(),
  );
  expect(found).toHaveLength(count);
  return found.map(String);
}

test('lines come back as they went in, oldest first, until they leave', () => {
  const lines = new WaitingLines();
  const expected: string[] = [];
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
      const line = `${count}${'x'.repeat(count % 300)}\n`;
      expect(lines.add(1.7e12 + 10 * count, line)).toBeUndefined();
      expected.push(line);
      count += 1;
    }
    expect(firstOf(lines, go)).toEqual(expected.slice(0, go));
    left += go;
    lines.leave(left);
    expected.splice(0, go);
    expect([lines.length, lines.left]).toEqual([expected.length, left]);
    expect(firstOf(lines, count)).toEqual(expected);
  }
  expect(lines.length).toBe(0);
});

test('of 16 megabytes the oldest sixteenth goes, and is not taken away twice', () => {
  const lines = new WaitingLines();
  const line = `${'x'.repeat(1011)}\n`;
  for (let i = 0; i < 16 * 1024; i += 1) expect(lines.add(i, line)).toBeUndefined();
  const { count } = lines.first(10);
  expect(lines.add(99_999, line)).toEqual({ dropped: 1024, until: 1023 });
  // They have been stored meanwhile, and are gone.
  lines.leave(count);
  expect([lines.length, lines.left]).toEqual([15 * 1024 + 1, 1024]);
  expect(lines.first(1).pieces).toEqual([
    { firstAt: 1024, lastAt: 1024, lines: Buffer.from(line) },
  ]);
  const [earlier, later] = lines.first(MEGABYTE).pieces;
  expect([earlier?.firstAt, earlier?.lastAt]).toEqual([1024, 16 * 1024 - 1]);
  expect(later).toEqual({ firstAt: 99_999, lastAt: 99_999, lines: Buffer.from(line) });
});

test('lines of one minute are one piece, whatever their order, the newest and of those the last first', () => {
  const lines = new WaitingLines();
  for (const at of [120_000, 60_030, 60_010, 60_030, 119_999, 60_000])
    lines.add(at, `${at} ${lines.length}\n`);
  const told = lines.first(10).pieces.map((piece) => ({ ...piece, lines: `${piece.lines}` }));
  expect(told).toEqual([
    { firstAt: 120_000, lastAt: 120_000, lines: '120000 0\n' },
    {
      firstAt: 60_000,
      lastAt: 119_999,
      lines: '119999 4\n60030 3\n60030 1\n60010 2\n60000 5\n',
    },
  ]);
});
