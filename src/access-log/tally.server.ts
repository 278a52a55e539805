/** Adds up requests by minute and by hour, so that reading 24 hours costs the same however many came. */
import { randomUUID } from 'node:crypto';
import type { AccessRecord } from './access-record.server.ts';
import {
  DIRECT,
  deviceClass,
  durationClass,
  foreignReferrer,
  visitedPage,
} from './request-classes.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** What is counted. The amount of `microseconds` is their sum, that of every other kind a number of requests. */
export const countKinds = [
  'status',
  'duration',
  'microseconds',
  'device',
  'page',
  'referrer',
] as const;
export type CountKind = (typeof countKinds)[number];
export type Amounts = Map<CountKind, Map<string, number>>;

/** What one server has counted within one minute or hour. */
export interface BucketTally {
  id: string;
  span: 'minute' | 'hour';
  /** When the minute or hour began. */
  bucket: number;
  amounts: Amounts;
}

/** What counts the pages and referrers beyond the first MOST_KEYS of an hour, which only an attack has. */
export const OTHERS = '(other)';
const MOST_KEYS = 500;
/** Characters of all of them together: each minute's tally may hold each of them. */
const LONGEST_KEYS = 20_000;

const SPANS = { hour: HOUR, minute: MINUTE };
/** Requests that take longer to arrive here than this begin a tally of their own. */
const OPEN_FOR = { minute: 10 * MINUTE, hour: 2 * HOUR };
/** Of an outage the first minutes are told apart, later ones only by the quarter of an hour: it may last a day. */
const MOST_CHANGED = 60;
const QUARTER = 15 * MINUTE;

export class Tally {
  readonly #ownHost: string;
  /** What has been counted since tallies were asked for, by the minute. */
  readonly #fresh = new Map<number, Amounts>();
  #open: BucketTally[] = [];
  /** Those of them that the database does not know as they are. */
  readonly #changed = new Set<BucketTally>();
  /** The keys admitted in the newest hour: what a visitor can make up freely must not fill the database. */
  #admitted = { hour: 0, keys: new Map<string, AdmittedKeys>() };

  /** `ownHost`: moves that come from it are no referrals. */
  constructor(ownHost: string) {
    this.#ownHost = ownHost;
  }

  /** Counts a request; the next tallies hold it. */
  add(record: AccessRecord): void {
    const begin = startOf(record.at, this.#changed.size < MOST_CHANGED ? MINUTE : QUARTER);
    let amounts = this.#fresh.get(begin);
    if (!amounts) {
      amounts = new Map();
      this.#fresh.set(begin, amounts);
    }
    this.#count(record, amounts);
  }

  /** The tallies to be stored, whole; again until they are kept. */
  due(): BucketTally[] {
    for (const [begin, amounts] of this.#fresh)
      for (const span of ['hour', 'minute'] as const) {
        const tally = this.#openAt(span, startOf(begin, SPANS[span]));
        // In place: copies of all counts with each batch would be most of what the memory is searched for.
        addAll(tally.amounts, amounts);
        this.#changed.add(tally);
      }
    this.#fresh.clear();
    return [...this.#changed];
  }

  /** To be told when the tallies that were due have been stored. */
  keep(tallies: readonly BucketTally[]): void {
    this.#changed.clear();
    const newest = Math.max(0, ...tallies.map(({ bucket }) => bucket));
    this.#open = this.#open.filter(({ span, bucket }) => bucket > newest - OPEN_FOR[span]);
  }

  #openAt(span: BucketTally['span'], bucket: number): BucketTally {
    const open = this.#open.find((each) => each.span === span && each.bucket === bucket);
    if (open) return open;
    const tally = { id: randomUUID(), span, bucket, amounts: new Map() };
    this.#open.push(tally);
    return tally;
  }

  #count(
    { at, method, url, status, durationUs, referrer, userAgent }: AccessRecord,
    amounts: Amounts,
  ) {
    add(amounts, 'status', String(status), 1);
    add(amounts, 'duration', String(durationClass(durationUs)), 1);
    add(amounts, 'microseconds', '', durationUs);
    add(amounts, 'device', deviceClass(userAgent), 1);
    const page = visitedPage(method, url, status);
    if (page === undefined) return;
    // The site's own pages are few; these are as many as somebody cares to make up.
    const pages = page.startsWith('/checkout/') ? 'checkouts' : 'pages';
    add(amounts, 'page', this.#admit(at, pages, page), 1);
    const from = foreignReferrer(referrer, this.#ownHost);
    if (from === undefined) return;
    add(amounts, 'referrer', from === DIRECT ? from : this.#admit(at, 'referrers', from), 1);
  }

  /** The key as it was first seen, so that it is in memory once. */
  #admit(at: number, among: string, key: string): string {
    const hour = startOf(at, HOUR);
    // Far back: the clock was ahead.
    if (hour > this.#admitted.hour || hour < this.#admitted.hour - OPEN_FOR.hour)
      this.#admitted = { hour, keys: new Map() };
    const admitted = this.#admitted.keys.get(among) ?? { length: 0, keys: new Map() };
    this.#admitted.keys.set(among, admitted);
    const known = admitted.keys.get(key);
    if (known !== undefined) return known;
    const length = admitted.length + key.length;
    if (admitted.keys.size >= MOST_KEYS || length > LONGEST_KEYS) return OTHERS;
    admitted.length = length;
    admitted.keys.set(key, key);
    return key;
  }
}

interface AdmittedKeys {
  length: number;
  keys: Map<string, string>;
}

/** When the minute or hour began that holds this moment. */
export function startOf(at: number, span: number): number {
  return at - (at % span);
}

function add(amounts: Amounts, kind: CountKind, key: string, amount: number): void {
  let byKey = amounts.get(kind);
  if (!byKey) {
    byKey = new Map();
    amounts.set(kind, byKey);
  }
  byKey.set(key, (byKey.get(key) ?? 0) + amount);
}

function addAll(amounts: Amounts, more: Amounts): void {
  for (const [kind, byKey] of more)
    for (const [key, amount] of byKey) add(amounts, kind, key, amount);
}

/** As it is stored: a line for each count. No key holds a tab or a line break, for records are cleaned. */
export function writeAmounts(amounts: Amounts): string {
  let text = '';
  for (const [kind, byKey] of amounts)
    for (const [key, amount] of byKey) text += `${kind}\t${key}\t${amount}\n`;
  return text;
}

export function readAmounts(text: string): { kind: CountKind; key: string; amount: number }[] {
  return text.split('\n').flatMap((line) => {
    const [name, key = '', amount] = line.split('\t');
    const kind = countKinds.find((each) => each === name);
    return kind ? [{ kind, key, amount: Number(amount) }] : [];
  });
}
