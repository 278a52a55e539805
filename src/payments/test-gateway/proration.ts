/** What a change in the middle of a month comes to at the test gateway, by whole days. */
import type { PriceLine } from '../../catalogue/pricing.ts';
import { type Cents, cents } from '../../platform/money.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Milliseconds since 1970. Days are counted from the start of the period. */
export interface ChangeMoment {
  at: number;
  periodStart: number;
  periodEnd: number;
  /** When the plan was changed last, and the dearest month that stood on that day. */
  changedAt: number;
  peakCents: number;
}

/**
 * Every day costs what its dearest plan costs: a raise is paid for from the beginning of its day, and a lower price counts
 * from the next day. So a raise costs at least a day however soon it is taken back. `peak` is the dearest month of the day.
 */
export function priceChange(
  before: readonly PriceLine[],
  after: readonly PriceLine[],
  { at, periodStart, periodEnd, changedAt, peakCents }: ChangeMoment,
): { difference: Cents; peak: Cents } {
  const days = Math.round((periodEnd - periodStart) / DAY_MS);
  const today = Math.floor((at - periodStart) / DAY_MS);
  const isSameDay = changedAt >= periodStart + today * DAY_MS;
  const paid = Math.max(monthly(before), isSameDay ? peakCents : 0);
  const peak = Math.max(paid, monthly(after));
  const laterDays = (monthly(after) - monthly(before)) * (days - today - 1);
  return { difference: divide(laterDays + peak - paid, days), peak: cents(peak) };
}

/** Half a cent counts away from zero. */
function divide(sum: number, days: number): Cents {
  return cents(Math.sign(sum) * Math.floor((2 * Math.abs(sum) + days) / (2 * days)));
}

export function monthly(lines: readonly PriceLine[]): Cents {
  return cents(lines.reduce((sum, { amount }) => sum + amount, 0));
}

/** What a bill charges of what it asks for; less than nothing stays for later bills. */
export function chargeOf(due: number): Cents {
  return cents(Math.max(0, due));
}
