/** What happened to an order, besides the steps of its status. */
import { disputeEvents, refundEvents } from './charge-events.server.ts';
import type { NewsOfCharges } from './charge-store.server.ts';
import { monthlyOf } from './event-facts.server.ts';
import { invoiceEvents } from './invoice-events.server.ts';
import type { NewsOfInvoices } from './news-of-invoices.server.ts';
import type { Draft } from './order-event-store.server.ts';
import { isBillable, isOver } from './order-status.ts';
import { happened, type Passing } from './passing.server.ts';
import { quoteAccepted } from './status-events.server.ts';

export function paymentEvents(
  passing: Passing,
  invoices: NewsOfInvoices,
  charges: NewsOfCharges,
): Draft[] {
  return [
    ...disputeEvents(passing, charges),
    ...refundEvents(passing),
    ...startEvents(passing),
    ...endEvents(passing),
    ...invoiceEvents(passing, invoices),
    ...creditEvents(passing),
    ...intervalEvents(passing),
  ];
}

function startEvents(passing: Passing): Draft[] {
  const { before, after } = passing;
  const { status, collection } = after.subscription;
  const isScheduled = status === 'trialing' && after.status === 'processing';
  const { startsOn } = after;
  if (!isScheduled || startsOn === null || before.subscription.status !== 'incomplete') return [];
  return [
    // By invoice, the quote was accepted before.
    ...(collection === 'card' ? quoteAccepted(passing) : []),
    ...happened({ kind: 'start-scheduled', monthly: { ...monthlyOf(after), startsOn } }),
  ];
}

/** An end that is set, or taken back, and a pause. */
function endEvents({ before, after }: Passing): Draft[] {
  const [was, now] = [before.subscription, after.subscription];
  const quietly = !isBillable(after);
  const { cancelAt: endsAt } = now;
  const paused = now.status === 'paused';
  const isPauseNew = paused !== (was.status === 'paused') && now.status !== 'canceled';
  return [
    ...(endsAt === was.cancelAt ? [] : happened({ kind: 'ending', endsAt }, quietly)),
    ...(isPauseNew ? happened({ kind: 'paused', paused }, quietly) : []),
  ];
}

/** No bill uses a credit after the end. */
function creditEvents({ before, after }: Passing): Draft[] {
  if (!isOver(after.status)) return [];
  const was = isOver(before.status) ? before.subscription.creditCents : 0;
  const { creditCents: amount } = after.subscription;
  return amount === was ? [] : happened({ kind: 'credit-left', amount }, amount < was);
}

function intervalEvents({ before, after }: Passing): Draft[] {
  const { billedEvery: every } = after.subscription;
  const isNew = every !== before.subscription.billedEvery;
  return isNew ? happened({ kind: 'interval-changed', every }) : [];
}
