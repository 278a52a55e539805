/** What a change in the middle of a month comes to, in whole cents, as Stripe reckons it. */
import type { PriceLine } from '../../catalogue/pricing.ts';
import { type Cents, cents } from '../../platform/money.ts';

/** Milliseconds since 1970, whole seconds. */
export interface Stretch {
  at: number;
  periodStart: number;
  periodEnd: number;
}

/**
 * What is left of each old line is given back and what is left of each new one is charged, by seconds; each of these
 * sums is rounded by itself, so that of a line that stays nothing is left.
 */
export function difference(
  before: readonly PriceLine[],
  after: readonly PriceLine[],
  stretch: Stretch,
): Cents {
  let sum = 0;
  for (const line of before) sum -= rest(line.amount, stretch);
  for (const line of after) sum += rest(line.amount, stretch);
  return cents(sum);
}

/** The part of a month's amount that falls on what is left of the month; half a cent counts away from zero. */
function rest(amount: number, { at, periodStart, periodEnd }: Stretch): number {
  const all = (periodEnd - periodStart) / 1000;
  const left = (periodEnd - at) / 1000;
  // In whole numbers: a quotient that is rounded first may end up on the other side of half a cent.
  const twice = 2 * Math.abs(amount) * left + all;
  const rounded = (twice - (twice % (2 * all))) / (2 * all);
  return Math.sign(amount) * rounded;
}

export function monthly(lines: readonly PriceLine[]): Cents {
  return cents(lines.reduce((sum, { amount }) => sum + amount, 0));
}

/** What a bill charges of what it asks for, and what is left for later bills when that is less than nothing. */
export function chargeOf(asked: number): { charge: Cents; credit: Cents } {
  return { charge: cents(Math.max(0, asked)), credit: cents(Math.max(0, -asked)) };
}
