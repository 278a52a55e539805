/** Orders by which the same plan runs for the same address: who is told is decided in docs/decisions/004. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';
import { awaitsPayment, isRunning, ORDER_STATUSES } from './order.ts';
import { type Order, ofMode } from './order-store.server.ts';

export type Purchase = Pick<Order, 'email' | 'planId'>;

/** The numbers of the other orders by which the buyer pays for the same plan. */
export async function runningBeside(db: Kysely<Tables>, order: Order): Promise<number[]> {
  const orders = await ordersLike(db, order)
    .where(ofMode(order.live === 1))
    .where('orders.id', '!=', order.id)
    .execute();
  return orders.filter(({ status }) => isRunning(status)).map(({ id }) => id);
}

/** Neither over nor, when they are still to be paid, unknown to the provider; newest first. */
export function ordersLike(db: Kysely<Tables>, { email, planId }: Purchase) {
  return db
    .selectFrom('orders')
    .selectAll('orders')
    .where(sameAddress('email', email))
    .where('planId', '=', planId)
    .where('provider', '=', 'stripe')
    .where('subscriptionId', 'is not', null)
    .where(
      'status',
      'in',
      ORDER_STATUSES.filter((status) => isRunning(status) || awaitsPayment(status)),
    )
    .orderBy('orders.id', 'desc');
}
