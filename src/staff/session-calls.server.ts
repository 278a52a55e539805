/** Staff see where their account is open, close what is not theirs, and read what happened at the door. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, readId, type Staff } from '../platform/http/call.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { forgetOldAudit, readAudit, recordAudit } from './audit-store.server.ts';
import { forgetOldFailures } from './failure-store.server.ts';
import {
  endOtherSessions,
  forgetOldSessions,
  isSessionKey,
  listSessions,
} from './session-store.server.ts';
import {
  END_OTHER_SESSIONS,
  END_SESSION,
  GET_SESSION,
  LIST_AUDIT,
  LIST_SESSIONS,
} from './staff-api.ts';

export function sessionCalls(db: Kysely<Tables>): Call[] {
  /** Ends what is to be ended and writes down that somebody did. */
  async function end(staff: Staff, address: string, key?: string): Promise<number> {
    return db.transaction().execute(async (trx) => {
      const ended = await endOtherSessions(trx, staff, key);
      const detail = ended === 1 ? 'one other session' : `${ended} other sessions`;
      if (ended > 0) {
        await recordAudit(trx, {
          kind: 'sessions-ended',
          username: staff.username,
          address,
          detail,
        });
      }
      return ended;
    });
  }

  return [
    call(GET_SESSION, {
      access: 'staff',
      handle: ({ staff }) => ({ username: staff.username }),
    }),
    call(LIST_SESSIONS, {
      access: 'staff',
      handle: ({ staff }) => listSessions(db, staff),
    }),
    call(END_OTHER_SESSIONS, {
      access: 'staff',
      handle: async ({ staff, address }) => ({ ended: await end(staff, address) }),
    }),
    call(END_SESSION, {
      access: 'staff',
      handle: async ({ staff, address, params }) => {
        const ended = isSessionKey(params.key) ? await end(staff, address, params.key) : 0;
        return ended > 0 ? { ended } : refuse(404, 'This session has already ended');
      },
    }),
    call(LIST_AUDIT, {
      access: 'staff',
      handle: ({ query }) => readAudit(db, readId(query.get('page') ?? '') ?? 1),
    }),
  ];
}

const HOUR_MS = 60 * 60 * 1000;

/** Sessions that have ended, failures and audit rows that have had their time are deleted, at the start and each hour. */
export function expireSessions(db: Kysely<Tables>): Interval {
  return new Interval('sessions-not-expired', HOUR_MS, () => expireNow(db));
}

export async function expireNow(db: Kysely<Tables>): Promise<void> {
  await forgetOldSessions(db);
  await forgetOldAudit(db);
  await forgetOldFailures(db);
}
