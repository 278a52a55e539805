/** Adds up a batch of records by minute and by hour, so that reading 24 hours costs the same however many came. */
import { randomUUID } from 'node:crypto';
import type { AccessRecord } from './access-record.server.ts';
import { deviceClass } from './device-class.ts';
import { durationClass } from './duration-classes.ts';
import { DIRECT, foreignReferrer, visitedPage } from './visit.ts';

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

/** Requests that take longer to arrive here than this begin a tally of their own. */
const OPEN_FOR = { minute: 10 * MINUTE, hour: 2 * HOUR };
/** Those that are only counted are so by this part of an hour, for an outage may last a day. */
const OWED_SPAN = 15 * MINUTE;

export class Tally {
  readonly #ownHost: string;
  #open: BucketTally[] = [];
  /** Counted without their records: not in any tally yet, and in those that are just being stored. */
  #owed = new Map<number, Amounts>();
  #underWay = new Map<number, Amounts>();
  /** The keys admitted in the newest hour: what a visitor can make up freely must not fill the database. */
  #admitted = { hour: 0, keys: new Map<string, AdmittedKeys>() };

  /** `ownHost`: moves that come from it are no referrals. */
  constructor(ownHost: string) {
    this.#ownHost = ownHost;
  }

  /** Counts records that will not be stored; the next tallies hold them. */
  owe(records: readonly AccessRecord[]): void {
    this.#addAll(records, this.#owed, OWED_SPAN);
  }

  /** The tallies that the records fall into, with them counted. Nothing is remembered of it before `keep`. */
  count(records: readonly AccessRecord[]): BucketTally[] {
    for (const [begin, amounts] of this.#owed)
      this.#underWay.set(begin, sum(this.#underWay.get(begin), amounts));
    this.#owed.clear();
    const minutes = new Map<number, Amounts>();
    this.#addAll(records, minutes, MINUTE);
    for (const [begin, amounts] of this.#underWay)
      minutes.set(begin, sum(minutes.get(begin), amounts));
    const hours = new Map<number, Amounts>();
    for (const [minute, amounts] of minutes) {
      const hour = startOf(minute, HOUR);
      hours.set(hour, sum(hours.get(hour), amounts));
    }
    return [
      ...[...hours].map(([bucket, amounts]) => this.#continued('hour', bucket, amounts)),
      ...[...minutes].map(([bucket, amounts]) => this.#continued('minute', bucket, amounts)),
    ];
  }

  /** To be told when the tallies have been stored. */
  keep(tallies: readonly BucketTally[]): void {
    const newest = Math.max(0, ...tallies.map(({ bucket }) => bucket));
    const byId = new Map([...this.#open, ...tallies].map((tally) => [tally.id, tally]));
    this.#open = [...byId.values()].filter(({ span, bucket }) => bucket > newest - OPEN_FOR[span]);
    this.#underWay.clear();
  }

  #addAll(records: readonly AccessRecord[], among: Map<number, Amounts>, span: number): void {
    for (const record of records) {
      const begin = startOf(record.at, span);
      const amounts = among.get(begin) ?? new Map();
      among.set(begin, amounts);
      this.#add(record, amounts);
    }
  }

  #continued(span: BucketTally['span'], bucket: number, amounts: Amounts): BucketTally {
    const open = this.#open.find((each) => each.span === span && each.bucket === bucket);
    return { id: open?.id ?? randomUUID(), span, bucket, amounts: sum(open?.amounts, amounts) };
  }

  #add(
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

function sum(one: Amounts | undefined, other: Amounts): Amounts {
  const both: Amounts = new Map([...(one ?? [])].map(([kind, byKey]) => [kind, new Map(byKey)]));
  for (const [kind, byKey] of other)
    for (const [key, amount] of byKey) add(both, kind, key, amount);
  return both;
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
