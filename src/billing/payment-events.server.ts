/** What happened to an order, besides the steps of its status. */
import { disputeEvents, refundEvents } from './charge-events.server.ts';
import { monthlyOf } from './event-facts.server.ts';
import { invoiceEvents } from './invoice-events.server.ts';
import type { NewsOfCharges } from './news-of-charges.server.ts';
import type { NewsOfInvoices } from './news-of-invoices.server.ts';
import type { OrderDiff } from './order-diff.server.ts';
import type { Draft } from './order-event-store.server.ts';
import { isBillable, isOver } from './order-status.ts';

export function paymentEvents(
  diff: OrderDiff,
  invoices: NewsOfInvoices,
  charges: NewsOfCharges,
): Draft[] {
  return [
    ...disputeEvents(diff, charges),
    ...refundEvents(diff),
    ...startEvents(diff),
    ...endEvents(diff),
    ...invoiceEvents(diff, invoices),
    ...creditEvents(diff),
    ...intervalEvents(diff),
  ];
}

function startEvents({ before, after }: OrderDiff): Draft[] {
  const { status } = after.subscription;
  const isScheduled = status === 'trialing' && after.status === 'processing';
  const { startsOn } = after;
  if (!isScheduled || startsOn === null || before.subscription.status !== 'incomplete') return [];
  return [{ event: { kind: 'start-scheduled', monthly: { ...monthlyOf(after), startsOn } } }];
}

/** An end that is set, or taken back, and a pause. */
function endEvents({ before, after }: OrderDiff): Draft[] {
  const [was, now] = [before.subscription, after.subscription];
  const quietly = !isBillable(after);
  const { cancelAt: endsAt } = now;
  const paused = now.status === 'paused';
  const isPauseNew = paused !== (was.status === 'paused') && now.status !== 'canceled';
  return [
    ...(endsAt === was.cancelAt ? [] : [{ event: { kind: 'ending' as const, endsAt }, quietly }]),
    ...(isPauseNew ? [{ event: { kind: 'paused' as const, paused }, quietly }] : []),
  ];
}

/** No bill uses a credit after the end. */
function creditEvents({ before, after }: OrderDiff): Draft[] {
  if (!isOver(after.status)) return [];
  const was = isOver(before.status) ? before.subscription.creditCents : 0;
  const { creditCents: amount } = after.subscription;
  const quietly = amount < was;
  return amount === was ? [] : [{ event: { kind: 'credit-left', amount }, quietly }];
}

function intervalEvents({ before, after }: OrderDiff): Draft[] {
  const { billedEvery: every } = after.subscription;
  const isNew = every !== before.subscription.billedEvery;
  return isNew ? [{ event: { kind: 'interval-changed', every } }] : [];
}
