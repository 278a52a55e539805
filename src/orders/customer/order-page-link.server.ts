/** The way from a receipt to its order: a signed address that needs no account and opens nothing else. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.server.ts';
import { readId } from '../../platform/http/call.server.ts';
import { signingKey } from '../../platform/signing-key.server.ts';
import { ORDER_PAGE } from './order-page-address.ts';

export interface OrderPageLinks {
  /** Reads the key, without which no address can be written; for the start. */
  loadKey(): Promise<void>;
  /** The address for the order's receipt. The token is the fragment, which no server and no log ever sees. */
  address(orderId: number): string;
  /** The order that a token was made for; undefined for anything else. */
  read(token: string): Promise<number | undefined>;
}

export function orderPageLinks(db: Kysely<Tables>, publicUrl: string): OrderPageLinks {
  let key: string | undefined;
  async function loadKey(): Promise<void> {
    key ??= await signingKey(db, 'order-page');
  }
  function sign(orderId: number): Buffer {
    if (key === undefined) throw new Error('the key of the order links has not been read');
    return createHmac('sha256', key).update(`order ${orderId}`).digest();
  }
  return {
    loadKey,
    address: (orderId) =>
      `${publicUrl}${ORDER_PAGE.path}#${orderId}.${sign(orderId).toString('base64url')}`,
    async read(token) {
      const [number, signature = ''] = token.split('.');
      const orderId = readId(number);
      const given = Buffer.from(signature, 'base64url');
      if (orderId === undefined) return undefined;
      await loadKey();
      const expected = sign(orderId);
      const genuine = given.length === expected.length && timingSafeEqual(given, expected);
      return genuine ? orderId : undefined;
    },
  };
}
