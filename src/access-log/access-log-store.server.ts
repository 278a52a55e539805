/**
 * The access log's tables and their queries. Records, hourly counts and visitors of a batch are stored in one
 * transaction; the counts stay right when the oldest records are deleted.
 */
import { createHash } from 'node:crypto';
import { type Generated, type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/database.server.ts';
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

type CountKind =
  /** Requests by status code. */
  | 'status'
  /** Sum of the response times; its key is ''. */
  | 'microseconds'
  /** Visits by path. */
  | 'page'
  /** Sum of the sizes of all stored records; its hour is 0 and its key ''. */
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

/** Amounts by `countKey`. */
export type Counts = Map<string, number>;

/** No key holds a tab: records are cleaned. */
export function countKey(hour: number, kind: CountKind, key: string): string {
  return `${hour}\t${kind}\t${key}`;
}

export function addCount(counts: Counts, key: string, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

/** Stores all or, when it throws, nothing. */
export function storeBatch(
  database: Database,
  records: readonly AccessRecord[],
  counts: Counts,
): Promise<void> {
  const bytes = records.reduce((sum, record) => sum + recordSize(record), 0);
  const visitors = visitorsOf(records);
  return database.db.transaction().execute(async (trx) => {
    await insertRecords(trx, database, records);
    await addToHours(trx, database, new Map([...counts, [countKey(0, 'bytes', ''), bytes]]));
    await upsertVisitors(trx, database, visitors);
  });
}

/** One parameter for all rows: a statement with a parameter for each value costs ten times the processor. */
function rowsOf({ engine }: Database, rows: readonly (readonly (string | number)[])[]) {
  const json = JSON.stringify(rows);
  return engine === 'sqlite'
    ? sql`json_each(${json})`
    : sql`json_array_elements(${json}::json) as entry(value)`;
}

async function insertRecords(
  trx: Kysely<Tables>,
  database: Database,
  records: readonly AccessRecord[],
): Promise<void> {
  const rows = rowsOf(
    database,
    records.map((record) => {
      const { at, ip, method, url, status, durationUs, bytes, referrer, userAgent } = record;
      const size = recordSize(record);
      return [at, ip, method, url, status, durationUs, bytes, referrer, userAgent, size];
    }),
  );
  await sql`
    insert into "accessLog"
      ("at", "ip", "method", "url", "status", "durationUs", "bytes", "referrer", "userAgent", "size")
    select cast(value->>0 as bigint), value->>1, value->>2, value->>3, cast(value->>4 as integer),
      cast(value->>5 as bigint), cast(value->>6 as bigint), value->>7, value->>8,
      cast(value->>9 as integer)
    from ${rows}`.execute(trx);
}

/** In the order of their keys, or servers that share a database would lock each other out. */
export async function addToHours(
  trx: Kysely<Tables>,
  database: Database,
  counts: Counts,
): Promise<void> {
  const keys = [...counts.keys()].sort();
  const rows = keys.map((key) => [...key.split('\t'), counts.get(key) ?? 0]);
  await sql`
    insert into "accessLogHours" ("hour", "kind", "key", "amount")
    select cast(value->>0 as bigint), value->>1, value->>2, cast(value->>3 as bigint)
    from ${rowsOf(database, rows)} where true
    on conflict ("hour", "kind", "key")
      do update set "amount" = "accessLogHours"."amount" + excluded."amount"`.execute(trx);
}

function visitorsOf(records: readonly AccessRecord[]): [visitor: number, hour: number][] {
  const hours = new Map<string, number>();
  for (const { at, ip, userAgent } of records) {
    const visitor = `${ip}\n${userAgent}`;
    hours.set(visitor, Math.max(hours.get(visitor) ?? 0, startOfHour(at)));
  }
  return [...hours]
    .map(([visitor, hour]): [number, number] => [
      createHash('sha1').update(visitor).digest().readUIntBE(0, 6),
      hour,
    ])
    .sort(([a], [b]) => a - b);
}

async function upsertVisitors(
  trx: Kysely<Tables>,
  database: Database,
  visitors: readonly [visitor: number, hour: number][],
): Promise<void> {
  await sql`
    insert into "accessLogVisitors" ("visitor", "hour")
    select cast(value->>0 as bigint), cast(value->>1 as bigint)
    from ${rowsOf(database, visitors)} where true
    on conflict ("visitor") do update set "hour" = excluded."hour"
      where "accessLogVisitors"."hour" < excluded."hour"`.execute(trx);
}

/** Newest first. */
export function newestRecords(
  db: Kysely<Tables>,
  now: number,
  limit: number,
): Promise<(AccessRecord & { id: number })[]> {
  return db
    .selectFrom('accessLog')
    .selectAll()
    .where('at', '>=', now - DAY)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** All records of the last 24 hours, newest first, some at a time. */
export async function* allRecords(db: Kysely<Tables>, now: number): AsyncGenerator<AccessRecord[]> {
  let before = { at: Number.MAX_SAFE_INTEGER, id: 0 };
  for (;;) {
    const records = await db
      .selectFrom('accessLog')
      .selectAll()
      .where('at', '>=', now - DAY)
      .where(sql<boolean>`("at", "id") < (${before.at}, ${before.id})`)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(PAGE_SIZE)
      .execute();
    const last = records.at(-1);
    if (!last) return;
    yield records;
    before = last;
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
