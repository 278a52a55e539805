/**
 * Signing in and out. Failures count against the address and the name, each separately. In a browser that has signed in
 * before they count against that browser alone, so that strangers who guess cannot lock staff out.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { KNOWN_BROWSER_SECONDS, SESSION_SECONDS } from '../limits.ts';
import { selectForUpdate, signingKey } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { tokenHash } from '../platform/http/cookies.server.ts';
import { tryAgain } from '../platform/http/rate-limit.server.ts';
import { findUser } from './account-store.server.ts';
import { recordAudit } from './audit-store.server.ts';
import { bucketsFor, countAttempt, uncountAttempt } from './failure-store.server.ts';
import { passwordMatches } from './password.server.ts';
import { endSession, openSession } from './sessions.server.ts';
import { SIGN_IN, SIGN_OUT } from './staff-api.ts';

const KNOWN_BROWSER = 'known_browser';

const BUSY = 'Too many people are signing in at the moment. Please try again in a few seconds.';

interface Deps {
  db: Db;
  /** Per 15 minutes. */
  mostFailures: number;
}

export function signInCalls({ db, mostFailures }: Deps): Call[] {
  return [
    call(SIGN_IN, {
      access: 'anyone',
      handle: async ({ body: { username, password }, limitKey, address, headers, cookies }) => {
        const user = await findUser(db, username);
        const key = await signingKey(db, 'sign-in');
        const browser = user && readKnownBrowser(key, user, cookies.get(KNOWN_BROWSER));
        const strangers = [`address ${limitKey}`, `name ${username.toLowerCase()}`];
        const counted = bucketsFor(key, browser ? [`browser ${browser}`] : strangers);
        const wait = await countAttempt(db, counted, mostFailures);
        if (wait > 0)
          return refuse(429, `Too many failed attempts. ${tryAgain(wait)}`, { retryAfter: wait });
        const who = browser ? 'known' : 'stranger';
        const matches = await passwordMatches(password, user?.passwordHash, who);
        if (matches === undefined) {
          await uncountAttempt(db, counted);
          return refuse(503, BUSY, { retryAfter: 5 });
        }
        if (!matches || !user) {
          // An unknown name may be a password, or a visitor's address, typed into the wrong field.
          await recordAudit(db, {
            kind: 'sign-in-failed',
            username: user?.username ?? '',
            address,
          });
          return refuse(401, 'Invalid username or password');
        }
        const old = tokenHash(cookies.get('session'));
        const userAgent = headers.get('user-agent') ?? '';
        const token = await db.transaction().execute(async (trx) => {
          await uncountAttempt(trx, counted);
          if (!(await passwordIsUnchanged(trx, user))) return undefined;
          if (old) await endSession(trx, old);
          await recordAudit(trx, { kind: 'signed-in', username, address });
          return openSession(trx, user.id, { address, userAgent });
        });
        if (token === undefined) return refuse(401, 'Invalid username or password');
        const known = knownBrowserCookie(key, user);
        cookies.set('session', token, SESSION_SECONDS);
        cookies.set(KNOWN_BROWSER, known, KNOWN_BROWSER_SECONDS);
        return { username: user.username };
      },
    }),
    call(SIGN_OUT, {
      access: 'recognized',
      handle: async ({ staff, address, cookies }) => {
        if (staff) {
          await db.transaction().execute(async (trx) => {
            await endSession(trx, staff.tokenHash);
            await recordAudit(trx, { kind: 'signed-out', username: staff.username, address });
          });
        }
        cookies.set('session', '', 0);
        return null;
      },
    }),
  ];
}

/**
 * Whether the account still has the password that was checked. Changing a password ends all sessions, so none may be opened
 * with the old one afterwards. Locks the account's row until the transaction ends.
 */
async function passwordIsUnchanged(trx: Db, checked: Row<'users'>): Promise<boolean> {
  const unchanged = trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', checked.id)
    .where('passwordHash', '=', checked.passwordHash);
  return (await selectForUpdate(unchanged, trx).executeTakeFirst()) !== undefined;
}

/*
 * A browser that has signed in before has a cookie that proves it and gives no access. Its signature covers the username
 * and password hash, so it is worthless for another account and after a change of password.
 */
const COOKIE = /^([\w-]{22})\.([\w-]{43})$/;

type Account = Pick<Row<'users'>, 'username' | 'passwordHash'>;

function knownBrowserCookie(key: string, account: Account): string {
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
