/** When a changed price is charged first. Times are milliseconds since 1970. */
import type { BilledMonths } from '../billing/invoice-store.server.ts';
import type { SubscribedOrder } from '../billing/subscription-store.server.ts';
import type { Company } from '../company/company.ts';
import { noonOf } from '../company/days.ts';
import { DAY_MS, HOUR_MS, monthsLater } from '../platform/time.ts';

/** The terms of service promise it. */
const NOTICE_MS = 30 * DAY_MS;
/** A lower price needs no notice, only the time to set it up. */
const LOWERED_MS = HOUR_MS;
/** How late an email may leave without moving the day. */
const LATE_MS = HOUR_MS;

/** `raised`: also of terms. `readAt`: when the customer reads of it. */
export function isEarlyEnough(effectiveAt: number, readAt: number, raised: boolean): boolean {
  return effectiveAt >= readAt + (raised ? NOTICE_MS : LOWERED_MS);
}

/** Of a notice that is given now. */
export function earliestCharge(now: number, dayStart: number, raised: boolean): number {
  return Math.max(dayStart, now + LATE_MS + (raised ? NOTICE_MS : LOWERED_MS));
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

/** Of an order that has not been billed for a month. */
export function firstMonth(company: Company, order: SubscribedOrder): BilledMonths {
  const { createdAt, startsOn } = order;
  if (startsOn !== null) {
    const start = noonOf(company, startsOn);
    return { anchor: start, until: start };
  }
  return { anchor: createdAt, until: monthsLater(new Date(createdAt), 1).getTime() };
}
