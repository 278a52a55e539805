/** What has had its time leaves: addresses and visitors after 24 hours, rows and counts after the retention. */
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.server.ts';
import { isDatabaseAway } from '../../platform/database/database-away.server.ts';
import { logFault } from '../../platform/log.server.ts';
import { windowStart } from '../log-store.server.ts';
import { HOUR, MINUTE, startOf } from '../tally.server.ts';
import {
  boundVisitors,
  bringBack,
  deletePieces,
  deleteTallies,
  deleteVisitors,
  forgetAddresses,
  inPieces,
} from './tidy-store.server.ts';

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
  await bringBack(db, now);
  const forgot = await inPieces(() => forgetAddresses(database, day));
  const deleted = await inPieces(() => deletePieces(db, retention));
  await deleteVisitors(db, 'lastSeen', '<', day);
  await boundVisitors(db);
  await deleteTallies(db, 'minute', now - MINUTES_KEPT);
  await deleteTallies(db, 'hour', startOf(retention, HOUR));
  // SQLite overwrites what is deleted, and its write-ahead log still has what was there.
  if (database.engine === 'sqlite' && forgot + deleted > 0)
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
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
