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

/** What one change comes to for the rest of the month from `start` to `end`, in cents. */
export function oracleDifference(
  before: readonly OracleLine[],
  { at, lines: after }: OracleChange,
  start: number,
  end: number,
): bigint {
  const [left, all] = [BigInt(end - at), BigInt(end - start)];
  let sum = 0n;
  for (const kind of new Set([...before, ...after].map((line) => line.kind))) {
    const was = before.find((line) => line.kind === kind);
    const is = after.find((line) => line.kind === kind);
    if (was && is && was.unitPrice === is.unitPrice && was.quantity === is.quantity) continue;
    if (was) sum += rounded(-month([was]) * left, all);
    if (is) sum += rounded(month([is]) * left, all);
  }
  return sum;
}

/** The two bills after the first month, with these changes made in it. */
export function oracleBills(
  first: readonly OracleLine[],
  changes: readonly OracleChange[],
  start: number,
): [number, number] {
  const end = oracleMonth(start, 1);
  let lines = first;
  let sum = 0n;
  for (const change of changes) {
    sum += oracleDifference(lines, change, start, end);
    lines = change.lines;
  }
  const second = month(lines) + sum;
  const credit = second < 0n ? -second : 0n;
  const third = month(lines) - credit;
  const charged = (asked: bigint) => Number(asked < 0n ? 0n : asked);
  return [charged(second), charged(third)];
}
