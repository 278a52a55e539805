/** Signing in, by the password and, with an authenticator, its code; and signing out. */

import { KNOWN_BROWSER_SECONDS, SESSION_SECONDS } from '../limits.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Site } from '../site.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { endSession, openSession } from '../staff/sessions.server.ts';
import { SIGN_IN, SIGN_OUT } from '../staff/staff-api.ts';
import { findUser } from './password-account.server.ts';
import { KNOWN_BROWSER, knownBrowserCookie, proveAccount } from './prove-account.server.ts';
import { acceptCode, recordAndNotify, USED_CODE } from './second-factor.server.ts';

const WRONG = 'Invalid username or password';
const CLOSED = 'Password sign-in is off here. Please use your work account.';

export function signInCalls(site: Site): Call[] {
  const { db, notify, env } = site;
  return [
    call(SIGN_IN, 'anyone', async (request) => {
      if (!env.staffPassword) return refuse(403, CLOSED);
      const { body, address, cookies } = request;
      const { username, code } = body;
      const signedIn = await proveAccount(
        site,
        request,
        {
          ...body,
          user: await findUser(db, username),
          acceptCode: (user) => acceptCode(user, code ?? ''),
          failure: 'sign-in-failed',
          refuse: (codeWasUsed) => refuse(401, codeWasUsed ? USED_CODE : WRONG),
        },
        async (trx, user, { recoveryCodes }) => {
          const by = { accountId: user.id, name: user.name };
          await recordAudit(trx, { kind: 'signed-in', by, address });
          if (recoveryCodes !== undefined)
            await recordAndNotify(trx, notify, { kind: 'recovery-code-used', by, address });
          return { user, token: await openSession(trx, user.id, 'password', request) };
        },
      );
      if (signedIn instanceof Response) return signedIn;
      const { user, token } = signedIn;
      const known = await knownBrowserCookie(db, user);
      cookies.set('session', token, SESSION_SECONDS);
      cookies.set(KNOWN_BROWSER, known, KNOWN_BROWSER_SECONDS);
      return { username: user.name };
    }),
    call(
      SIGN_OUT,
      { access: 'recognized', beforeSetUp: true },
      async ({ staff, address, cookies }) => {
        if (staff) {
          await db.transaction().execute(async (trx) => {
            await endSession(trx, staff.tokenHash);
            await recordAudit(trx, { kind: 'signed-out', by: staff, address });
          });
        }
        cookies.set('session', '', 0);
        return null;
      },
    ),
  ];
}
