/** The figures of the last 24 hours, from the counts that are kept: the log's rows are not read. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { type Analytics, deviceClasses } from './analytics.ts';
import { countVisitors, type SummedCount, sumCounts, windowStart } from './log-store.server.ts';
import { percentile } from './request-classes.ts';
import { HOUR, startOf } from './tally.server.ts';

/** How many pages and referrers are told. */
const MOST_LISTED = 20;

export async function readAnalytics(db: Kysely<Tables>, now: number): Promise<Analytics> {
  const from = windowStart(now);
  const [sums, uniqueVisitors] = await Promise.all([sumCounts(db, from), countVisitors(db, from)]);
  const of = (kind: SummedCount['kind']) => sums.filter((each) => each.kind === kind);
  const statuses = of('status');
  const totalRequests = total(statuses);
  const durations = new Map(of('duration').map(({ key, amount }) => [Number(key), amount]));
  const within = (share: number) => milliseconds(percentile(durations, share));
  const devices = of('device');
  return {
    totalRequests,
    uniqueVisitors,
    responseTimeAvg:
      totalRequests === 0 ? 0 : milliseconds(total(of('microseconds')) / totalRequests),
    httpStatusCodes: byStatus(statuses),
    mostVisitedPages: most(of('page')).map(({ key, amount }) => ({ url: key, count: amount })),
    hourly: byHour(statuses, from, now),
    percentiles: { p50: within(0.5), p95: within(0.95), p99: within(0.99) },
    referrers: most(of('referrer')).map(({ key, amount }) => ({ referrer: key, count: amount })),
    devices: deviceClasses
      .map((device) => ({ device, count: total(devices.filter(({ key }) => key === device)) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count),
  };
}

function total(sums: readonly SummedCount[]): number {
  return sums.reduce((sum, { amount }) => sum + amount, 0);
}

function milliseconds(microseconds: number): number {
  return Math.round(microseconds) / 1000;
}

function byStatus(statuses: readonly SummedCount[]): Record<string, number> {
  const codes: Record<string, number> = {};
  for (const { key, amount } of statuses) codes[key] = (codes[key] ?? 0) + amount;
  return codes;
}

function byHour(statuses: readonly SummedCount[], from: number, now: number): Analytics['hourly'] {
  const hours: Analytics['hourly'] = [];
  for (let hour = startOf(from, HOUR); hour <= now; hour += HOUR) {
    const within = statuses.filter((each) => each.hour === hour);
    hours.push({
      hour: new Date(hour).toISOString(),
      requests: total(within),
      errors: total(within.filter(({ key }) => key.startsWith('5'))),
    });
  }
  return hours;
}

function most(sums: readonly SummedCount[]): SummedCount[] {
  return sums
    .toSorted((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_LISTED);
}
