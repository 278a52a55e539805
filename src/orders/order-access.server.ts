/**
 * Who may see and change an order besides staff. The browser that placed it holds a key in a cookie. A receipt's link is
 * signed, shows the order and changes nothing; staff can revoke it. A link that admits its browser to changes works once,
 * within 30 minutes. Of keys and such links only hashes are stored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingKey } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { readId } from '../platform/http/call.server.ts';
import { type Cookies, newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { ORDER_PAGE, writeOrderHash } from './order-api.ts';
import { findOrder, type Order } from './order-store.server.ts';

export type LinkedOrder = Pick<Order, 'id' | 'linkVersion'>;

const ACCESS_MS = 30 * 60 * 1000;
const COOKIE_SECONDS = 90 * 24 * 60 * 60;
/** More than one, where a buyer goes on in another. */
const MOST_BROWSERS = 4;

/** The address for the order's receipt. The token is in the fragment, which no server and no log ever sees. */
export async function receiptLink(db: Db, publicUrl: string, order: LinkedOrder): Promise<string> {
  return publicUrl + ORDER_PAGE.path + writeOrderHash({ token: await tokenOf(db, order) });
}

/** A new address that admits one browser to changes of the order. */
export async function accessLink(db: Db, publicUrl: string, order: LinkedOrder): Promise<string> {
  const access = newToken();
  const at = Date.now();
  await db
    .deleteFrom('orderAccessLinks')
    .where('at', '<', at - ACCESS_MS)
    .execute();
  const row = { keyHash: tokenHash(access) ?? '', orderId: order.id, at };
  await db.insertInto('orderAccessLinks').values(row).execute();
  return publicUrl + ORDER_PAGE.path + writeOrderHash({ token: await tokenOf(db, order), access });
}

async function tokenOf(db: Db, { id, linkVersion }: LinkedOrder): Promise<string> {
  const signature = createHmac('sha256', await signingKey(db, 'order-page'));
  return `${id}.${signature.update(`order ${id} ${linkVersion}`).digest('base64url')}`;
}

/** The order that a token was made for; undefined for anything else, and for a link that was revoked. */
export async function findLinkedOrder(db: Db, token: string): Promise<Order | undefined> {
  const id = readId(token.split('.')[0]);
  const order = id === undefined ? undefined : await findOrder(db, id);
  if (!order) return undefined;
  const [given, expected] = [Buffer.from(token), Buffer.from(await tokenOf(db, order))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? order : undefined;
}

/** Admits the browser with this hash to changes of the order; false when the link was used, revoked or is too old. */
export async function useAccessLink(
  db: Db,
  orderId: number,
  access: string,
  browserHash: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const used = await trx
      .deleteFrom('orderAccessLinks')
      .where('keyHash', '=', tokenHash(access) ?? '')
      .where('orderId', '=', orderId)
      .where('at', '>', Date.now() - ACCESS_MS)
      .returning('orderId')
      .executeTakeFirst();
    if (used) await allowAccess(trx, orderId, browserHash, { makeRoom: true });
    return used !== undefined;
  });
}

/** Revokes all links of the order and the access of all browsers, the one that placed it included. */
export async function revokeLinks(trx: Db, orderId: number): Promise<void> {
  await trx
    .updateTable('orders')
    .set(({ eb }) => ({
      linkVersion: eb('linkVersion', '+', 1),
      // With this key, the browser that placed the order would get access again.
      idempotencyKey: null,
    }))
    .where('id', '=', orderId)
    .execute();
  await trx.deleteFrom('orderAccessLinks').where('orderId', '=', orderId).execute();
  await trx.deleteFrom('orderAccess').where('orderId', '=', orderId).execute();
}

/** The cookie by which a browser is known as the one that placed an order, or has opened a link to change it. */
export interface BrowserKey {
  hash: string;
  /** The browser has sent it. */
  isKnown: boolean;
  /** Has the browser keep it. */
  setCookie: [name: 'Set-Cookie', value: string];
}

/** The browser's key, or a new one; what cannot be a key is not taken for one. */
export function readOrNewKey(cookies: Cookies, headers: Headers): BrowserKey {
  const sent = cookies.read(headers.get('cookie'), 'order_key');
  const known = tokenHash(sent);
  const token = sent !== undefined && known ? sent : newToken();
  return {
    hash: known ?? tokenHash(token) ?? '',
    isKnown: known !== undefined,
    setCookie: ['Set-Cookie', cookies.write('order_key', token, COOKIE_SECONDS)],
  };
}

/**
 * Lets the browser with this key see the order. Where too many do already it is not let in, or with `makeRoom` in place
 * of the others. The order must be locked.
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
  if (holders.length >= MOST_BROWSERS) {
    if (!makeRoom) return;
    await trx.deleteFrom('orderAccess').where('orderId', '=', orderId).execute();
  }
  await trx
    .insertInto('orderAccess')
    .values({ orderId, keyHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether this browser has placed the order, or has opened a link that admits it. */
export async function hasAccess(
  { db, cookies }: { db: Db; cookies: Cookies },
  orderId: number,
  headers: Headers,
): Promise<boolean> {
  const keyHash = tokenHash(cookies.read(headers.get('cookie'), 'order_key'));
  if (!keyHash) return false;
  const row = await db
    .selectFrom('orderAccess')
    .select('orderId')
    .where('orderId', '=', orderId)
    .where('keyHash', '=', keyHash)
    .executeTakeFirst();
  return row !== undefined;
}
