/** Sees to it that the provider charges nothing for an order that is over. */
import { logFailure } from '../platform/interval.server.ts';
import { followReport } from './apply-report.server.ts';
import { billedOf, type Order } from './billed-order.server.ts';
import { byProvider, bySite } from './cause.server.ts';
import { insertEvent } from './order-event-store.server.ts';
import { isOver } from './order-status.ts';
import { alertStaff, findOrdersToEnd, getOrder } from './order-store.server.ts';
import { isNotDone, type Outcome } from './outcome.server.ts';
import type { OrderContext } from './refresh-order.server.ts';
import { wasStarted } from './subscription-store.server.ts';

export async function cancelOrphanedSubscriptions(context: OrderContext): Promise<void> {
  for (const order of await findOrdersToEnd(context.db, context.gateway))
    await logFailure('subscription-cancellation-failed', { orderId: order.id }, () =>
      cancelIfOver(context, order),
    );
}

/** Stops the provider from charging an order that is over. What is unavailable is tried again. */
export async function cancelIfOver(context: OrderContext, order: Order): Promise<Outcome> {
  const { db, gateway } = context;
  const { id, subscription } = order;
  // One that was ended at the provider may have left its first invoice open there.
  const mayBePaid = subscription.collection === 'invoice' && !billedOf(order).paid;
  if (!isOver(order.status) || (subscription.status === 'canceled' && !mayBePaid)) return 'done';
  // A first invoice that is still open could be paid after the end.
  const canceled = await gateway.cancelPayment(order);
  const ended = canceled === 'unavailable' ? canceled : await gateway.cancel(order, 'now');
  const failure = [ended, canceled].find(isNotDone);
  if (failure === 'unavailable') await insertEvent(db, id, { kind: 'end-delayed' }, bySite());
  else if (failure) {
    const refused = { provider: gateway.name, reason: failure.refused };
    await alertStaff(context, id, { kind: 'end-not-made', ...refused });
  }
  // What is being started has not ended with the order.
  else if (wasStarted((await getOrder(db, order)).subscription))
    await followReport(context, order, { status: 'canceled' }, byProvider(gateway));
  return failure ?? 'done';
}
