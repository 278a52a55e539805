/** Whose an order is at the provider: the browser's that placed it, not the address's. See docs/decisions/086. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';

/**
 * The id of the customer under which this browser has ordered for this address; null when there is none, or when
 * another browser's order hangs on the same customer.
 */
export async function ownCustomer(
  db: Kysely<Tables>,
  email: string,
  live: boolean,
  keyHash: string,
): Promise<string | null> {
  const found = await db
    .selectFrom('orders')
    .innerJoin('orderAccess', 'orderAccess.orderId', 'orders.id')
    .select('customerId')
    .where('orderAccess.keyHash', '=', keyHash)
    .where(sameAddress('email', email))
    .where('live', '=', live ? 1 : 0)
    .where('customerId', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('orders as other')
            .select('other.id')
            .whereRef('other.customerId', '=', 'orders.customerId')
            .where('other.id', 'not in', (eb) =>
              eb.selectFrom('orderAccess').select('orderId').where('keyHash', '=', keyHash),
            ),
        ),
      ),
    )
    .orderBy('orders.id', 'desc')
    .executeTakeFirst();
  return found?.customerId ?? null;
}

/** Whose the order is at the provider; once its subscription is made, that decides. */
export async function saveCustomer(
  db: Kysely<Tables>,
  orderId: number,
  customerId: string | null,
): Promise<void> {
  await db
    .updateTable('orders')
    .set({ customerId })
    .where('id', '=', orderId)
    .where('subscriptionId', 'is', null)
    .execute();
}
