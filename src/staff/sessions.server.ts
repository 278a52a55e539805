/** Staff sessions, and the calls about them. The database has only a token's hash. */

import { hash } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { SESSION_IDLE_MS, SESSION_SECONDS } from '../limits.ts';
import type { Db, Tables } from '../platform/database/tables.server.ts';
import {
  type Call,
  type CallRequest,
  call,
  type SignInMethod,
  type Staff,
} from '../platform/http/call.server.ts';
import { networkOf } from '../platform/http/client-ip.server.ts';
import { type Cookies, newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { HOUR_MS, isoTime, MINUTE_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { deleteOldAccounts } from './account-store.server.ts';
import { deleteOldAudit, recordAudit } from './audit-store.server.ts';
import { END_OTHER_SESSIONS, GET_SESSION, LIST_SESSIONS, type OpenSession } from './staff-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    sessions: {
      tokenHash: string;
      accountId: number;
      method: SignInMethod;
      createdAt: number;
      lastSeenAt: number;
      /** Shortened. */
      address: string;
      userAgent: string;
    };
  }
}

const MAX_USER_AGENT = 300;

export function sessionCalls({ db }: Site): Call[] {
  return [
    call(
      GET_SESSION,
      { access: 'staff', beforeSetUp: true },
      ({ staff: { name, mustSetUp, signInMethod } }) => ({
        username: name,
        ...(mustSetUp && { mustSetUp }),
        ...(signInMethod === 'oidc' && { workAccount: true }),
      }),
    ),
    call(LIST_SESSIONS, 'staff', ({ staff }) => listSessions(db, staff)),
    call(END_OTHER_SESSIONS, 'staff', async ({ staff, address }) => ({
      ended: await endOthers(db, staff, address),
    })),
  ];
}

/** Deletes ended sessions, unused work accounts and old audit rows, at the start and each hour. */
export function expireSessions({ db }: Site): Interval {
  return new Interval('session-expiry-failed', HOUR_MS, () => deleteExpired(db));
}

export async function deleteExpired(db: Db): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.not(isLive(eb)))
    .execute();
  await deleteOldAccounts(db);
  await deleteOldAudit(db);
}

type Browser = Pick<CallRequest<unknown>, 'headers' | 'address'> & {
  cookies: Pick<Cookies, 'get'>;
};

/** In place of the browser's session before; returns the token of the new one. */
export async function openSession(
  trx: Db,
  accountId: number,
  method: SignInMethod,
  { cookies, headers, address }: Browser,
): Promise<string> {
  const [token, before] = [newToken(), tokenHash(cookies.get('session'))];
  const now = Date.now();
  if (before) await endSession(trx, before);
  await trx
    .insertInto('sessions')
    .values({
      tokenHash: hash('sha256', token),
      accountId,
      method,
      createdAt: now,
      lastSeenAt: now,
      address: networkOf(address),
      userAgent: (headers.get('user-agent') ?? '').slice(0, MAX_USER_AGENT),
    })
    .execute();
  await trx.updateTable('accounts').set({ signedInAt: now }).where('id', '=', accountId).execute();
  return token;
}

export async function endSession(db: Db, sessionHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', sessionHash).execute();
}

/** Once that way in is closed. */
export async function endSessionsOf(db: Db, method: SignInMethod): Promise<void> {
  await db.deleteFrom('sessions').where('method', '=', method).execute();
}

/** The member of staff of a live session. `secondFactorRequired`: useless before it is set up. */
export async function findStaff(
  db: Db,
  token: string | undefined,
  secondFactorRequired: boolean,
  prolongs: boolean,
): Promise<Staff | null> {
  const sessionHash = tokenHash(token);
  if (!sessionHash) return null;
  const now = Date.now();
  const row = await liveSessions(db)
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select(['sessions.accountId', 'sessions.lastSeenAt', 'sessions.method'])
    .select(['accounts.name', 'accounts.publicName', 'accounts.totpSecret'])
    .where('tokenHash', '=', sessionHash)
    .executeTakeFirst();
  if (!row) return null;
  // Not at each request.
  if (prolongs && now - row.lastSeenAt > MINUTE_MS) {
    await db
      .updateTable('sessions')
      .set({ lastSeenAt: now })
      .where('tokenHash', '=', sessionHash)
      .execute();
  }
  const { accountId, name, publicName, method, totpSecret } = row;
  const mustSetUp = secondFactorRequired && method === 'password' && totpSecret === null;
  return {
    accountId,
    name,
    publicName,
    tokenHash: sessionHash,
    signInMethod: method,
    mustSetUp,
  };
}

/** The account's sessions, most recently used first. */
async function listSessions(db: Db, staff: Staff): Promise<OpenSession[]> {
  const rows = await liveSessions(db)
    .selectAll()
    .where('accountId', '=', staff.accountId)
    .orderBy('lastSeenAt', 'desc')
    .execute();
  return rows.map((row) => ({
    // Useless for signing in.
    key: row.tokenHash.slice(0, 16),
    signedInAt: isoTime(row.createdAt),
    lastSeenAt: isoTime(row.lastSeenAt),
    address: row.address,
    userAgent: row.userAgent,
    current: row.tokenHash === staff.tokenHash,
  }));
}

/** Returns how many. */
async function endOthers(db: Db, staff: Staff, address: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const others = await otherSessions(trx, staff).executeTakeFirst();
    const ended = Number(others.numDeletedRows);
    const detail = ended === 1 ? 'one other session' : `${ended} other sessions`;
    if (ended > 0) await recordAudit(trx, { kind: 'sessions-ended', by: staff, address, detail });
    return ended;
  });
}

export function otherSessions(
  db: Db,
  { accountId, tokenHash }: Pick<Staff, 'accountId' | 'tokenHash'>,
) {
  return db
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('tokenHash', '!=', tokenHash);
}

export function liveSessions(db: Db) {
  return db.selectFrom('sessions').where(isLive);
}

function isLive(eb: ExpressionBuilder<Tables, 'sessions'>) {
  const now = Date.now();
  return eb.and([
    eb('sessions.createdAt', '>', now - SESSION_SECONDS * 1000),
    eb('sessions.lastSeenAt', '>', now - SESSION_IDLE_MS),
  ]);
}
