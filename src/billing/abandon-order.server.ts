/**
 * Unpaid orders are abandoned when someone else pays the quote, the quote changes, staff cancel, or
 * the time to pay is over. The payment is canceled at the provider first, which fails if the
 * customer has paid. Every way to end an unpaid order goes through here.
 */

import { logFailure } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import { billedOf } from './billed-order.server.ts';
import { type Actor, bySite, type Cause } from './cause.server.ts';
import {
  type Gateway,
  isNotDone,
  type Outcome,
  PAID_MEANWHILE,
  type PaymentState,
  type Refused,
} from './gateway.server.ts';
import { askProvider, byProvider, insertEvent, statusSince } from './order-event-store.server.ts';
import { awaitsPayment, isOver, isRunning, owesByCard } from './order-status.ts';
import {
  alertStaff,
  findOrdersToEnd,
  findUnpaidOrders,
  getOrder,
  isOrderAt,
  type Order,
} from './order-store.server.ts';
import {
  applyReport,
  applyUnlessOutdated,
  type FollowedOrder,
  type OrderContext,
  refreshDecided,
  refreshOrder,
} from './refresh-order.server.ts';
import { wasStarted } from './subscription-store.server.ts';

/** 'under-way': the bank is deciding. 'unavailable': nothing has changed. */
type AbandonOutcome = 'abandoned' | 'under-way' | 'paid' | 'unavailable';

const UNPAYABLE: PaymentState = { abandoned: true };
const ENDED: PaymentState = { ...UNPAYABLE, status: 'canceled' };

/**
 * Without `evenAtBank`, an order that waits for the customer's bank is left alone. Of an order that
 * is over, cancels a payment that was started too late.
 */
export async function abandonOrder(
  context: OrderContext,
  { id }: Pick<Order, 'id'>,
  cause: Cause,
  { evenAtBank = false } = {},
): Promise<AbandonOutcome> {
  for (;;) {
    const after = await tryToAbandon(
      context,
      await getOrder(context.db, { id }),
      cause,
      evenAtBank,
    );
    // A payment started in the meantime must be canceled too.
    if (after === 'outdated') continue;
    if (after === 'unavailable') return after;
    if (isRunning(after.status)) return 'paid';
    return isOver(after.status) ? 'abandoned' : 'under-way';
  }
}

async function tryToAbandon(
  context: OrderContext,
  staleOrder: Order,
  cause: Cause,
  evenAtBank: boolean,
): Promise<FollowedOrder | 'unavailable'> {
  const { gateway } = context;
  if (!isOrderAt(gateway, staleOrder))
    // No one pays for real what was placed in test mode.
    return staleOrder.subscription.live
      ? 'unavailable'
      : applyUnlessOutdated(context, staleOrder, ENDED, cause);
  const order = await refreshOrder(context, staleOrder, cause);
  if (order === 'unavailable' || isRunning(order.status)) return order;
  if (isOver(order.status) && (isEnded(order) || !wasStarted(order.subscription))) return order;
  if (order.status === 'processing' && !evenAtBank) return order;
  const outcome = await gateway.cancelPayment(order);
  // A payment that is being started has not ended with the order: reconciliation must see it.
  if (outcome === 'canceled')
    return applyUnlessOutdated(
      context,
      order,
      wasStarted(order.subscription) ? ENDED : UNPAYABLE,
      cause,
    );
  // The provider does not take an invoice back while a bank debit of it is under way.
  if (order.status === 'processing' && typeof outcome === 'object') return order;
  if (outcome !== 'succeeded') return 'unavailable';
  await cancelIfOver(context, order);
  return refreshOrder(context, order, cause);
}

const TOO_LATE = {
  paid: PAID_MEANWHILE,
  'under-way': 'The bank is deciding on this payment right now. Please try again in a minute.',
};

/** Also cancels a payment that the bank has not decided. */
export async function cancelUnpaid(
  context: OrderContext,
  order: Order,
  actor: Actor,
): Promise<Outcome> {
  const press = { kind: 'end-asked', when: 'unpaid' } as const;
  const ended = await askProvider(context, order.id, { press, actor }, async (causeId) => {
    const cause: Cause = { actor, reason: 'canceled', causeId };
    const outcome = await abandonOrder(context, order, cause, { evenAtBank: true });
    if (outcome === 'abandoned') return 'done';
    if (outcome !== 'unavailable') return { refused: TOO_LATE[outcome] };
    return refuseOtherProvider(order, context.gateway) ?? outcome;
  });
  return isNotDone(ended) ? ended : 'done';
}

/** Abandons an unpaid order, else ends the subscription; a past-due one at once. */
export async function endOrder(
  context: OrderContext,
  order: Order,
  when: 'now' | 'period-end',
  actor: Actor,
): Promise<Outcome> {
  if (awaitsPayment(order.status)) return cancelUnpaid(context, order, actor);
  // A month that no card has paid does not run to its end, and is no longer due.
  const effective = order.status === 'refunded' || owesByCard(order) ? 'now' : when;
  const seen = effective === 'now' ? await refreshDecided(context, order) : order;
  if (seen !== 'unavailable' && isNotDone(seen)) return seen;
  const press = { kind: 'end-asked', when: effective } as const;
  const ended = await askProvider(context, order.id, { press, actor }, (pressId) =>
    context.gateway.cancel(order, effective, pressId),
  );
  if (isNotDone(ended)) return ended;
  if (effective === 'period-end') {
    await refreshOrder(context, order, ended);
    return 'done';
  }
  await context.db.transaction().execute(async (trx) => {
    // Also ends an order that never reached the provider.
    await applyReport({ ...context, db: trx }, order.id, ENDED, ended);
    await insertEvent(trx, order.id, { kind: 'not-refunded' }, { actor });
  });
  return 'done';
}

/** Returns undefined when the order belongs to the active provider. */
export function refuseOtherProvider(
  { subscription: { provider } }: Pick<Order, 'subscription'>,
  gateway: Pick<Gateway, 'provider'>,
): Refused | undefined {
  return provider === gateway.provider
    ? undefined
    : { refused: `The order was placed with another payment provider (${provider})` };
}

/** Whether the provider has confirmed that it charges nothing more. */
function isEnded({ subscription }: Order): boolean {
  return subscription.status === 'canceled';
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

export async function cancelOrphanedSubscriptions(
  context: Pick<OrderContext, 'db' | 'gateway' | 'notify'>,
): Promise<void> {
  for (const order of await findOrdersToEnd(context.db, context.gateway))
    await logFailure('subscription-cancellation-failed', { orderId: order.id }, () =>
      cancelIfOver(context, order),
    );
}

/** Stops the provider from charging an order that is over. What is unavailable is tried again. */
export async function cancelIfOver(
  context: Pick<OrderContext, 'db' | 'gateway' | 'notify'>,
  order: Order,
): Promise<Outcome> {
  const { db, gateway } = context;
  // One that was ended at the provider may have left its first invoice open there.
  const mayBePaid = order.subscription.collection === 'invoice' && !billedOf(order).paid;
  if (!isOver(order.status) || (isEnded(order) && !mayBePaid)) return 'done';
  // A first invoice that is still open could be paid after the end.
  const canceled = await gateway.cancelPayment(order);
  const ended = canceled === 'unavailable' ? canceled : await gateway.cancel(order, 'now');
  const failure = [ended, canceled].find(isNotDone);
  if (!failure) {
    const { subscription } = await getOrder(db, order);
    const report = { status: 'canceled' } as const;
    // What is being started has not ended with the order.
    if (wasStarted(subscription))
      await db
        .transaction()
        .execute((trx) =>
          applyReport({ ...context, db: trx }, order.id, report, byProvider(gateway)),
        );
    return 'done';
  }
  if (failure === 'unavailable') {
    const event = { kind: 'end-delayed' } as const;
    await insertEvent(db, order.id, event, bySite(), JSON.stringify(event));
  } else {
    const { name: provider } = gateway;
    const { refused: reason } = failure;
    await alertStaff(context, order.id, { kind: 'end-not-made', provider, reason });
  }
  return failure;
}
