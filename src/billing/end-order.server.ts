/** Ends an order as staff or the customer asked, an unpaid one or a plan that runs, or keeps it. */
import { abandonOrder, ENDED } from './abandon-order.server.ts';
import { applyReport } from './apply-report.server.ts';
import type { Order } from './billed-order.server.ts';
import { type Actor, byProvider, type Cause } from './cause.server.ts';
import { askProvider, insertEvent } from './order-event-store.server.ts';
import { awaitsPayment, isOver, owesByCard } from './order-status.ts';
import { isNotDone, type Outcome, outdated, PAID_MEANWHILE } from './outcome.server.ts';
import { refuseOtherProvider } from './provider-mode.server.ts';
import { type OrderContext, refreshDecided, refreshOrder } from './refresh-order.server.ts';

const TOO_LATE = {
  accepted: { refused: PAID_MEANWHILE, isOutdated: true },
  'under-way': {
    refused: 'The bank is deciding on this payment right now. Please try again in a minute.',
  },
} as const;

/** Abandons an unpaid order, else ends the subscription; a past-due one at once. */
export async function endOrder(
  context: OrderContext,
  order: Order,
  when: 'now' | 'period-end',
  actor: Actor,
): Promise<Outcome> {
  if (awaitsPayment(order.status)) return cancelUnpaid(context, order, actor);
  const effective = endOf(order, when);
  // What came before the press is not of its making.
  const seen = await (effective === 'now'
    ? refreshDecided(context, order)
    : refreshOrder(context, order, byProvider(context.gateway)));
  const now = seen === 'unavailable' ? order : seen;
  if (isNotDone(now)) return now;
  if (isOver(now.status) !== isOver(order.status) || endOf(now, when) !== effective)
    return outdated(now);
  const press = { kind: 'end-asked', when: effective } as const;
  const ended = await askProvider(context, order.id, { press, actor }, (pressId) =>
    context.gateway.cancel(now, effective, pressId),
  );
  if (isNotDone(ended)) return ended;
  if (effective === 'period-end') {
    await refreshOrder(context, order, ended);
    return 'done';
  }
  await context.db.transaction().execute(async (trx) => {
    // Also ends an order that never reached the provider.
    const report = { ...ENDED, endedAt: Date.now() };
    await applyReport({ ...context, db: trx }, order.id, report, ended);
    await insertEvent(trx, order.id, { kind: 'not-refunded' }, { actor });
  });
  return 'done';
}

/** Takes back an end that is set. Does nothing where none is. */
export async function keepPlan(
  context: OrderContext,
  order: Order,
  actor: Actor,
): Promise<Outcome> {
  if (order.subscription.cancelAt === null) return 'done';
  // What came before the press is not of its making: it may go on already.
  const now = await refreshOrder(context, order, byProvider(context.gateway));
  if (now !== 'unavailable' && now.subscription.cancelAt === null)
    return isOver(now.status) ? outdated(now) : 'done';
  const press = { kind: 'keep-asked' } as const;
  const kept = await askProvider(context, order.id, { press, actor }, (pressId) =>
    context.gateway.subscriptions.resume(order, pressId),
  );
  if (isNotDone(kept)) return kept;
  await refreshOrder(context, order, kept);
  return 'done';
}

/** A month that no card has paid does not run to its end, and is no longer due. */
function endOf(order: Order, when: 'now' | 'period-end') {
  return order.status === 'refunded' || owesByCard(order) ? 'now' : when;
}

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
    if (!isNotDone(outcome)) return TOO_LATE[outcome];
    return refuseOtherProvider(context.gateway, order) ?? outcome;
  });
  return isNotDone(ended) ? ended : 'done';
}
