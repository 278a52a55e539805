/** Sessions that have ended and audit rows that have had their year are forgotten, at the start and each hour. */
import type { Kysely } from 'kysely';
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { logFault } from '../platform/log.server.ts';
import { forgetOldAudit } from './audit-store.server.ts';
import { forgetOldFailures } from './failure-store.server.ts';
import { forgetOldSessions } from './session-store.server.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Gives what ends it. */
export function expireSessions(db: Kysely<Tables>): () => Promise<void> {
  const tidy = () =>
    Promise.all([forgetOldSessions(db), forgetOldAudit(db), forgetOldFailures(db)]).then(
      () => undefined,
      (error: unknown) => {
        if (!isDatabaseAway(error)) logFault('door-not-tidied', error);
      },
    );
  let running = tidy();
  const timer = setInterval(() => {
    running = tidy();
  }, HOUR_MS).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
