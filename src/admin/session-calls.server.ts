/** Staff see where their account is open, close what is not theirs, and read what happened at the door. */
import type { Kysely } from 'kysely';
import { answer, refuse } from '../platform/answer.server.ts';
import { type AnyCall, call, readId, type Staff } from '../platform/call.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { readAudit, recordAudit } from './audit-store.server.ts';
import { endOtherSessions, isSessionKey, listSessions } from './session-store.server.ts';

export function sessionCalls(db: Kysely<Tables>): AnyCall[] {
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
    call({
      method: 'GET',
      path: '/api/admin/session',
      access: 'staff',
      answer: ({ staff }) => answer({ username: staff.username }),
    }),
    call({
      method: 'GET',
      path: '/api/admin/sessions',
      access: 'staff',
      answer: async ({ staff }) => answer(await listSessions(db, staff)),
    }),
    call({
      method: 'POST',
      path: '/api/admin/sessions/end-others',
      access: 'staff',
      answer: async ({ staff, address }) => answer({ ended: await end(staff, address) }),
    }),
    call({
      method: 'POST',
      path: '/api/admin/sessions/:key/end',
      access: 'staff',
      answer: async ({ staff, address, params }) => {
        const ended = isSessionKey(params.key) ? await end(staff, address, params.key) : 0;
        return ended > 0 ? answer({ ended }) : refuse(404, 'This session has ended already');
      },
    }),
    call({
      method: 'GET',
      path: '/api/admin/audit',
      access: 'staff',
      answer: async ({ query }) =>
        answer(await readAudit(db, readId(query.get('page') ?? '') ?? 1)),
    }),
  ];
}
