/** Sessions that have ended and audit rows that have had their year are forgotten, at the start and each hour. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { fromTimeToTime, type Work } from '../platform/from-time-to-time.server.ts';
import { forgetOldAudit } from './audit-store.server.ts';
import { forgetOldFailures } from './failure-store.server.ts';
import { forgetOldSessions } from './session-store.server.ts';

const HOUR_MS = 60 * 60 * 1000;

export function expireSessions(db: Kysely<Tables>): Work {
  return fromTimeToTime('door-not-tidied', HOUR_MS, () => expireNow(db));
}

export async function expireNow(db: Kysely<Tables>): Promise<void> {
  await forgetOldSessions(db);
  await forgetOldAudit(db);
  await forgetOldFailures(db);
}
