/** Staff sign in and out. Only failures count towards the limits, by address and by name separately. */
import type { Kysely } from 'kysely';
import { answer, refuse } from '../platform/answer.server.ts';
import { type AnyCall, call } from '../platform/call.server.ts';
import { type Cookies, tokenHash } from '../platform/cookies.server.ts';
import { type Limit, type RateLimits, tryAgain } from '../platform/rate-limit.server.ts';
import type { Row, Tables } from '../platform/tables.server.ts';
import { findUser } from './account-store.server.ts';
import { recordAudit } from './audit-store.server.ts';
import { passwordMatches } from './password.server.ts';
import { endSession, openSession, SESSION_SECONDS } from './session-store.server.ts';
import { signInRequest } from './sign-in.ts';

const TEN_FAILURES = [{ calls: 10, seconds: 15 * 60 }];
const BY_ADDRESS: Limit = { name: 'sign-in-address', rules: TEN_FAILURES };
const BY_NAME: Limit = { name: 'sign-in-name', rules: TEN_FAILURES };

interface Ground {
  db: Kysely<Tables>;
  cookies: Cookies;
  limits: RateLimits;
}

export function signInCalls({ db, cookies, limits }: Ground): AnyCall[] {
  return [
    call({
      method: 'POST',
      path: '/api/admin/login',
      access: 'anyone',
      body: signInRequest,
      answer: async ({ body: { username, password }, limitKey, address, headers }) => {
        // First, so that a database that is away makes nobody's attempt a failure.
        const user = await findUser(db, username);
        const counted = [
          { limit: BY_ADDRESS, key: limitKey },
          { limit: BY_NAME, key: username.toLowerCase() },
        ];
        const wait = await waitOrCount(limits, counted);
        if (wait > 0)
          return refuse(429, `Too many failed attempts. ${tryAgain(wait)}`, { retryAfter: wait });
        if (!(await passwordMatches(password, user?.passwordHash)) || !user) {
          await recordAudit(db, { kind: 'sign-in-failed', username, address });
          return refuse(401, 'Invalid username or password');
        }
        await Promise.all(counted.map(({ limit, key }) => limits.giveBack(limit, key)));
        const old = tokenHash(cookies.read(headers.get('cookie'), 'session'));
        const userAgent = headers.get('user-agent') ?? '';
        const token = await db.transaction().execute(async (trx) => {
          if (!(await stillOpens(trx, user))) return undefined;
          if (old) await endSession(trx, old);
          await recordAudit(trx, { kind: 'signed-in', username, address });
          return openSession(trx, user.id, { address, userAgent });
        });
        if (token === undefined) return refuse(401, 'Invalid username or password');
        return answer({ username: user.username }, 200, {
          'Set-Cookie': cookies.write('session', token, SESSION_SECONDS),
        });
      },
    }),
    call({
      method: 'POST',
      path: '/api/admin/logout',
      access: 'recognised',
      answer: async ({ staff, address }) => {
        if (staff) {
          await db.transaction().execute(async (trx) => {
            await endSession(trx, staff.tokenHash);
            await recordAudit(trx, { kind: 'signed-out', username: staff.username, address });
          });
        }
        return answer(null, 204, { 'Set-Cookie': cookies.write('session', '', 0) });
      },
    }),
  ];
}

/**
 * Whether the password that was checked is not another by now: changing it ends the sessions there are, and a later
 * one must not come by the old one. Locks the account's row until the transaction ends.
 */
async function stillOpens(trx: Kysely<Tables>, checked: Row<'users'>): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set(({ ref }) => ({ passwordHash: ref('passwordHash') }))
    .where('id', '=', checked.id)
    .where('passwordHash', '=', checked.passwordHash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * The seconds to wait, or 0 with the attempt counted as a failure: before its password is checked, so that
 * attempts sent side by side count too. What is refused here counts nothing, or strangers could prolong it.
 */
async function waitOrCount(
  limits: RateLimits,
  counted: readonly { limit: Limit; key: string }[],
): Promise<number> {
  const waits = await Promise.all(counted.map(({ limit, key }) => limits.wait(limit, key)));
  if (Math.max(...waits) > 0) return Math.max(...waits);
  const counts = await Promise.all(counted.map(({ limit, key }) => limits.count(limit, key)));
  return Math.max(...counts);
}
