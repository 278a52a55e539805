/**
 * Staff sessions: where an account is signed in, how other sessions are ended, and the record of sign-ins. Only the browser
 * has a session's token; its hash is stored.
 */
import type { ExpressionBuilder } from 'kysely';
import type { Db, Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, readId, type Staff } from '../platform/http/call.server.ts';
import { truncateIp } from '../platform/http/client-ip.server.ts';
import { newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { HOUR_MS } from '../platform/time.ts';
import { forgetOldAudit, readAudit, recordAudit } from './audit-store.server.ts';
import { forgetOldFailures } from './failure-store.server.ts';
import {
  END_OTHER_SESSIONS,
  END_SESSION,
  GET_SESSION,
  LIST_AUDIT,
  LIST_SESSIONS,
  type OpenSession,
} from './staff-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    sessions: SessionTable;
  }
}

interface SessionTable {
  tokenHash: string;
  userId: number;
  createdAt: number;
  lastSeenAt: number;
  /** Where it was opened: a shortened address, and the browser's own name for itself. */
  address: string;
  userAgent: string;
}

export const SESSION_SECONDS = 12 * 60 * 60;
const IDLE_MS = 2 * HOUR_MS;
/** The clocks of instances may differ by so much. A session that began later than that was opened under a wrong clock, and has ended. */
const AHEAD_MS = 5 * 60 * 1000;
/** `lastSeenAt` is written at most this often. */
const TOUCH_MS = 60_000;
const LONGEST_AGENT = 300;

export function sessionCalls(db: Db): Call[] {
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
      handle: async ({ staff, address }) => ({ ended: await endOthers(db, staff, address) }),
    }),
    call(END_SESSION, {
      access: 'staff',
      handle: async ({ staff, address, params }) => {
        const key = params.key ?? '';
        const ended = SESSION_KEY.test(key) ? await endOthers(db, staff, address, key) : 0;
        return ended > 0 ? { ended } : refuse(404, 'This session has already ended');
      },
    }),
    call(LIST_AUDIT, {
      access: 'staff',
      handle: ({ query }) => readAudit(db, readId(query.get('page') ?? '') ?? 1),
    }),
  ];
}

/** Deletes ended sessions, old failures and old audit rows, at the start and each hour. */
export function expireSessions(db: Db): Interval {
  return new Interval('sessions-not-expired', HOUR_MS, () => expireNow(db));
}

export async function expireNow(db: Db): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.not(isLive(eb)))
    .execute();
  await forgetOldAudit(db);
  await forgetOldFailures(db);
}

interface SessionOrigin {
  address: string;
  userAgent: string;
}

/** Opens a session and gives its token, for the browser's cookie. */
export async function openSession(db: Db, userId: number, origin: SessionOrigin): Promise<string> {
  const token = newToken();
  const now = Date.now();
  await db
    .insertInto('sessions')
    .values({
      tokenHash: tokenHash(token) ?? '',
      userId,
      createdAt: now,
      lastSeenAt: now,
      address: truncateIp(origin.address),
      userAgent: origin.userAgent.slice(0, LONGEST_AGENT),
    })
    .execute();
  return token;
}

export async function endSession(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', hash).execute();
}

/** The member of staff whose session has this token, unless it is 12 hours old or has been idle for two. */
export async function findStaff(db: Db, token: string | undefined): Promise<Staff | null> {
  const hash = tokenHash(token);
  if (!hash) return null;
  const now = Date.now();
  const row = await liveSessions(db)
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.userId', 'sessions.lastSeenAt', 'users.username'])
    .where('tokenHash', '=', hash)
    .executeTakeFirst();
  if (!row) return null;
  if (Math.abs(now - row.lastSeenAt) > TOUCH_MS) {
    await db
      .updateTable('sessions')
      .set({ lastSeenAt: now })
      .where('tokenHash', '=', hash)
      .execute();
  }
  return { userId: row.userId, username: row.username, tokenHash: hash };
}

/** The account's sessions, the one used last first. */
async function listSessions(db: Db, staff: Staff): Promise<OpenSession[]> {
  const rows = await liveSessions(db)
    .selectAll()
    .where('userId', '=', staff.userId)
    .orderBy('lastSeenAt', 'desc')
    .execute();
  return rows.map((row) => ({
    key: row.tokenHash.slice(0, KEY_LENGTH),
    signedInAt: new Date(row.createdAt).toISOString(),
    lastSeenAt: new Date(row.lastSeenAt).toISOString(),
    address: row.address,
    userAgent: row.userAgent,
    current: row.tokenHash === staff.tokenHash,
  }));
}

/** Ends the account's other sessions, or the one with this key; records who did it and returns how many have ended. */
async function endOthers(db: Db, staff: Staff, address: string, key?: string): Promise<number> {
  const { userId, username, tokenHash } = staff;
  return db.transaction().execute(async (trx) => {
    let others = trx
      .deleteFrom('sessions')
      .where('userId', '=', userId)
      .where('tokenHash', '!=', tokenHash);
    if (key) others = others.where('tokenHash', 'like', `${key}%`);
    const ended = Number((await others.executeTakeFirst()).numDeletedRows);
    const detail = ended === 1 ? 'one other session' : `${ended} other sessions`;
    if (ended > 0) await recordAudit(trx, { kind: 'sessions-ended', username, address, detail });
    return ended;
  });
}

/** The beginning of a session's hash tells it from others, and opens nothing. */
const KEY_LENGTH = 16;
const SESSION_KEY = /^[0-9a-f]{16}$/;

function liveSessions(db: Db) {
  return db.selectFrom('sessions').where(isLive);
}

function isLive({ eb, and }: ExpressionBuilder<Tables, 'sessions'>) {
  const now = Date.now();
  return and([
    eb('createdAt', '>', now - SESSION_SECONDS * 1000),
    eb('createdAt', '<=', now + AHEAD_MS),
    eb('lastSeenAt', '>', now - IDLE_MS),
  ]);
}
