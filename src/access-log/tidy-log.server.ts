/** What has had its time leaves: addresses and visitors after 24 hours, rows and counts after the retention. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database.server.ts';
import { isDatabaseAway } from '../platform/database-away.server.ts';
import { logFault } from '../platform/log.server.ts';
import { looseTransaction } from '../platform/loose-transaction.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { withoutAddresses } from './csv-line.server.ts';
import { windowStart } from './log-store.server.ts';
import { HOUR, MINUTE, startOf } from './tally.server.ts';

/** Small enough to keep no request waiting for more than a few milliseconds. */
const PIECES_AT_ONCE = 20;
const VISITORS_AT_ONCE = 1000;
/** Minutes are read for the first hour shown only. */
const MINUTES_KEPT = 26 * HOUR;

export async function tidyLog(
  database: Database,
  now: number,
  retentionHours: number,
): Promise<void> {
  const { db } = database;
  const day = windowStart(now);
  // Never what the screens still show, however short the retention.
  const retention = Math.min(now - retentionHours * HOUR, day);
  await inPieces(() => forgetAddresses(database, day));
  await inPieces(() => deletePieces(db, retention));
  await inPieces(() => deleteVisitors(db, day));
  await deleteTallies(db, 'minute', now - MINUTES_KEPT);
  await deleteTallies(db, 'hour', startOf(retention, HOUR));
}

async function inPieces(piece: () => Promise<number>): Promise<void> {
  while ((await piece()) > 0) await nextTurn();
}

async function forgetAddresses(database: Database, before: number): Promise<number> {
  const pieces = await database.db
    .selectFrom('accessLog')
    .select(['id', 'lines'])
    .where('addresses', '=', 1)
    .where('lastAt', '<', before)
    .limit(PIECES_AT_ONCE)
    .execute();
  if (pieces.length === 0) return 0;
  await looseTransaction(database, async (trx) => {
    for (const { id, lines } of pieces) {
      const bare = withoutAddresses(lines);
      await trx
        .updateTable('accessLog')
        .set({ lines: bare, size: bare.length, addresses: 0 })
        .where('id', '=', id)
        .execute();
    }
  });
  return pieces.length;
}

async function deletePieces(db: Kysely<Tables>, before: number): Promise<number> {
  const due = db
    .selectFrom('accessLog')
    .select('id')
    .where('lastAt', '<', before)
    .limit(PIECES_AT_ONCE);
  const done = await db.deleteFrom('accessLog').where('id', 'in', due).executeTakeFirst();
  return Number(done.numDeletedRows);
}

async function deleteVisitors(db: Kysely<Tables>, before: number): Promise<number> {
  const due = db
    .selectFrom('accessVisitors')
    .select('visitor')
    .where('lastSeen', '<', before)
    .limit(VISITORS_AT_ONCE);
  const done = await db.deleteFrom('accessVisitors').where('visitor', 'in', due).executeTakeFirst();
  return Number(done.numDeletedRows);
}

async function deleteTallies(
  db: Kysely<Tables>,
  span: 'minute' | 'hour',
  before: number,
): Promise<void> {
  await db
    .deleteFrom('accessTallies')
    .where('span', '=', span)
    .where('bucket', '<', before)
    .execute();
}

/** Tidies each minute; gives what ends it. */
export function keepLogTidy(database: Database, retentionHours: number): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = tidyLog(database, Date.now(), retentionHours).catch((error: unknown) => {
      if (!isDatabaseAway(error)) logFault('access-log-not-tidied', error);
    });
  }, MINUTE).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
