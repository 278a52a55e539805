/** The access log's tables. Figures come from hourly counts, which outlive the records. */
import { hash } from 'node:crypto';
import { type Generated, type Insertable, sql } from 'kysely';
import type { Times } from '../company/days.ts';
import { MAX_LISTED_PAGES } from '../limits.ts';
import { inBatches, olderThan } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { DAY_MS, HOUR_MS, isoTime, startOfUtcDay } from '../platform/time.ts';
import type { Analytics } from './access-log-api.ts';
import { type AccessRecord, visitedPath } from './access-record.server.ts';
import { readVitals } from './web-vitals.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    accessLog: AccessLogTable;
    accessLogHours: AccessLogHoursTable;
  }
}

/** `ip` is empty, and `visitor` 0, once the record is a day old. */
interface AccessLogTable extends AccessRecord {
  id: Generated<number>;
  /** A hash of IP address and user agent. */
  visitor: number;
  /** Bytes that count toward LOG_MAX_MB. */
  size: number;
}

type CountKind =
  /** Requests by status code. */
  | 'status'
  /** Sum of the durations; its key is ''. */
  | 'microseconds'
  /** Visits by page: a result of `PageOf`. */
  | 'page'
  /** Visits by source, kept for longer than the others. */
  | 'source';

interface AccessLogHoursTable {
  /** Start of the hour (UTC), or of a source's day, in milliseconds. */
  hour: number;
  kind: CountKind;
  key: string;
  amount: number;
}

/** Bytes for the row's numbers, its header and its index entries. */
const ROW_OVERHEAD = 150;
const PAGE_SIZE = 1000;
/** Rows among which the paths that were not found are counted. */
const RECENT_ROWS = 5000;
const HASH_BYTES = 6;

/** The page that a path leads to; undefined for anything else. Each result takes a row an hour. */
export type PageOf = (path: string) => string | undefined;

export function startOfHour(at: number): number {
  return at - (at % HOUR_MS);
}

export function recordSize({ method, url, referrer, userAgent, ip }: AccessRecord): number {
  return ROW_OVERHEAD + ip.length + method.length + url.length + referrer.length + userAgent.length;
}

/** Stores all records, or none when it throws. */
export function storeBatch(
  db: Db,
  records: readonly AccessRecord[],
  pageOf: PageOf,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await trx.insertInto('accessLog').values(records.map(rowOf)).execute();
    await addToHours(trx, countsOf(records, pageOf));
  });
}

function rowOf(record: AccessRecord): Insertable<AccessLogTable> {
  const { at, ip, method, url, status, durationUs, bytes, referrer, userAgent } = record;
  const text = { ip, method, url, referrer, userAgent };
  const visitor = hash('sha1', `${ip}\n${userAgent}`).slice(0, 2 * HASH_BYTES);
  const counted = { visitor: Number.parseInt(visitor, 16), size: recordSize(record) };
  return { at, status, durationUs, bytes, ...text, ...counted };
}

/** Sorted by key: servers that share a database lock the rows in one order and cannot deadlock. */
function countsOf(records: readonly AccessRecord[], pageOf: PageOf): AccessLogHoursTable[] {
  const counts = new Map<string, AccessLogHoursTable>();
  const add = (count: AccessLogHoursTable) => {
    const name = `${count.hour} ${count.kind} ${count.key}`;
    const sum = counts.get(name);
    if (sum) sum.amount += count.amount;
    else counts.set(name, count);
  };
  for (const record of records) {
    const hour = startOfHour(record.at);
    const path = visitedPath(record);
    const page = path === undefined ? undefined : pageOf(path);
    add({ hour, kind: 'status', key: String(record.status), amount: 1 });
    add({ hour, kind: 'microseconds', key: '', amount: record.durationUs });
    if (page === undefined) continue;
    add({ hour, kind: 'page', key: page, amount: 1 });
    if (!record.source) continue;
    add({ hour: startOfUtcDay(record.at), kind: 'source', key: record.source, amount: 1 });
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
}

export async function addToHours(trx: Db, counts: AccessLogHoursTable[]): Promise<void> {
  await trx
    .insertInto('accessLogHours')
    .values(counts)
    .onConflict((conflict) =>
      conflict.columns(['hour', 'kind', 'key']).doUpdateSet(({ eb, ref }) => ({
        amount: eb(ref('accessLogHours.amount'), '+', ref('excluded.amount')),
      })),
    )
    .execute();
}

export function last24Hours(now: number): Times {
  return { from: now - DAY_MS, to: now };
}

/** Those before `last`. */
export function newestRecords(db: Db, { from, to }: Times, limit: number, last?: Row<'accessLog'>) {
  const before = last && { createdAt: last.at, id: last.id };
  return db
    .selectFrom('accessLog')
    .selectAll()
    .where('at', '>=', from)
    .where(olderThan(before, to, 'accessLog', 'at'))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
}

export function allRecords(db: Db, times: Times): AsyncGenerator<AccessRecord[]> {
  return inBatches((last: Row<'accessLog'> | undefined) =>
    newestRecords(db, times, PAGE_SIZE, last).execute(),
  );
}

export async function readAnalytics(db: Db, now: number): Promise<Analytics> {
  // The first clock hour that overlaps.
  const from = startOfHour(last24Hours(now).from);
  const counts = db.selectFrom('accessLogHours').where('hour', '>=', from).where('hour', '<=', now);
  const [sums, mostVisitedPages, pathsNotFound, uniqueVisitors, webVitals] = await Promise.all([
    counts.where('kind', 'in', ['status', 'microseconds']).selectAll().execute(),
    counts
      .where('kind', '=', 'page')
      .groupBy('key')
      .select(['key as url', sql<number>`cast(sum("amount") as bigint)`.as('count')])
      .orderBy('count', 'desc')
      .orderBy('url')
      .limit(MAX_LISTED_PAGES)
      .execute(),
    readPathsNotFound(db, now),
    countVisitors(db, now),
    readVitals(db, now),
  ]);
  const statuses = sums.filter(({ kind }) => kind === 'status');
  const totalRequests = sumOf(statuses);
  const microseconds = sumOf(sums.filter(({ kind }) => kind === 'microseconds'));
  const byStatus = Map.groupBy(statuses, ({ key }) => key);
  return {
    totalRequests,
    uniqueVisitors,
    responseTimeAvg: totalRequests === 0 ? 0 : microseconds / totalRequests / 1000,
    httpStatusCodes: Object.fromEntries(
      [...byStatus].map(([status, rows]) => [status, sumOf(rows)]),
    ),
    mostVisitedPages,
    pathsNotFound,
    webVitals,
    hourly: Array.from({ length: 25 }, (_, index) => {
      const at = from + index * HOUR_MS;
      const inHour = statuses.filter(({ hour }) => hour === at);
      return {
        hour: isoTime(at),
        requests: sumOf(inHour),
        errors: sumOf(inHour.filter(({ key }) => key.startsWith('5'))),
      };
    }),
  };
}

function sumOf(rows: readonly Pick<AccessLogHoursTable, 'amount'>[]): number {
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

/** Of the newest requests only, since a flood leaves millions. */
function readPathsNotFound(db: Db, now: number) {
  return db
    .selectFrom(newestRecords(db, last24Hours(now), RECENT_ROWS).as('recent'))
    .where('status', '=', 404)
    .groupBy('url')
    .select(['url', ({ fn }) => fn.countAll<number>().as('count')])
    .orderBy('count', 'desc')
    .orderBy('url')
    .limit(MAX_LISTED_PAGES)
    .execute();
}

async function countVisitors(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('accessLog')
    .where('visitor', '>', 0)
    .where('at', '>=', last24Hours(now).from)
    .select(({ fn }) => fn.count<number>('visitor').distinct().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
