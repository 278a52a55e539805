/** The access log's tables and all their queries. Each batch is one transaction: lines, counts and visitors agree. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Generated, Kysely } from 'kysely';
import { type BulkTarget, bulkInsert } from '../platform/database/bulk-insert.server.ts';
import type { Database } from '../platform/database/database.server.ts';
import { looseTransaction } from '../platform/database/loose-transaction.server.ts';
import type { Flag, Tables } from '../platform/database/tables.server.ts';
import { packLines } from './log-lines.server.ts';
import {
  type BucketTally,
  type CountKind,
  HOUR,
  MINUTE,
  readAmounts,
  startOf,
  writeAmounts,
} from './tally.server.ts';
import { VISITOR_NUMBERS, type Visitor } from './visitors.server.ts';
import type { WaitingPiece } from './waiting-lines.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    accessLog: AccessLogTable;
    accessTallies: AccessTallyTable;
    accessVisitors: AccessVisitorTable;
    accessKeys: AccessKeyTable;
    accessDropped: AccessDroppedTable;
  }
}

/** The requests of up to a second: as text they cost a tenth of what a row for each would, to write and to read. */
interface AccessLogTable {
  id: Generated<number>;
  /** When the first and the last of them came. */
  firstAt: number;
  lastAt: number;
  /** Characters of the lines. */
  size: number;
  /** 0 once they are a day old and hold no address any more. */
  addresses: Flag;
  /** One of CSV for each request, newest first, as `packLines` does it; null in rows of before that. */
  packed: Uint8Array | null;
  /** The same as text in those rows, '' in others. */
  lines: string;
}

/** What one server counted within one minute or hour; those of several servers add up. */
interface AccessTallyTable {
  id: string;
  span: 'minute' | 'hour';
  /** When the minute or hour began. */
  bucket: number;
  /** As tally.server.ts writes them. */
  counts: string;
}

/** Who came within the last day, under a number that nobody can make again once its day's key is gone. */
interface AccessVisitorTable {
  visitor: number;
  /** The minute, in milliseconds. */
  lastSeen: number;
}

interface AccessKeyTable {
  /** '2026-05-13' */
  day: string;
  secret: string;
}

/** One row: requests up to this moment are counted, but the details of some of them are gone. */
interface AccessDroppedTable {
  id: number;
  until: number;
}

const PIECES: BulkTarget = {
  table: 'accessLog',
  columns: {
    firstAt: 'bigint',
    lastAt: 'bigint',
    size: 'integer',
    addresses: 'integer',
    packed: 'bytea',
    lines: 'text',
  },
};

const TALLIES: BulkTarget = {
  table: 'accessTallies',
  columns: { id: 'text', span: 'text', bucket: 'bigint', counts: 'text' },
  ending: 'on conflict ("id") do update set "counts" = excluded."counts"',
};

const VISITORS: BulkTarget = {
  table: 'accessVisitors',
  columns: { visitor: 'bigint', lastSeen: 'bigint' },
  ending:
    'on conflict ("visitor") do update set "lastSeen" = excluded."lastSeen" where excluded."lastSeen" > "accessVisitors"."lastSeen"',
};

export interface AccessBatch {
  /** By minutes, so that none is kept long for what came later. */
  pieces: readonly WaitingPiece[];
  tallies: readonly BucketTally[];
  visitors: readonly Visitor[];
  /** When the newest of the requests came whose lines have been dropped. */
  droppedUntil: number | undefined;
}

/** Gives the bytes of the lines that it has stored. */
export async function storeBatch(database: Database, batch: AccessBatch): Promise<number> {
  const { engine } = database;
  const { tallies, droppedUntil } = batch;
  const pieces = batch.pieces.map(({ firstAt, lastAt, lines }) => [
    firstAt,
    lastAt,
    lines.length,
    1,
    packLines(lines),
    '',
  ]);
  const visitors = batch.visitors.toSorted((a, b) => a.number - b.number);
  const counted = tallies.map(({ id, span, bucket, amounts }) => [
    id,
    span,
    bucket,
    writeAmounts(amounts),
  ]);
  const seen = visitors.map(({ number, lastSeen }) => [number, lastSeen]);
  const former = visitors.flatMap(({ formerNumber }) => formerNumber ?? []);
  // Others are answered before SQLite has its turn.
  await nextTurn();
  await looseTransaction(database, async (trx) => {
    await bulkInsert(trx, engine, PIECES, pieces);
    await bulkInsert(trx, engine, TALLIES, counted);
    if (former.length > 0)
      await trx.deleteFrom('accessVisitors').where('visitor', 'in', paddedList(former)).execute();
    await bulkInsert(trx, engine, VISITORS, seen);
    if (droppedUntil !== undefined) await keepDropped(trx, droppedUntil);
  });
  return batch.pieces.reduce((sum, { lines }) => sum + lines.length, 0);
}

const ONLY_ROW = 1;

/** Lines of requests up to this moment are missing. */
export async function keepDropped(trx: Kysely<Tables>, until: number): Promise<void> {
  await trx
    .insertInto('accessDropped')
    .values({ id: ONLY_ROW, until })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ until }).where('accessDropped.until', '<', until),
    )
    .execute();
}

/** Until when lines are missing of the requests that came from `from` on; null when all are there. */
export async function droppedUntil(db: Kysely<Tables>, from: number): Promise<number | null> {
  const row = await db
    .selectFrom('accessDropped')
    .select('until')
    .where('until', '>=', from)
    .executeTakeFirst();
  return row?.until ?? null;
}

/** What every view shows: the last 24 hours, from the beginning of the minute in which they began. */
export function windowStart(now: number): number {
  return startOf(now - 24 * HOUR, MINUTE);
}

/** Lists of a few lengths only, so that few statements are prepared. */
function paddedList(numbers: readonly number[]): number[] {
  const length = 2 ** Math.ceil(Math.log2(numbers.length));
  return Array.from({ length }, (_, index) => numbers[index] ?? numbers[0] ?? 0);
}

export interface SummedCount {
  kind: CountKind;
  key: string;
  /** When the hour began, for counts by status; 0 for sums over all hours. */
  hour: number;
  amount: number;
}

/** Whole hours by their hour, the part of an hour at the beginning by its minutes. */
export async function sumCounts(db: Kysely<Tables>, from: number): Promise<SummedCount[]> {
  const firstWholeHour = startOf(from + HOUR - 1, HOUR);
  const each = (span: BucketTally['span']) =>
    db.selectFrom('accessTallies').select(['bucket', 'counts']).where('span', '=', span);
  const minutes = each('minute').where('bucket', '>=', from).where('bucket', '<', firstWholeHour);
  const tallies = await each('hour')
    .where('bucket', '>=', firstWholeHour)
    .unionAll(minutes)
    .execute();
  const sums = new Map<string, SummedCount>();
  for (const { bucket, counts } of tallies) {
    for (const { kind, key, amount } of readAmounts(counts)) {
      const hour = kind === 'status' ? startOf(bucket, HOUR) : 0;
      const place = `${hour}\t${kind}\t${key}`;
      const known = sums.get(place);
      if (known) known.amount += amount;
      else sums.set(place, { kind, key, hour, amount });
    }
  }
  return [...sums.values()];
}

/** So many visitors are counted one by one; of more, an estimate that is off by less than 2 %. */
const EXACT_VISITORS = 65_536;
/** More than the smallest so many are not needed for that. */
export const VISITORS_KEPT = 2 * EXACT_VISITORS;

/** Numbers are spread evenly: how many there are follows from how near to 0 the smallest ones lie. */
export async function countVisitors(db: Kysely<Tables>, from: number): Promise<number> {
  const { found, largest } = await db
    .selectFrom((query) =>
      query
        .selectFrom('accessVisitors')
        .select('visitor')
        .where('lastSeen', '>=', from)
        .orderBy('visitor')
        .limit(EXACT_VISITORS)
        .as('smallest'),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('found'),
      fn.max<number | null>('visitor').as('largest'),
    ])
    .executeTakeFirstOrThrow();
  if (found < EXACT_VISITORS || !largest) return found;
  return Math.round(((found - 1) / largest) * VISITOR_NUMBERS);
}
