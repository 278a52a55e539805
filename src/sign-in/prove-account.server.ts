/**
 * Proves the owner by password and code. Failures count against address, network and name, in a
 * known browser against that alone: strangers who guess cannot lock staff out.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  FAILURES_BY_ADDRESS,
  FAILURES_BY_BROWSER,
  FAILURES_BY_NAME,
  FAILURES_BY_NETWORK,
} from '../limits.ts';
import { signingKey } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import type { CallRequest } from '../platform/http/call.server.ts';
import { networkOf } from '../platform/http/client-ip.server.ts';
import { tryAgain } from '../platform/http/rate-limit.server.ts';
import type { Site } from '../site.server.ts';
import type { AuditKind } from '../staff/staff-api.ts';
import { passwordMatches } from './password.server.ts';

export const KNOWN_BROWSER = 'known_browser';

export type AccountChange = Partial<Omit<Row<'accounts'>, 'id' | 'name' | 'foldedName'>>;

/** What an accepted code changes of the account; 'used' for a repeated one; else undefined. */
export type Accepted = AccountChange | 'used' | undefined;

interface Attempt {
  user: Row<'accounts'> | undefined;
  /** As it was typed: failures count against it. */
  username: string;
  password: string;
  /** Runs whatever the password. */
  acceptCode: (user: Row<'accounts'>) => Accepted;
  /** How a failure is audited and answered, the same for a wrong password and a wrong code. */
  failure: AuditKind;
  refuse: (codeWasUsed: boolean) => Response;
}

/** Runs `then` in the transaction that stores what the code has changed, or refuses. */
export async function proveAccount<Result>(
  { db, limits, failureAudit }: Site,
  { address, limitKey, cookies }: Pick<CallRequest<unknown>, 'address' | 'limitKey' | 'cookies'>,
  attempt: Attempt,
  then: (trx: Db, user: Row<'accounts'>, change: AccountChange) => Promise<Result>,
): Promise<Result | Response> {
  const { user, username, password } = attempt;
  const key = await signingKey(db, 'sign-in');
  const browser = user && readKnownBrowser(key, user, cookies.get(KNOWN_BROWSER));
  // Counts as failed until it is proven: attempts at the same moment cannot exceed a limit.
  const { wait, giveBack } = limits.takeAll(
    user && browser
      ? // With an authenticator they share the attempts: there are only a million codes.
        [[FAILURES_BY_BROWSER, user.totpSecret ? `browsers of ${user.id}` : browser]]
      : [
          [FAILURES_BY_ADDRESS, limitKey],
          [FAILURES_BY_NAME, username.toLowerCase()],
          [FAILURES_BY_NETWORK, networkOf(address)],
        ],
  );
  if (wait > 0)
    return refuse(429, `Too many failed attempts. ${tryAgain(wait)}`, { retryAfter: wait });
  const change = user && attempt.acceptCode(user);
  const who = browser ? 'known' : 'stranger';
  const matches = await passwordMatches(password, user?.passwordHash, who);
  const proven =
    matches && user && change && change !== 'used'
      ? await db.transaction().execute(async (trx) => {
          if (!(await changeUnchanged(trx, user, change))) return undefined;
          return { result: await then(trx, user, change) };
        })
      : undefined;
  if (proven) {
    giveBack();
    return proven.result;
  }
  // An unknown name may be a password, or a visitor's address, typed into the wrong field.
  const by = user ? { accountId: user.id, name: user.name } : null;
  failureAudit.add({ kind: attempt.failure, by, address });
  return attempt.refuse(matches && change === 'used');
}

/** Changes and locks the account, unless its password or code state has changed since the check. */
async function changeUnchanged(
  trx: Db,
  { id, passwordHash, totpSecret, totpStep, recoveryCodes }: Row<'accounts'>,
  change: AccountChange,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ passwordHash, ...change })
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .where('totpSecret', 'is not distinct from', totpSecret)
    .where('totpStep', '=', totpStep)
    .where('recoveryCodes', '=', recoveryCodes)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/* A known browser's cookie gives no access. Its signature covers name, password, authenticator. */
const COOKIE = /^([\w-]{22})\.([\w-]{43})$/;

type Account = Pick<Row<'accounts'>, 'name' | 'passwordHash' | 'secondFactorVersion'>;

export async function knownBrowserCookie(db: Db, account: Account): Promise<string> {
  const key = await signingKey(db, 'sign-in');
  const id = randomBytes(16).toString('base64url');
  return `${id}.${sign(key, account, id).toString('base64url')}`;
}

/** The browser's id, if the cookie is genuine for this account and its current password. */
function readKnownBrowser(
  key: string,
  account: Account,
  cookie: string | undefined,
): string | undefined {
  const [, id, signature = ''] = COOKIE.exec(cookie ?? '') ?? [];
  if (id === undefined) return undefined;
  const genuine = timingSafeEqual(Buffer.from(signature, 'base64url'), sign(key, account, id));
  return genuine ? id : undefined;
}

function sign(key: string, account: Account, id: string): Buffer {
  const { name, passwordHash, secondFactorVersion } = account;
  return createHmac('sha256', key)
    .update(JSON.stringify([name, passwordHash, secondFactorVersion, id]))
    .digest();
}
