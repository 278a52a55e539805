/**
 * Proves that a request comes from the account's owner, by the password and, with an authenticator, a code. Failures count
 * against the address and the name, each separately. In a browser that has signed in before they count against that
 * browser alone, so that strangers who guess cannot lock staff out.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { signingKey } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import type { CallRequest } from '../platform/http/call.server.ts';
import { tryAgain } from '../platform/http/rate-limit.server.ts';
import { recordAudit } from './audit-store.server.ts';
import { bucketsFor, countAttempt, uncountAttempt } from './failure-store.server.ts';
import { passwordMatches } from './password.server.ts';
import type { AuditKind } from './staff-api.ts';

export const KNOWN_BROWSER = 'known_browser';

const BUSY = 'Too many people are signing in at the moment. Please try again in a few seconds.';

export interface ProofContext {
  db: Db;
  /** Per 15 minutes. */
  mostFailures: number;
}

export type AccountChange = Partial<Omit<Row<'users'>, 'id' | 'username'>>;

interface Proof {
  user: Row<'users'> | undefined;
  /** As it was typed: failures count against it. */
  username: string;
  password: string;
  /** What an accepted code changes of the account; undefined if the code is refused. Runs whatever the password. */
  acceptCode: (user: Row<'users'>) => AccountChange | undefined;
  /** How a failure is audited and answered, the same for a wrong password and a wrong code. */
  failure: AuditKind;
  refuse: () => Response | Promise<Response>;
}

/** Runs `then` in the transaction that stores what the code has changed, or refuses. */
export async function proveAccount<Result>(
  { db, mostFailures }: ProofContext,
  { address, limitKey, cookies }: Pick<CallRequest<unknown>, 'address' | 'limitKey' | 'cookies'>,
  proof: Proof,
  then: (trx: Db, user: Row<'users'>, change: AccountChange) => Promise<Result>,
): Promise<Result | Response> {
  const { user, username, password } = proof;
  const key = await signingKey(db, 'sign-in');
  const browser = user && readKnownBrowser(key, user, cookies.get(KNOWN_BROWSER));
  const strangers = [`address ${limitKey}`, `name ${username.toLowerCase()}`];
  const counted = bucketsFor(key, browser ? [`browser ${browser}`] : strangers);
  const wait = await countAttempt(db, counted, mostFailures);
  if (wait > 0)
    return refuse(429, `Too many failed attempts. ${tryAgain(wait)}`, { retryAfter: wait });
  const change = user && proof.acceptCode(user);
  const matches = await passwordMatches(
    password,
    user?.passwordHash,
    browser ? 'known' : 'stranger',
  );
  if (matches === undefined) {
    await uncountAttempt(db, counted);
    return refuse(503, BUSY, { retryAfter: 5 });
  }
  const proven =
    matches && user && change
      ? await db.transaction().execute(async (trx) => {
          if (!(await changeUnchanged(trx, user, change))) return undefined;
          await uncountAttempt(trx, counted);
          return { result: await then(trx, user, change) };
        })
      : undefined;
  if (proven) return proven.result;
  // An unknown name may be a password, or a visitor's address, typed into the wrong field.
  await recordAudit(db, { kind: proof.failure, username: user?.username ?? '', address });
  return proof.refuse();
}

/**
 * Changes the account and locks its row until the transaction ends, unless it is no longer as it was checked: a new password
 * ends all sessions, so none may be opened with the old one afterwards, and of two requests with one code only one may pass.
 */
async function changeUnchanged(
  trx: Db,
  { id, passwordHash, totpSecret, totpStep, recoveryCodes }: Row<'users'>,
  change: AccountChange,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ passwordHash, ...change })
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .where('totpSecret', 'is not distinct from', totpSecret)
    .where('totpStep', '=', totpStep)
    .where('recoveryCodes', '=', recoveryCodes)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/*
 * A browser that has signed in before has a cookie that proves it and gives no access. Its signature covers the username
 * and password hash, so it is worthless for another account and after a change of password.
 */
const COOKIE = /^([\w-]{22})\.([\w-]{43})$/;

type Account = Pick<Row<'users'>, 'username' | 'passwordHash'>;

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

function sign(key: string, { username, passwordHash }: Account, id: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([username, passwordHash, id]))
    .digest();
}
