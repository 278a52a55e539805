/**
 * The access log's tables and their queries. Records, hourly counts and visitors of a batch are stored in one
 * transaction; the counts stay right when the oldest records are deleted.
 */
import { createHash } from 'node:crypto';
import { type Generated, type Kysely, sql } from 'kysely';
import { chunk } from '../platform/database/queries.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import type { Analytics } from './access-log-api.ts';
import type { AccessRecord } from './access-record.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    accessLog: AccessLogTable;
    accessLogHours: AccessLogHoursTable;
    accessLogVisitors: AccessLogVisitorsTable;
  }
}

/** `ip` is empty once the record is a day old. */
interface AccessLogTable extends AccessRecord {
  id: Generated<number>;
  /** What it counts toward LOG_MAX_MB. */
  size: number;
}

export type CountKind =
  /** Requests by status code. */
  | 'status'
  /** Sum of the response times; its key is ''. */
  | 'microseconds'
  /** Visits by path. */
  | 'page'
  /** Sum of the sizes of all stored records: STORED_BYTES. */
  | 'bytes';

interface AccessLogHoursTable {
  /** When the hour (UTC) begins, in milliseconds. */
  hour: number;
  kind: CountKind;
  key: string;
  amount: number;
}

/** Different pairs of address and user agent. */
interface AccessLogVisitorsTable {
  /** A hash: 48 bits are enough to count a million. */
  visitor: number;
  /** The hour of the last request. */
  hour: number;
}

/** Where the sum of the sizes of all stored records stands. */
export const STORED_BYTES = { hour: 0, kind: 'bytes', key: '' } as const;

export const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const MAX_LISTED_PAGES = 20;
/** The row's numbers and headers, and its entries in the indexes. */
const ROW_OVERHEAD = 120;
/** Read at once for the CSV. */
const PAGE_SIZE = 1000;

export function startOfHour(at: number): number {
  return at - (at % HOUR);
}

export function recordSize({ method, url, referrer, userAgent, ip }: AccessRecord): number {
  return ROW_OVERHEAD + ip.length + method.length + url.length + referrer.length + userAgent.length;
}

/** One count each for an hour, a kind and a key. */
export type Counts = Map<string, AccessLogHoursTable>;

export function addCount(counts: Counts, count: AccessLogHoursTable): void {
  const name = nameOf(count);
  counts.set(name, { ...count, amount: count.amount + (counts.get(name)?.amount ?? 0) });
}

function nameOf({ hour, kind, key }: AccessLogHoursTable): string {
  return `${hour} ${kind} ${key}`;
}

/** Stores all or, when it throws, nothing. */
export function storeBatch(
  db: Kysely<Tables>,
  records: readonly AccessRecord[],
  counts: Counts,
): Promise<void> {
  const rows = records.map((record) => ({ ...record, size: recordSize(record) }));
  const bytes = rows.reduce((sum, { size }) => sum + size, 0);
  return db.transaction().execute(async (trx) => {
    await trx.insertInto('accessLog').values(rows).execute();
    await addToHours(trx, [...counts.values(), { ...STORED_BYTES, amount: bytes }]);
    await upsertVisitors(trx, records);
  });
}

/** In the order of their keys, or servers that share a database would lock each other out. */
export async function addToHours(
  trx: Kysely<Tables>,
  counts: readonly AccessLogHoursTable[],
): Promise<void> {
  // What has waited for a database that was away may be more than one statement can take.
  for (const some of chunk(counts.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))))
    await trx
      .insertInto('accessLogHours')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['hour', 'kind', 'key']).doUpdateSet(({ eb, ref }) => ({
          amount: eb('accessLogHours.amount', '+', ref('excluded.amount')),
        })),
      )
      .execute();
}

async function upsertVisitors(
  trx: Kysely<Tables>,
  records: readonly AccessRecord[],
): Promise<void> {
  const hours = new Map<number, number>();
  for (const { at, ip, userAgent } of records) {
    const hash = createHash('sha1').update(`${ip}\n${userAgent}`).digest();
    const visitor = hash.readUIntBE(0, 6);
    hours.set(visitor, Math.max(hours.get(visitor) ?? 0, startOfHour(at)));
  }
  const rows = [...hours].map(([visitor, hour]) => ({ visitor, hour }));
  await trx
    .insertInto('accessLogVisitors')
    .values(rows.sort((a, b) => a.visitor - b.visitor))
    .onConflict((conflict) =>
      conflict
        .column('visitor')
        .doUpdateSet(({ ref }) => ({ hour: ref('excluded.hour') }))
        .whereRef('accessLogVisitors.hour', '<', 'excluded.hour'),
    )
    .execute();
}

/** The newest records of the last 24 hours, newest first. */
export function newestRecords(db: Kysely<Tables>, now: number, limit: number) {
  return db
    .selectFrom('accessLog')
    .selectAll()
    .where('at', '>=', now - DAY)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
}

/** All records of the last 24 hours, newest first, some at a time. */
export async function* allRecords(db: Kysely<Tables>, now: number): AsyncGenerator<AccessRecord[]> {
  const newest = newestRecords(db, now, PAGE_SIZE);
  let records = await newest.execute();
  for (let last = records.at(-1); last; last = records.at(-1)) {
    yield records;
    const before = sql<boolean>`("at", "id") < (${last.at}, ${last.id})`;
    records = await newest.where(before).execute();
  }
}

/** When the first hour begins that reaches into the last 24 hours. */
export function firstHour(now: number): number {
  return startOfHour(now - DAY);
}

export async function readAnalytics(db: Kysely<Tables>, now: number): Promise<Analytics> {
  const from = firstHour(now);
  const counts = db.selectFrom('accessLogHours').where('hour', '>=', from);
  const amount = sql<number>`cast(sum("amount") as bigint)`;
  const [sums, pages, statusByHour, visitors] = await Promise.all([
    counts
      .where('kind', 'in', ['status', 'microseconds'])
      .groupBy(['kind', 'key'])
      .select(['kind', 'key', amount.as('amount')])
      .execute(),
    counts
      .where('kind', '=', 'page')
      .groupBy('key')
      .select(['key as url', amount.as('count')])
      .orderBy('count', 'desc')
      .orderBy('url')
      .limit(MAX_LISTED_PAGES)
      .execute(),
    counts
      .where('kind', '=', 'status')
      .groupBy('hour')
      .select([
        'hour',
        amount.as('requests'),
        sql<number>`cast(sum(case when "key" like '5%' then "amount" else 0 end) as bigint)`.as(
          'errors',
        ),
      ])
      .execute(),
    db
      .selectFrom('accessLogVisitors')
      .where('hour', '>=', from)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  const statuses = sums.filter(({ kind }) => kind === 'status');
  const totalRequests = statuses.reduce((sum, { amount: requests }) => sum + requests, 0);
  const microseconds = sums.find(({ kind }) => kind === 'microseconds')?.amount ?? 0;
  return {
    totalRequests,
    uniqueVisitors: visitors.count,
    responseTimeAvg: totalRequests === 0 ? 0 : microseconds / totalRequests / 1000,
    httpStatusCodes: Object.fromEntries(
      statuses.map(({ key, amount: requests }) => [key, requests]),
    ),
    mostVisitedPages: pages,
    hourly: Array.from({ length: 25 }, (_, index) => {
      const at = from + index * HOUR;
      const { requests = 0, errors = 0 } = statusByHour.find(({ hour }) => hour === at) ?? {};
      return { hour: new Date(at).toISOString(), requests, errors };
    }),
  };
}
