/**
 * What staff and customers learn of a change: notes in the order's history, and notifications.
 */
import type { Db } from '../platform/database/tables.server.ts';
import { cents, formatDollars } from '../platform/money.ts';
import { isoTime } from '../platform/time.ts';
import {
  awaitsPayment,
  INVOICE_WORDS,
  isOver,
  isOwed,
  isRunning,
  type OrderStatus,
  orderReference,
} from './order.ts';
import type { Billing, SavedCharges, SavedInvoices } from './order-billing.server.ts';
import type { OrderEvent } from './order-mails.server.ts';
import { type Order, selectSimilarOrders } from './order-store.server.ts';

/**
 * Never notify the customer of an unpaid order: the address may belong to someone else. A past-due
 * order that is paid again is a renewal, so it must not send 'order-paid' a second time.
 */
export function transitionEvents(
  { status: start, quoteId, dueDays }: Pick<Order, 'status' | 'quoteId' | 'dueDays'>,
  path: readonly OrderStatus[],
): OrderEvent[] {
  return path.flatMap((to, index): OrderEvent[] => {
    const from = path[index - 1] ?? start;
    if (to === 'failed') return ['order-failed'];
    if (to === 'paid' && awaitsPayment(from))
      // By invoice, it was accepted before.
      return quoteId === null || dueDays !== null
        ? ['order-paid']
        : ['quote-accepted', 'order-paid'];
    const event = isRunning(from) ? RUNNING_ORDER_EVENTS[to] : undefined;
    return event ? [event] : [];
  });
}

const RUNNING_ORDER_EVENTS: Partial<Record<OrderStatus, OrderEvent>> = {
  past_due: 'order-renewal-failed',
  refunded: 'order-refunded',
  canceled: 'order-ended',
};

/** An order by invoice hears of its invoice, and never of a card. */
export function invoiceEvents(
  before: Order,
  after: Order,
  { returned }: SavedInvoices,
  events: OrderEvent[],
): OrderEvent[] {
  if (after.invoiceState === null) return events;
  const isReturned = after.invoiceState === 'debit_returned';
  const kept = events.filter(
    (event) => event !== 'order-renewal-failed' && !(isReturned && event === 'order-disputed'),
  );
  if (returned) kept.push('order-debit-returned');
  if (awaitsPayment(before.status) && after.status === 'canceled') kept.push('order-ended');
  return kept;
}

interface SavedFacts {
  billing: Billing;
  invoices: SavedInvoices;
  charges: SavedCharges;
}

/** Notes for staff and notification events, besides those of status transitions. */
export function notesAndEvents(
  before: Order,
  after: Order,
  { billing, invoices: { newlyPaid }, charges: { newlyDisputed } }: SavedFacts,
  cause: string,
) {
  const notes: string[] = [];
  const events = newlyDisputed.map((): OrderEvent => 'order-disputed');
  if (after.dispute !== before.dispute) notes.push(`Dispute ${after.dispute} (${cause})`);
  const refunded = after.refundedCents - before.refundedCents;
  if (refunded !== 0) {
    const sum = `${formatDollars(after.refundedCents)} refunded in all (${cause})`;
    const failed = `A refund of ${formatDollars(cents(-refunded))} failed: `;
    notes.push(refunded > 0 ? sum : failed + sum);
    if (refunded < 0) events.push('order-refund-failed');
    else if (after.status !== 'refunded') events.push('order-refunded');
  }
  if (after.endsAt !== before.endsAt) {
    const end = after.endsAt && isoTime(after.endsAt);
    const change = end ? `The subscription ends on ${end}` : 'The subscription continues';
    notes.push(`${change} (${cause})`);
    if (isRunning(after.status)) events.push('order-ending');
  }
  if (after.paused !== before.paused) {
    notes.push(`Billing ${after.paused ? 'paused' : 'continues'} (${cause})`);
    if (isRunning(after.status)) events.push('order-paused');
  }
  const { invoiceState: state } = after;
  if (state !== null && state !== before.invoiceState)
    notes.push(`${INVOICE_WORDS[state].staff} (${cause})`);
  const isLaterInvoice = before.invoiceState !== null && !awaitsPayment(before.status);
  const renewed = newlyPaid.filter(({ renewal }) => renewal || isLaterInvoice);
  // The last month's invoice may be due after the end.
  if (
    isOver(before.status) &&
    !(isOwed(before.invoiceState) && billing.paid && !billing.reversed)
  ) {
    for (const { amount } of newlyPaid)
      notes.push(
        `${formatDollars(amount)} was taken although the order is ${before.status} (${cause})`,
      );
    // A refund may be reported before its payment.
    const isRefunded = billing.reversed && billing.refunded > 0;
    if (newlyPaid.length > 0 && !isRefunded) events.push('order-paid-after-end');
  } else {
    for (const { amount } of renewed) notes.push(`Renewed: ${formatDollars(amount)} (${cause})`);
    // One email even when several months are paid at once: its link shows all of them.
    if (!awaitsPayment(before.status) && renewed.length > 0) events.push('order-renewed');
  }
  return { notes, events };
}

/** Two subscriptions to one plan for one address may be a mistake, so staff are asked. */
export async function secondSubscriptionNotes(trx: Db, order: Order): Promise<string[]> {
  const similar = await selectSimilarOrders(
    trx,
    { provider: order.provider, chargesRealMoney: order.live === 1 },
    order,
  ).execute();
  const running = similar.filter(({ id, status }) => id !== order.id && isRunning(status));
  const numbers = running.map(({ id }) => orderReference(id)).join(', ');
  return numbers
    ? [`The same plan is running for this address already (${numbers}): is a second one wanted?`]
    : [];
}
