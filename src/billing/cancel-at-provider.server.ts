/** Sees to it that the provider charges nothing for an order that is over. */
import { logFailure } from '../platform/interval.server.ts';
import { billedOf, type Order } from './billed-order.server.ts';
import { byProvider, bySite } from './cause.server.ts';
import { insertEvent } from './order-event-store.server.ts';
import { isOver } from './order-status.ts';
import { alertStaff, findOrdersToEnd, getOrder } from './order-store.server.ts';
import { isNotDone, type NotDone, type Outcome } from './outcome.server.ts';
import { applyReport, type OrderContext } from './refresh-order.server.ts';
import { wasStarted } from './subscription-store.server.ts';

export async function cancelOrphanedSubscriptions(context: OrderContext): Promise<void> {
  for (const order of await findOrdersToEnd(context.db, context.gateway))
    await logFailure('subscription-cancellation-failed', { orderId: order.id }, () =>
      cancelIfOver(context, order),
    );
}

/** Stops the provider from charging an order that is over. What is unavailable is tried again. */
export async function cancelIfOver(context: OrderContext, order: Order): Promise<Outcome> {
  const { gateway } = context;
  // One that was ended at the provider may have left its first invoice open there.
  const mayBePaid = order.subscription.collection === 'invoice' && !billedOf(order).paid;
  if (!isOver(order.status) || (isCanceledThere(order) && !mayBePaid)) return 'done';
  // A first invoice that is still open could be paid after the end.
  const canceled = await gateway.cancelPayment(order);
  const ended = canceled === 'unavailable' ? canceled : await gateway.cancel(order, 'now');
  const failure = [ended, canceled].find(isNotDone);
  await (failure ? recordFailure(context, order, failure) : storeEnd(context, order));
  return failure ?? 'done';
}

async function storeEnd({ db, notify, gateway }: OrderContext, order: Order): Promise<void> {
  const { subscription } = await getOrder(db, order);
  // What is being started has not ended with the order.
  if (!wasStarted(subscription)) return;
  const report = { status: 'canceled' } as const;
  await db
    .transaction()
    .execute((trx) => applyReport({ db: trx, notify }, order.id, report, byProvider(gateway)));
}

async function recordFailure(
  context: OrderContext,
  { id }: Order,
  failure: NotDone,
): Promise<unknown> {
  if (failure === 'unavailable')
    return insertEvent(context.db, id, { kind: 'end-delayed' }, bySite());
  const { name: provider } = context.gateway;
  return alertStaff(context, id, { kind: 'end-not-made', provider, reason: failure.refused });
}

/** Whether the provider has confirmed that it charges nothing more. */
export function isCanceledThere({ subscription }: Order): boolean {
  return subscription.status === 'canceled';
}
