/** The way from a receipt to its order: a signed address that needs no account and opens nothing else. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { readId } from '../platform/call.server.ts';
import { newToken } from '../platform/cookies.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { ORDER_PAGE } from './order-page-address.ts';

export interface OrderPageLinks {
  /** The address for the order's receipt. The token is the fragment, which no server and no log ever sees. */
  address(orderId: number): string;
  /** The order that a token was made for; undefined for anything else. */
  read(token: string): number | undefined;
}

/** The key is made once per database, so that links outlive the server that wrote them. */
export async function orderPageLinks(
  db: Kysely<Tables>,
  publicUrl: string,
): Promise<OrderPageLinks> {
  await db
    .insertInto('signingKeys')
    .values({ name: 'order-page', key: newToken() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { key } = await db
    .selectFrom('signingKeys')
    .select('key')
    .where('name', '=', 'order-page')
    .executeTakeFirstOrThrow();
  const sign = (orderId: number) => createHmac('sha256', key).update(`order ${orderId}`).digest();
  return {
    address: (orderId) =>
      `${publicUrl}${ORDER_PAGE}#${orderId}.${sign(orderId).toString('base64url')}`,
    read(token) {
      const [number, signature = ''] = token.split('.');
      const orderId = readId(number);
      const given = Buffer.from(signature, 'base64url');
      if (orderId === undefined) return undefined;
      const expected = sign(orderId);
      const genuine = given.length === expected.length && timingSafeEqual(given, expected);
      return genuine ? orderId : undefined;
    },
  };
}
