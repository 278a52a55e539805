/**
 * The bills of a subscription that was changed, once more: written from what is promised, in exact fractions of
 * BigInt, with a calendar of its own, so that a slip in the product cannot hide here too.
 */
export interface OracleLine {
  kind: string;
  unitPrice: number;
  quantity: number;
}

export interface OracleChange {
  at: number;
  lines: readonly OracleLine[];
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function lengthOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 1 && leap ? 29 : (LENGTHS[month] ?? 0);
}

/** The moment at which the month with this number begins, counted from 0. */
export function oracleMonth(start: number, number: number): number {
  const day = new Date(start);
  const months = day.getUTCFullYear() * 12 + day.getUTCMonth() + number;
  const [year, month] = [Math.floor(months / 12), months % 12];
  const date = Math.min(day.getUTCDate(), lengthOf(year, month));
  const time = start % 86_400_000;
  return Date.UTC(year, month, date) + time;
}

function month(lines: readonly OracleLine[]): bigint {
  return lines.reduce((sum, line) => sum + BigInt(line.unitPrice) * BigInt(line.quantity), 0n);
}

/** Rounded to a whole number, halves away from zero. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const whole = size / denominator;
  const up = (size % denominator) * 2n >= denominator ? 1n : 0n;
  return numerator < 0n ? -(whole + up) : whole + up;
}

const DAY = 86_400_000;

/** What each change comes to for the rest of the month: each day is worth what its dearest plan is worth. */
export function oracleDifferences(
  first: readonly OracleLine[],
  changes: readonly OracleChange[],
  start: number,
): bigint[] {
  const days = Array.from({ length: (oracleMonth(start, 1) - start) / DAY }, () => month(first));
  const worth = () => days.reduce((sum, day) => sum + day, 0n);
  return changes.map(({ at, lines }) => {
    const before = worth();
    for (const [index, paid] of days.entries()) {
      const begins = start + index * DAY;
      const dearer = month(lines) > paid;
      if (begins > at || (begins + DAY > at && dearer)) days[index] = month(lines);
    }
    return rounded(worth() - before, BigInt(days.length));
  });
}

/** The two bills after the first month, with these changes made in it. */
export function oracleBills(
  first: readonly OracleLine[],
  changes: readonly OracleChange[],
  start: number,
): [number, number] {
  const sum = oracleDifferences(first, changes, start).reduce((all, each) => all + each, 0n);
  const lines = changes.at(-1)?.lines ?? first;
  const second = month(lines) + sum;
  const credit = second < 0n ? -second : 0n;
  const third = month(lines) - credit;
  const charged = (asked: bigint) => Number(asked < 0n ? 0n : asked);
  return [charged(second), charged(third)];
}
