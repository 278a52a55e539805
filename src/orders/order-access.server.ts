/**
 * Who may see and change an order besides staff. The browser that placed it holds a key in a cookie. A receipt's link is
 * signed and read-only; staff can revoke it. An access link lets one browser make changes: it works once, within 30
 * minutes. Only hashes of keys and access links are stored.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { signingKey } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { readId } from '../platform/http/call.server.ts';
import { type Cookies, isToken, newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { ORDER_PAGE, writeOrderHash } from './order-api.ts';
import { findOrder, type Order } from './order-store.server.ts';

interface Site {
  db: Db;
  publicUrl: string;
}

type LinkedOrder = Pick<Order, 'id' | 'linkVersion'>;

const ACCESS_MS = 30 * 60 * 1000;
const COOKIE_SECONDS = 90 * 24 * 60 * 60;
/** A buyer may continue in another browser. */
const MAX_BROWSERS = 4;

/** The read-only link for receipts. The token is in the fragment, which never reaches a server or a log. */
export async function receiptLink({ db, publicUrl }: Site, order: LinkedOrder): Promise<string> {
  return publicUrl + ORDER_PAGE.path + writeOrderHash({ token: await tokenOf(db, order) });
}

/** A new link that lets one browser change the order. */
export async function accessLink({ db, publicUrl }: Site, order: LinkedOrder): Promise<string> {
  const access = newToken();
  const at = Date.now();
  await db
    .deleteFrom('orderAccessLinks')
    .where('at', '<', at - ACCESS_MS)
    .execute();
  const row = { keyHash: hash('sha256', access), orderId: order.id, at };
  await db.insertInto('orderAccessLinks').values(row).execute();
  return publicUrl + ORDER_PAGE.path + writeOrderHash({ token: await tokenOf(db, order), access });
}

async function tokenOf(db: Db, { id, linkVersion }: LinkedOrder): Promise<string> {
  const signature = createHmac('sha256', await signingKey(db, 'order-page'));
  return `${id}.${signature.update(`order ${id} ${linkVersion}`).digest('base64url')}`;
}

/** Returns the order of a link's token; undefined when the token is not valid or was revoked. */
export async function findLinkedOrder(db: Db, token: string): Promise<Order | undefined> {
  const id = readId(token.split('.')[0]);
  const order = id === undefined ? undefined : await findOrder(db, id);
  if (!order) return undefined;
  const [given, expected] = [Buffer.from(token), Buffer.from(await tokenOf(db, order))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? order : undefined;
}

/** Gives the browser with this hash access; false when the link was used, revoked or is too old. */
export async function useAccessLink(
  db: Db,
  orderId: number,
  access: string,
  browserHash: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const used = await trx
      .deleteFrom('orderAccessLinks')
      .where('keyHash', '=', hash('sha256', access))
      .where('orderId', '=', orderId)
      .where('at', '>', Date.now() - ACCESS_MS)
      .returning('orderId')
      .executeTakeFirst();
    if (used) await allowAccess(trx, orderId, browserHash, { makeRoom: true });
    return used !== undefined;
  });
}

/** Revokes all links and the access of all browsers, including the one that placed the order. */
export async function revokeLinks(trx: Db, orderId: number): Promise<void> {
  await trx
    .updateTable('orders')
    .set(({ eb }) => ({
      linkVersion: eb('linkVersion', '+', 1),
      // Repeating the request with this key would give that browser access again.
      idempotencyKey: null,
    }))
    .where('id', '=', orderId)
    .execute();
  await trx.deleteFrom('orderAccessLinks').where('orderId', '=', orderId).execute();
  await trx.deleteFrom('orderAccess').where('orderId', '=', orderId).execute();
}

/** The cookie that identifies a browser that placed an order or opened an access link. */
export interface BrowserKey {
  hash: string;
  token: string;
}

/** Returns the browser's key, or a new one when the cookie is missing or malformed. */
export function readOrNewKey(cookies: Cookies): BrowserKey {
  const sent = cookies.get('order_key');
  const token = isToken(sent) ? sent : newToken();
  return { token, hash: hash('sha256', token) };
}

export function keepKey(cookies: Cookies, { token }: BrowserKey): void {
  cookies.set('order_key', token, COOKIE_SECONDS);
}

/**
 * Gives the browser with this key access to the order. At the limit it is left out or, with `makeRoom`, replaces all others.
 * The order must be locked.
 */
export async function allowAccess(
  trx: Db,
  orderId: number,
  keyHash: string,
  { makeRoom = false } = {},
): Promise<void> {
  const holders = await trx
    .selectFrom('orderAccess')
    .select('keyHash')
    .where('orderId', '=', orderId)
    .execute();
  if (holders.length >= MAX_BROWSERS) {
    if (!makeRoom) return;
    await trx.deleteFrom('orderAccess').where('orderId', '=', orderId).execute();
  }
  await trx
    .insertInto('orderAccess')
    .values({ orderId, keyHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether this browser placed the order or opened an access link to it. */
export async function hasAccess(db: Db, orderId: number, cookies: Cookies): Promise<boolean> {
  const keyHash = tokenHash(cookies.get('order_key'));
  if (!keyHash) return false;
  const row = await db
    .selectFrom('orderAccess')
    .select('orderId')
    .where('orderId', '=', orderId)
    .where('keyHash', '=', keyHash)
    .executeTakeFirst();
  return row !== undefined;
}
