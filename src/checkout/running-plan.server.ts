/** Whether the same plan is running for the same address: who is told is decided in docs/decisions/064. */
import type { Kysely } from 'kysely';
import type { Follow, Gateway } from '../payment/gateway.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { awaitsPayment, isRunning, ORDER_STATUSES } from './order.ts';
import { type Order, ofMode } from './order-store.server.ts';

interface Deps {
  db: Kysely<Tables>;
  gateway: Gateway;
  follow: Follow;
}

type Purchase = Pick<Order, 'email' | 'planId'>;

/**
 * Whether this browser has bought the plan for this address and pays for it. An order that nobody has told about
 * since is asked after: the buyer may have paid and lost the page.
 */
export async function runsHere(
  { db, gateway, follow }: Deps,
  purchase: Purchase,
  keyHash: string,
): Promise<boolean> {
  // The test gateway takes no money, so there a second one does no harm.
  if (gateway.config.provider !== 'stripe') return false;
  const orders = await ordersLike(db, purchase)
    .where(ofMode(gateway.live))
    .innerJoin('orderAccess', 'orderAccess.orderId', 'orders.id')
    .where('orderAccess.keyHash', '=', keyHash)
    .execute();
  if (orders.some(({ status }) => isRunning(status))) return true;
  for (const order of orders) {
    const state = await gateway.fetchPaymentState(order);
    if (state === 'away') continue;
    const { status } = await db
      .transaction()
      .execute((trx) => follow(trx, order.id, state, 'customer buys again'));
    if (isRunning(status)) return true;
  }
  return false;
}

/** The numbers of the other orders by which the buyer pays for the same plan. */
export async function runningBeside(db: Kysely<Tables>, order: Order): Promise<number[]> {
  const orders = await ordersLike(db, order)
    .where(ofMode(order.live === 1))
    .where('orders.id', '!=', order.id)
    .execute();
  return orders.filter(({ status }) => isRunning(status)).map(({ id }) => id);
}

/** Neither over nor, when they are still to be paid, unknown to the provider; newest first. */
function ordersLike(db: Kysely<Tables>, { email, planId }: Purchase) {
  return db
    .selectFrom('orders')
    .selectAll('orders')
    .where(({ fn }) => fn<string>('lower', ['email']), '=', email.toLowerCase())
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
