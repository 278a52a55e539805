/** Whether the same plan is running for the same address: who is told is decided in docs/decisions/004. */
import { followNow, type OrderDeps } from '../orders/follow-payment.server.ts';
import { isRunning } from '../orders/order.ts';
import { ofMode, ordersLike, type Purchase } from '../orders/order-store.server.ts';

/**
 * Whether this browser has bought the plan for this address and pays for it. An order that nobody has told about
 * since is asked after: the buyer may have paid and lost the page.
 */
export async function runsHere(
  deps: OrderDeps,
  purchase: Purchase,
  keyHash: string,
): Promise<boolean> {
  const { db, gateway } = deps;
  // The test gateway takes no money, so there a second one does no harm.
  if (gateway.provider !== 'stripe') return false;
  const orders = await ordersLike(db, purchase)
    .where(ofMode(gateway.live))
    .innerJoin('orderAccess', 'orderAccess.orderId', 'orders.id')
    .where('orderAccess.keyHash', '=', keyHash)
    .execute();
  if (orders.some(({ status }) => isRunning(status))) return true;
  for (const order of orders) {
    const now = await followNow(deps, order, 'customer buys again');
    if (now !== 'unavailable' && isRunning(now.status)) return true;
  }
  return false;
}
