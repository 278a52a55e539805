/** Sessions that have ended and audit rows that have had their year are forgotten, at the start and each hour. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { fromTimeToTime } from '../platform/from-time-to-time.server.ts';
import { forgetOldAudit } from './audit-store.server.ts';
import { forgetOldFailures } from './failure-store.server.ts';
import { forgetOldSessions } from './session-store.server.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Gives what ends it. */
export function expireSessions(db: Kysely<Tables>): () => Promise<void> {
  const tidying = fromTimeToTime('door-not-tidied', HOUR_MS, async () => {
    await Promise.all([forgetOldSessions(db), forgetOldAudit(db), forgetOldFailures(db)]);
  });
  tidying.start();
  return tidying.stop;
}
