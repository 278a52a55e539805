/**
 * Unpaid orders are abandoned when someone else pays the quote, the quote changes, staff cancel, or
 * the time to pay is over. The payment is canceled at the provider first, which fails if the
 * customer has paid. Every way to end an unpaid order goes through here.
 */

import { logFailure } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import { applyUnlessOutdated, type FollowedOrder } from './apply-report.server.ts';
import type { Order } from './billed-order.server.ts';
import { cancelIfOver } from './cancel-at-provider.server.ts';
import { byProvider, bySite, type Cause } from './cause.server.ts';
import type { PaymentState } from './gateway.server.ts';
import { statusSince } from './order-event-store.server.ts';
import { isBillable, isOver, isRunning } from './order-status.ts';
import { findUnpaidOrders, getOrder } from './order-store.server.ts';
import { isNotDone, type NotDone } from './outcome.server.ts';
import { isOrderAt } from './provider-mode.server.ts';
import { type OrderContext, refreshOrder } from './refresh-order.server.ts';
import { wasStarted } from './subscription-store.server.ts';

/**
 * 'under-way': the bank is deciding. 'accepted': it is the customer's plan by now. Otherwise
 * nothing has changed.
 */
type AbandonOutcome = 'abandoned' | 'under-way' | 'accepted' | NotDone;

const UNPAYABLE: PaymentState = { abandoned: true };
export const ENDED: PaymentState = { ...UNPAYABLE, status: 'canceled' };

/**
 * Without `evenAtBank`, an order that waits for the customer's bank is left alone, and an accepted
 * plan always unless it was one when that was `decidedOn`. Of an order that is over, cancels a
 * payment that was started too late.
 */
export async function abandonOrder(
  context: OrderContext,
  decidedOn: Order,
  cause: Cause,
  { evenAtBank = false } = {},
): Promise<AbandonOutcome> {
  const isTaken = (order: Order) =>
    isRunning(order.status) || (isBillable(order) && !isBillable(decidedOn));
  for (;;) {
    const { db } = context;
    const after = await tryToAbandon(
      context,
      await getOrder(db, decidedOn),
      cause,
      (order) => isTaken(order) || (order.status === 'processing' && !evenAtBank),
    );
    // A payment started in the meantime must be canceled too.
    if (after === 'outdated') continue;
    if (isNotDone(after)) return after;
    if (isTaken(after)) return 'accepted';
    return isOver(after.status) ? 'abandoned' : 'under-way';
  }
}

async function tryToAbandon(
  context: OrderContext,
  staleOrder: Order,
  cause: Cause,
  isLeft: (order: Order) => boolean,
): Promise<FollowedOrder | NotDone> {
  const { gateway } = context;
  if (!isOrderAt(gateway, staleOrder))
    // No one pays for real what was placed in test mode.
    return staleOrder.subscription.live
      ? 'unavailable'
      : applyUnlessOutdated(context, staleOrder, ENDED, cause);
  // What came before is not of this cause's making.
  const order = await refreshOrder(context, staleOrder, byProvider(gateway));
  if (order === 'unavailable' || isLeft(order)) return order;
  const { subscription } = order;
  if (isOver(order.status) && (subscription.status === 'canceled' || !wasStarted(subscription)))
    return order;
  const outcome = await gateway.cancelPayment(order);
  // A payment that is being started has not ended with the order: reconciliation must see it.
  if (outcome === 'canceled')
    return applyUnlessOutdated(context, order, wasStarted(subscription) ? ENDED : UNPAYABLE, cause);
  // The provider does not take an invoice back while a bank debit of it is under way.
  if (order.status === 'processing' && typeof outcome === 'object') return order;
  if (isNotDone(outcome)) return outcome;
  await cancelIfOver(context, order);
  return refreshOrder(context, order, byProvider(gateway));
}

/** How long an order may wait for the bank, and how long for the customer. */
const AT_BANK_MS = HOUR_MS;
const UNPAID_MS = DAY_MS;

export async function expireOrders(context: OrderContext, isStopped: () => boolean): Promise<void> {
  const { db, gateway } = context;
  const now = Date.now();
  // An invoice may be paid much later.
  for (const order of await findUnpaidOrders(db, gateway, 'card', now - AT_BANK_MS)) {
    if (isStopped()) return;
    // A plan that starts on a day to come, or could not be charged on it, is the provider's to end.
    if (order.subscription.status !== 'incomplete') continue;
    await logFailure('order-expiry-failed', { orderId: order.id }, async () => {
      const isAtBank =
        order.status === 'processing' && (await statusSince(db, order.id)) <= now - AT_BANK_MS;
      if (isAtBank || order.createdAt <= now - UNPAID_MS)
        await abandonOrder(context, order, bySite('not-paid-in-time'), { evenAtBank: true });
    });
  }
}
