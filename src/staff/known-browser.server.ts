/**
 * A browser that has signed in before bears a cookie that says so, and nothing else: it opens nothing. Signed over
 * the account's name and password hash, it is worth nothing to another account or after a change of the password.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Row } from '../platform/database/tables.server.ts';

export const KNOWN_BROWSER = 'known_browser';
export const KNOWN_BROWSER_SECONDS = 365 * 24 * 60 * 60;

const COOKIE = /^([\w-]{22})\.([\w-]{43})$/;

type Account = Pick<Row<'users'>, 'username' | 'passwordHash'>;

/** The cookie's value for a browser with this id, or with a new one. */
export function knownBrowserCookie(
  key: string,
  account: Account,
  id = randomBytes(16).toString('base64url'),
): string {
  return `${id}.${sign(key, account, id).toString('base64url')}`;
}

/** The id of a browser that has signed in to the account under its present password. */
export function readKnownBrowser(
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
