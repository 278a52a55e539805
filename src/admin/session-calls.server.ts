/** Staff see where their account is open, close what is not theirs, and read what happened at the door. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, readId, type Staff } from '../platform/http/call.server.ts';
import {
  END_OTHER_SESSIONS,
  END_SESSION,
  GET_SESSION,
  LIST_AUDIT,
  LIST_SESSIONS,
} from './admin-contracts.ts';
import { auditPage, endedSessions, openSessions, who } from './admin-shapes.ts';
import { readAudit, recordAudit } from './audit-store.server.ts';
import { endOtherSessions, isSessionKey, listSessions } from './session-store.server.ts';

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
      answer: who,
      handle: ({ staff }) => ({ username: staff.username }),
    }),
    call(LIST_SESSIONS, {
      access: 'staff',
      answer: openSessions,
      handle: ({ staff }) => listSessions(db, staff),
    }),
    call(END_OTHER_SESSIONS, {
      access: 'staff',
      answer: endedSessions,
      handle: async ({ staff, address }) => ({ ended: await end(staff, address) }),
    }),
    call(END_SESSION, {
      access: 'staff',
      answer: endedSessions,
      handle: async ({ staff, address, params }) => {
        const ended = isSessionKey(params.key) ? await end(staff, address, params.key) : 0;
        return ended > 0 ? { ended } : refuse(404, 'This session has already ended');
      },
    }),
    call(LIST_AUDIT, {
      access: 'staff',
      answer: auditPage,
      handle: ({ query }) => readAudit(db, readId(query.get('page') ?? '') ?? 1),
    }),
  ];
}
