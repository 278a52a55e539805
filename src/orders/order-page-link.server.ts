/**
 * The ways from an email to an order. A receipt's link is signed, shows the order and changes nothing; staff can revoke it. A
 * link that admits its browser to changes works once, within 30 minutes, and is stored as a hash.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { signingKey } from '../platform/database/queries.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { readId } from '../platform/http/call.server.ts';
import { type Cookies, newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { hashOf, ORDER_PAGE } from './order-route.ts';
import { admitBrowser, findOrder, type Order } from './order-store.server.ts';

const ACCESS_MS = 30 * 60 * 1000;

type Linked = Pick<Order, 'id' | 'linkVersion'>;

export interface OrderPageLinks {
  /** Reads the key, without which no address can be written; for the start. */
  loadKey(): Promise<void>;
  /** The address for the order's receipt. The token is in the fragment, which no server and no log ever sees. */
  address(order: Linked): string;
  /** The order that a token was made for; undefined for anything else, and for a link that was revoked. */
  find(token: string): Promise<Order | undefined>;
  /** A new address that admits one browser to changes of the order. */
  mint(order: Linked): Promise<string>;
}

export function orderPageLinks(db: Kysely<Tables>, publicUrl: string): OrderPageLinks {
  let key: string | undefined;
  async function loadKey(): Promise<void> {
    key ??= await signingKey(db, 'order-page');
  }
  function sign({ id, linkVersion }: Linked): Buffer {
    if (key === undefined) throw new Error('the key of the order links has not been read');
    return createHmac('sha256', key).update(`order ${id} ${linkVersion}`).digest();
  }
  const tokenOf = (order: Linked) => `${order.id}.${sign(order).toString('base64url')}`;
  const addressOf = (order: Linked, access: string | null) =>
    publicUrl + ORDER_PAGE.path + hashOf({ token: tokenOf(order), access });
  return {
    loadKey,
    address: (order) => addressOf(order, null),
    async find(token) {
      const [number, signature = ''] = token.split('.');
      const orderId = readId(number);
      const order = orderId === undefined ? undefined : await findOrder(db, orderId);
      if (!order) return undefined;
      await loadKey();
      const [given, expected] = [Buffer.from(signature, 'base64url'), sign(order)];
      const genuine = given.length === expected.length && timingSafeEqual(given, expected);
      return genuine ? order : undefined;
    },
    async mint(order) {
      await loadKey();
      const access = newToken();
      const keyHash = tokenHash(access) ?? '';
      const at = Date.now();
      await db
        .deleteFrom('orderAccessLinks')
        .where('at', '<', at - ACCESS_MS)
        .execute();
      await db.insertInto('orderAccessLinks').values({ keyHash, orderId: order.id, at }).execute();
      return addressOf(order, access);
    },
  };
}

/** Admits the browser with this hash to changes of the order; false when the link was used, revoked or is too old. */
export async function useAccessLink(
  db: Kysely<Tables>,
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
    if (used) await admitBrowser(trx, orderId, browserHash);
    return used !== undefined;
  });
}

/** Whatever has been sent of this order, or opened by such a link, opens nothing any more. */
export async function revokeLinks(trx: Kysely<Tables>, orderId: number): Promise<void> {
  await trx
    .updateTable('orders')
    .set(({ eb }) => ({
      linkVersion: eb('linkVersion', '+', 1),
      // By it, the browser that placed the order would be admitted again.
      idempotencyKey: null,
    }))
    .where('id', '=', orderId)
    .execute();
  await trx.deleteFrom('orderAccessLinks').where('orderId', '=', orderId).execute();
  await trx.deleteFrom('orderAccess').where('orderId', '=', orderId).execute();
}

const ACCESS_SECONDS = 90 * 24 * 60 * 60;

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
    setCookie: ['Set-Cookie', cookies.write('order_key', token, ACCESS_SECONDS)],
  };
}
