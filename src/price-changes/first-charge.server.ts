/** When a changed price is charged first. Times are milliseconds since 1970. */
import { DAY_MS, HOUR_MS, monthsLater } from '../platform/time.ts';

/** The terms of service promise it. */
export const NOTICE_MS = 30 * DAY_MS;
/** A lower price needs no notice, only the time to set it up. */
const LOWERED_MS = HOUR_MS;

interface BilledMonths {
  /** The start of the first paid month, from whose day the months count. */
  anchor: number;
  /** The end of the newest invoiced month. */
  until: number;
}

export function earliestCharge(now: number, dayStart: number, raised: boolean): number {
  return Math.max(dayStart, now + (raised ? NOTICE_MS : LOWERED_MS));
}

/** The first renewal from then on, by the anchor: the 31st comes back after February. */
export function firstRenewal({ anchor, until }: BilledMonths, earliest: number): number {
  const isUnmoved = renewalFrom(anchor, until) === until;
  return renewalFrom(isUnmoved ? anchor : until, Math.max(until, earliest));
}

function renewalFrom(anchor: number, earliest: number): number {
  for (let months = 0; ; months += 1) {
    const at = monthsLater(new Date(anchor), months).getTime();
    if (at >= earliest) return at;
  }
}
