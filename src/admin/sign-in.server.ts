/** Staff sign in and out. Only failures count towards the limits, by address and by name separately. */
import type { Kysely } from 'kysely';
import { answer, refuse } from '../platform/answer.server.ts';
import { type AnyCall, call } from '../platform/call.server.ts';
import { type Cookies, tokenHash } from '../platform/cookies.server.ts';
import { type Limit, type RateLimits, tryAgain } from '../platform/rate-limit.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { passwordMatches } from './password.server.ts';
import { endSession, findUser, openSession, SESSION_SECONDS } from './session-store.server.ts';
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
      answer: async ({ body: { username, password }, limitKey, headers }) => {
        const name = username.toLowerCase();
        const wait = Math.max(
          await limits.wait(BY_ADDRESS, limitKey),
          await limits.wait(BY_NAME, name),
        );
        if (wait > 0)
          return refuse(429, `Too many failed attempts. ${tryAgain(wait)}`, { retryAfter: wait });
        const user = await findUser(db, username);
        if (!(await passwordMatches(password, user?.passwordHash)) || !user) {
          await Promise.all([limits.count(BY_ADDRESS, limitKey), limits.count(BY_NAME, name)]);
          return refuse(401, 'Invalid username or password');
        }
        const old = tokenHash(cookies.read(headers.get('cookie'), 'session'));
        if (old) await endSession(db, old);
        const token = await openSession(db, user.id);
        return answer({ username: user.username }, 200, {
          'Set-Cookie': cookies.write('session', token, SESSION_SECONDS),
        });
      },
    }),
    call({
      method: 'POST',
      path: '/api/admin/logout',
      access: 'anyone',
      answer: async ({ staff }) => {
        if (staff) await endSession(db, staff.tokenHash);
        return answer(null, 204, { 'Set-Cookie': cookies.write('session', '', 0) });
      },
    }),
    call({
      method: 'GET',
      path: '/api/admin/session',
      access: 'staff',
      answer: ({ staff }) => answer({ username: staff?.username }),
    }),
  ];
}
