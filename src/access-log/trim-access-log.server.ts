/** What has had its time leaves the access log, some rows at a time so that no request waits for it. */
import { setImmediate } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../platform/database/database.server.ts';
import { emptyWriteAheadLog } from '../platform/database/sqlite.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import {
  addToHours,
  firstHour,
  HOUR,
  STORED_BYTES,
  startOfHour,
} from './access-log-store.server.ts';

const ROWS_AT_ONCE = 250;
/** More come in 24 hours only in an attack: the user agent is any text. Those beyond are not counted. */
const MAX_VISITORS = 1_000_000;

/** Deletes the oldest records while all of them have more than `maxBytes`. */
export async function deleteExcess(db: Kysely<Tables>, maxBytes: number): Promise<void> {
  await inChunks(async () => {
    const { amount: bytes } = await db
      .selectFrom('accessLogHours')
      .select('amount')
      .where('kind', '=', 'bytes')
      .executeTakeFirstOrThrow();
    return bytes > maxBytes ? deleteRecords(db, sql`true`) : 0;
  });
}

/**
 * Addresses leave after 24 hours; records and counts after the retention (24 hours or more). What was written while the
 * clock was ahead leaves at once.
 */
export async function trimAccessLog(
  database: Database,
  now: number,
  retentionHours: number,
): Promise<void> {
  const { db } = database;
  const retention = now - retentionHours * HOUR;
  const ahead = now + HOUR;
  const forgotten = await inChunks(() => forgetAddresses(db, now - 24 * HOUR));
  const deleted =
    (await inChunks(() => deleteRecords(db, sql`"at" < ${retention}`))) +
    (await inChunks(() => deleteRecords(db, sql`"at" > ${ahead}`)));
  await db
    .deleteFrom('accessLogHours')
    .where('kind', '<>', 'bytes')
    .where(sql<boolean>`("hour" < ${startOfHour(retention)} or "hour" > ${ahead})`)
    .execute();
  await trimVisitors(db, firstHour(now), ahead);
  // SQLite overwrites what is deleted, and its write-ahead log still has what was there.
  if (forgotten + deleted > 0) await emptyWriteAheadLog(database);
}

async function forgetAddresses(db: Kysely<Tables>, before: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('accessLog')
    .set({ ip: '' })
    .where('id', 'in', (records) =>
      records
        .selectFrom('accessLog')
        .select('id')
        .where('at', '<', before)
        // As the partial index says it.
        .where(sql<boolean>`"ip" <> ''`)
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** The oldest of those that meet the condition; gives how many it has deleted. */
async function deleteRecords(db: Kysely<Tables>, condition: RawBuilder<unknown>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const sizes = await trx
      .deleteFrom('accessLog')
      .where('id', 'in', (records) =>
        records
          .selectFrom('accessLog')
          .select('id')
          .where(sql<boolean>`${condition}`)
          .orderBy('at')
          .limit(ROWS_AT_ONCE),
      )
      .returning('size')
      .execute();
    const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
    await addToHours(trx, [{ ...STORED_BYTES, amount: -bytes }]);
    return sizes.length;
  });
}

async function trimVisitors(db: Kysely<Tables>, from: number, ahead: number): Promise<void> {
  const visitors = db.selectFrom('accessLogVisitors').select('visitor').orderBy('visitor');
  const first = await visitors.offset(MAX_VISITORS).limit(1).executeTakeFirst();
  const excess = first?.visitor ?? Number.MAX_SAFE_INTEGER;
  await inChunks(async () => {
    const { numDeletedRows } = await db
      .deleteFrom('accessLogVisitors')
      .where('visitor', 'in', (due) =>
        due
          .selectFrom('accessLogVisitors')
          .select('visitor')
          .where(sql<boolean>`("hour" < ${from} or "hour" > ${ahead} or "visitor" >= ${excess})`)
          .limit(ROWS_AT_ONCE),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

/** Repeats until nothing is left to do; gives how many rows that were. */
async function inChunks(changeSome: () => Promise<number>): Promise<number> {
  let all = 0;
  for (let rows = await changeSome(); rows > 0; rows = await changeSome()) {
    all += rows;
    await setImmediate();
  }
  return all;
}
