/** Keeps the access log within its size and its retention. */

import { sql } from 'kysely';
import { OTHER_SOURCES } from '../attribution/read-visit.server.ts';
import { MAX_LISTED_SOURCES } from '../limits.ts';
import type { Database } from '../platform/database/database.server.ts';
import { inBatches, selectUnlocked } from '../platform/database/queries.server.ts';
import { emptyWriteAheadLog } from '../platform/database/sqlite.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, startOfUtcDay } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { addToHours, startOfHour } from './access-log-store.server.ts';
import { deleteOldVitals } from './web-vitals.server.ts';

/** Rows deleted or changed per statement, so that requests do not wait long. */
const BATCH_SIZE = 250;
const FOLDED_AT_ONCE = 5_000;

export async function deleteExcess(db: Db, maxBytes: number): Promise<void> {
  let excess = (await storedBytes(db)) - maxBytes;
  if (excess <= 0) return;
  for await (const deleted of inBatches(() => deleteRecords(db, Number.MAX_SAFE_INTEGER))) {
    for (const { size } of deleted) excess -= size;
    if (excess <= 0) return;
  }
}

async function storedBytes(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom('accessLog')
    .select(sql<number>`cast(coalesce(sum("size"), 0) as bigint)`.as('bytes'))
    .executeTakeFirstOrThrow();
  return bytes;
}

export function trimLog({ database, env }: Site): Interval {
  return new Interval('access-log-trim-failed', MINUTE_MS, () =>
    trimAccessLog(database, Date.now(), env.logRetentionHours),
  );
}

/** Removes addresses after a day, records and counts when they are due. Sources stay longer. */
export async function trimAccessLog(
  database: Database,
  now: number,
  retentionHours: number,
): Promise<void> {
  const { db } = database;
  const retention = now - retentionHours * HOUR_MS;
  let changed = 0;
  for await (const cleared of inBatches(() => clearAddresses(db, now - DAY_MS)))
    changed += cleared.length;
  for await (const deleted of inBatches(() => deleteRecords(db, retention)))
    changed += deleted.length;
  const counts = db.deleteFrom('accessLogHours');
  await counts.where('hour', '<', startOfHour(retention)).where('kind', '<>', 'source').execute();
  // Staff see the sources of 90 days.
  await counts.where('hour', '<', startOfHour(now - 91 * DAY_MS)).execute();
  await deleteOldVitals(db, now);
  for (const day of [startOfUtcDay(now - DAY_MS), startOfUtcDay(now)])
    for await (const _ of inBatches(() => foldSources(db, day)));
  // SQLite overwrites deleted rows in the database file, but not in the write-ahead log.
  if (changed > 0) await emptyWriteAheadLog(database);
}

/** Anyone can make up names: those with the fewest visits of the day become one row. */
function foldSources(db: Db, day: number): Promise<{ amount: number }[]> {
  return db.transaction().execute(async (trx) => {
    const least = trx
      .selectFrom('accessLogHours')
      .select('key')
      .where('hour', '=', day)
      .where('kind', '=', 'source')
      .where('key', '<>', OTHER_SOURCES)
      .orderBy('amount', 'desc')
      .orderBy('key')
      .offset(MAX_LISTED_SOURCES)
      .limit(FOLDED_AT_ONCE);
    const folded = await trx
      .deleteFrom('accessLogHours')
      .where('hour', '=', day)
      .where('kind', '=', 'source')
      .where('key', 'in', selectUnlocked(least, trx))
      .returning('amount')
      .execute();
    const amount = folded.reduce((sum, each) => sum + each.amount, 0);
    if (amount > 0)
      await addToHours(trx, [{ hour: day, kind: 'source', key: OTHER_SOURCES, amount }]);
    return folded;
  });
}

function clearAddresses(db: Db, before: number): Promise<{ id: number }[]> {
  return db
    .updateTable('accessLog')
    .set({ ip: '', visitor: 0 })
    .where('id', 'in', (records) =>
      records
        .selectFrom('accessLog')
        .select('id')
        .where('at', '<', before)
        // A literal, as in the partial index, which a parameter would not match.
        .where('ip', '<>', sql.lit(''))
        .limit(BATCH_SIZE),
    )
    .returning('id')
    .execute();
}

function deleteRecords(db: Db, before: number): Promise<{ size: number }[]> {
  return db
    .deleteFrom('accessLog')
    .where('id', 'in', (records) =>
      records
        .selectFrom('accessLog')
        .select('id')
        .where('at', '<', before)
        .orderBy('at')
        .limit(BATCH_SIZE),
    )
    .returning('size')
    .execute();
}
