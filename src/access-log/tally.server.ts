/** Adds up a batch of records by minute and by hour, so that reading 24 hours costs the same however many came. */
import type { NewRow } from '../platform/tables.server.ts';
import type { AccessRecord } from './access-record.server.ts';
import { deviceClass } from './device-class.ts';
import { durationClass } from './duration-classes.ts';
import { foreignReferrer, visitedPage } from './visit.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** What is counted. The amount of `microseconds` is their sum, that of every other kind a number of requests. */
export type CountKind = 'status' | 'duration' | 'microseconds' | 'device' | 'page' | 'referrer';
export type AccessCount = NewRow<'accessCounts'> & { kind: CountKind };

/** What counts the pages and referrers beyond the first MOST_KEYS of an hour, which only an attack has. */
export const OTHERS = '(other)';
const MOST_KEYS = 500;

type Amounts = Map<CountKind, Map<string | number, number>>;

export class Tally {
  readonly #ownHost: string;
  /** The keys admitted in the newest hour: what a visitor can make up freely must not fill the database. */
  #admitted = { hour: 0, keys: new Map<CountKind, Set<string>>() };

  /** `ownHost`: moves that come from it are no referrals. */
  constructor(ownHost: string) {
    this.#ownHost = ownHost;
  }

  /** Counts to be added to those stored, in the order in which every server adds them. */
  count(records: readonly AccessRecord[]): AccessCount[] {
    const minutes = new Map<number, Amounts>();
    const hours = new Map<number, Amounts>();
    for (const record of records) {
      const minute = startOf(record.at, MINUTE);
      const amounts = minutes.get(minute) ?? new Map();
      minutes.set(minute, amounts);
      this.#add(record, amounts);
    }
    for (const [minute, amounts] of minutes) {
      const hour = startOf(minute, HOUR);
      const sums = hours.get(hour) ?? new Map();
      hours.set(hour, sums);
      for (const [kind, byKey] of amounts)
        for (const [key, amount] of byKey) add(sums, kind, key, amount);
    }
    return [...rows('hour', hours), ...rows('minute', minutes)];
  }

  #add(
    { at, method, url, status, durationUs, referrer, userAgent }: AccessRecord,
    amounts: Amounts,
  ) {
    add(amounts, 'status', status, 1);
    add(amounts, 'duration', durationClass(durationUs), 1);
    add(amounts, 'microseconds', '', durationUs);
    add(amounts, 'device', deviceClass(userAgent), 1);
    const page = visitedPage(method, url, status);
    if (page === undefined) return;
    add(amounts, 'page', this.#admit(at, 'page', page), 1);
    const from = foreignReferrer(referrer, this.#ownHost);
    if (from !== undefined) add(amounts, 'referrer', this.#admit(at, 'referrer', from), 1);
  }

  #admit(at: number, kind: CountKind, key: string): string {
    const hour = startOf(at, HOUR);
    if (hour > this.#admitted.hour) this.#admitted = { hour, keys: new Map() };
    const keys = this.#admitted.keys.get(kind) ?? new Set();
    this.#admitted.keys.set(kind, keys);
    if (keys.size < MOST_KEYS) keys.add(key);
    return keys.has(key) ? key : OTHERS;
  }
}

/** When the minute or hour began that holds this moment. */
export function startOf(at: number, span: number): number {
  return at - (at % span);
}

function add(amounts: Amounts, kind: CountKind, key: string | number, amount: number): void {
  let byKey = amounts.get(kind);
  if (!byKey) {
    byKey = new Map();
    amounts.set(kind, byKey);
  }
  byKey.set(key, (byKey.get(key) ?? 0) + amount);
}

function rows(span: 'minute' | 'hour', buckets: ReadonlyMap<number, Amounts>): AccessCount[] {
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .flatMap(([bucket, amounts]) =>
      [...amounts]
        .sort(([a], [b]) => order(a, b))
        .flatMap(([kind, byKey]) =>
          [...byKey]
            .map(([key, amount]) => ({ span, bucket, kind, key: String(key), amount }))
            .sort((a, b) => order(a.key, b.key)),
        ),
    );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
