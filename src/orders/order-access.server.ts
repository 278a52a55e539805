/**
 * Who may see and change an order besides staff. The browser that placed it holds a key in a
 * cookie. A receipt's link is signed and read-only; staff can revoke it. An access link lets one
 * browser make changes: it works once, within 30 minutes. Only hashes of keys and access links are
 * stored.
 *
 * A key opens what it was made for, and nothing that is added later: another person may know the
 * keys that a browser sends.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Generated } from 'kysely';
import type { Order } from '../billing/billed-order.server.ts';
import { byCustomer } from '../billing/cause.server.ts';
import { forgetAsked } from '../billing/order-details.server.ts';
import { hasHappened, insertEvent } from '../billing/order-event-store.server.ts';
import { findOrder, lockOrder } from '../billing/order-store.server.ts';
import {
  MAX_ORDER_BROWSERS,
  MAX_ORDER_KEYS,
  ORDER_ACCESS_MS,
  ORDER_KEY_SECONDS,
} from '../limits.ts';
import { sameEmail, signingKey } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { readId } from '../platform/http/call.server.ts';
import { type Cookies, isToken, newToken } from '../platform/http/cookies.server.ts';
import { CHECKOUT_PAGES } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { isErased } from './order.ts';
import { type OrderHash, type OrderPlace, writeOrderHash } from './order-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** The browsers that may see and change an order, by the hash of a key in a cookie. */
    orderAccess: {
      orderId: number;
      keyHash: string;
      /** 1: the browser that placed the order. */
      placed: Flag;
      at: number;
    };
    /** One-time links that give a browser access, as hashes until they are used or expire. */
    orderAccessLinks: {
      keyHash: string;
      orderId: number;
      at: number;
    };
    /** Requests for the links of an email address. */
    orderLinkRequests: {
      id: Generated<number>;
      email: string;
      createdAt: number;
      /** Until then this address gets no new links; null if there was none to send. */
      holdUntil: number | null;
      /** The order on whose page it was asked for, and its place there; null for an address. */
      orderId: number | null;
      place: OrderPlace | null;
    };
  }
}

type LinkedOrder = Pick<Order, 'id' | 'linkVersion'>;

/**
 * The read-only link of receipts, or with `access` one that lets a browser change the order, with
 * `email` one that confirms another address. Its token is in the fragment, which no server gets.
 */
export async function receiptLink(
  { db, publicUrl }: Pick<Site, 'db' | 'publicUrl'>,
  order: LinkedOrder,
  place: OrderPlace | null = null,
  keys: Partial<Pick<OrderHash, 'access' | 'email' | 'receipt'>> = {},
): Promise<string> {
  const token = await tokenOf(db, order);
  return publicUrl + CHECKOUT_PAGES.order.path + writeOrderHash({ token, place, ...keys });
}

export async function accessLink(
  context: Pick<Site, 'db' | 'publicUrl'>,
  order: LinkedOrder,
  place: OrderPlace | null = null,
): Promise<string> {
  const access = newToken();
  const row = { keyHash: hash('sha256', access), orderId: order.id, at: Date.now() };
  await context.db.insertInto('orderAccessLinks').values(row).execute();
  return receiptLink(context, order, place, { access });
}

export async function deleteOldAccessLinks(db: Db): Promise<void> {
  await db
    .deleteFrom('orderAccessLinks')
    .where('at', '<', Date.now() - ORDER_ACCESS_MS)
    .execute();
}

async function tokenOf(db: Db, { id, linkVersion }: LinkedOrder): Promise<string> {
  const signature = createHmac('sha256', await signingKey(db, 'order-page'));
  return `${id}.${signature.update(`order ${id} ${linkVersion}`).digest('base64url')}`;
}

/** The order of a link's token; undefined if that is invalid or revoked, or its buyer erased. */
export async function findLinkedOrder(db: Db, token: string): Promise<Order | undefined> {
  const id = readId(token.split('.')[0]);
  const order = id === undefined ? undefined : await findOrder(db, id);
  // Even after erasure its page would show what the provider stores about the buyer.
  if (!order || isErased(order)) return undefined;
  const [presented, expected] = [Buffer.from(token), Buffer.from(await tokenOf(db, order))];
  return presented.length === expected.length && timingSafeEqual(presented, expected)
    ? order
    : undefined;
}

/**
 * Whether a link was opened that was mailed to the order's address, or made by staff, or staff
 * allowed its quote to be accepted by invoice.
 */
export function isAddressProven(db: Db, orderId: number): Promise<boolean> {
  return hasHappened(db, orderId, ['link-opened', 'accepted']);
}

/** Gives the browser access; false when the link was used, revoked or is too old. */
export async function redeemAccessLink(
  db: Db,
  orderId: number,
  access: string,
  cookies: Cookies,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { email } = await lockOrder(trx, orderId);
    const used = await trx
      .deleteFrom('orderAccessLinks')
      .where('keyHash', '=', hash('sha256', access))
      .where('orderId', '=', orderId)
      .where('at', '>', Date.now() - ORDER_ACCESS_MS)
      .returning('orderId')
      .executeTakeFirst();
    if (!used) return false;
    await admitBrowser(trx, orderId, cookies, 'opened a link');
    await allowNewLinks(trx, email);
    return true;
  });
}

/** Revokes all links and the access of all browsers, and what one of them has asked for. */
export async function revokeLinks(trx: Db, orderId: number): Promise<void> {
  const { email } = await trx
    .updateTable('orders')
    .set(({ eb }) => ({
      linkVersion: eb('linkVersion', '+', 1),
      // Repeating the request with this key would give that browser access again.
      idempotencyKey: null,
    }))
    .where('id', '=', orderId)
    .returning('email')
    .executeTakeFirstOrThrow();
  await allowNewLinks(trx, email);
  await trx.deleteFrom('orderAccessLinks').where('orderId', '=', orderId).execute();
  await trx.deleteFrom('orderAccess').where('orderId', '=', orderId).execute();
  await forgetAsked(trx, orderId);
}

/** Some of the links that were last emailed are used, so new ones may be requested at once. */
async function allowNewLinks(trx: Db, email: string): Promise<void> {
  await trx
    .updateTable('orderLinkRequests')
    .set({ holdUntil: 0 })
    .where(sameEmail('email', email))
    .where('email', '=', email)
    .where('holdUntil', 'is not', null)
    .execute();
}

const COOKIE = 'order_key';

function readKeys(cookies: Cookies): string[] {
  return (cookies.get(COOKIE) ?? '').split('.').filter(isToken).slice(0, MAX_ORDER_KEYS);
}

export function keyHashes(cookies: Cookies): string[] {
  return readKeys(cookies).map((key) => hash('sha256', key));
}

type Admission = 'placed it' | 'sent it again' | 'opened a link';

/** Gives the browser access by a key in its cookie, unless it has it. Lock the order first. */
export async function admitBrowser(
  trx: Db,
  orderId: number,
  cookies: Cookies,
  why: Admission,
): Promise<void> {
  const keys = readKeys(cookies);
  if (!(await hasAccess(trx, orderId, cookies))) {
    const key = newToken();
    keys.unshift(key);
    await allowAccess(trx, orderId, hash('sha256', key), why);
  }
  cookies.set(COOKIE, keys.slice(0, MAX_ORDER_KEYS).join('.'), ORDER_KEY_SECONDS);
  const kind = 'link-opened' as const;
  if (why === 'opened a link')
    await insertEvent(trx, orderId, { kind }, byCustomer(), { once: kind });
}

/** Gives this key access; at the limit in place of the oldest that a link opened, if any. */
async function allowAccess(
  trx: Db,
  orderId: number,
  keyHash: string,
  why: Admission,
): Promise<void> {
  const others = await trx
    .selectFrom('orderAccess')
    .select(['keyHash', 'placed'])
    .where('orderId', '=', orderId)
    .orderBy('at')
    .execute();
  if (others.length >= MAX_ORDER_BROWSERS) {
    if (why !== 'opened a link') return;
    const oldest = others.find(({ placed }) => placed === 0);
    await trx
      .deleteFrom('orderAccess')
      .where('orderId', '=', orderId)
      .where('keyHash', '=', oldest?.keyHash ?? '')
      .execute();
  }
  const placed = why === 'placed it' ? 1 : 0;
  await trx
    .insertInto('orderAccess')
    .values({ orderId, keyHash, placed, at: Date.now() })
    .execute();
}

/** Whether this browser placed the order or opened an access link to it. */
export async function hasAccess(db: Db, orderId: number, cookies: Cookies): Promise<boolean> {
  const hashes = keyHashes(cookies);
  if (hashes.length === 0) return false;
  const row = await db
    .selectFrom('orderAccess')
    .select('orderId')
    .where('orderId', '=', orderId)
    .where('keyHash', 'in', hashes)
    .executeTakeFirst();
  return row !== undefined;
}
