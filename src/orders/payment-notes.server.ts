/** What happened to an order, when its payment is not as it was. */

import {
  type EventOf,
  invoiceOf,
  monthlyOf,
  type OrderEvent,
} from '../billing/order-event.server.ts';
import { awaitsPayment, isOver, isRunning, type OrderStatus } from '../billing/order-status.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { cents } from '../platform/money.ts';
import { isOwed } from './order.ts';
import {
  type Billing,
  invoiceStateOf,
  needsConfirmation,
  type SavedCharges,
  type SavedInvoices,
} from './order-billing.server.ts';
import { type Order, selectSimilarOrders } from './order-store.server.ts';

/** `quietly`: without a notification. `once`: unless the order has an event with this key. */
export interface Draft {
  event: OrderEvent;
  quietly?: boolean;
  once?: string;
}

/**
 * Never notify the customer of an unpaid order: the address may belong to someone else. A past-due
 * order that is paid again is a renewal, so it must not send the first receipt a second time.
 * `invoices`: newest first.
 */
export function transitionEvents(
  before: Order,
  after: Order,
  path: readonly OrderStatus[],
  invoices: readonly Row<'orderInvoices'>[],
): OrderEvent[] {
  const paid = invoices.find((invoice) => invoice.paid);
  const unpaid = invoices.find((invoice) => !invoice.paid && !invoice.waived);
  const isVoid = after.invoiceState === 'given_up';
  const byCard = before.subscription.collection === 'card';
  return path.flatMap((to, index): OrderEvent[] => {
    const from = path[index - 1] ?? before.status;
    if (to === 'failed') return [{ kind: 'failed' }];
    if (to === 'paid' && awaitsPayment(from)) {
      const invoice = paid ? invoiceOf(paid) : null;
      const event = { kind: 'paid' as const, monthly: monthlyOf(after), invoice };
      // By invoice, it was accepted before.
      const isAcceptance = before.quoteId !== null && byCard;
      return isAcceptance ? [{ kind: 'quote-accepted' }, event] : [event];
    }
    if (to === 'canceled' && awaitsPayment(from) && !byCard)
      return [{ kind: 'ended', invoiceIsVoid: isVoid, withoutRefund: false }];
    if (!isRunning(from)) return [];
    if (to === 'refunded') return [refundOf(before, after)];
    if (to === 'canceled') {
      const withoutRefund =
        !isVoid && after.subscription.cancelAt === null && after.refundedCents === 0;
      return [{ kind: 'ended', invoiceIsVoid: isVoid, withoutRefund }];
    }
    // A customer by invoice learns of the invoice, and never of a card.
    if (to !== 'past_due' || after.invoiceState !== null) return [];
    return [
      {
        kind: 'renewal-failed',
        invoice: unpaid ? invoiceOf(unpaid) : null,
        toConfirm: invoices.some(needsConfirmation),
      },
    ];
  });
}

function refundOf(before: Order, after: Order): EventOf<'refunded'> {
  return {
    kind: 'refunded',
    amount: cents(after.refundedCents - before.refundedCents),
    total: after.refundedCents,
    running: isRunning(after.status),
    lost: after.dispute === 'lost',
  };
}

interface SavedFacts {
  billing: Billing;
  invoices: SavedInvoices;
  charges: SavedCharges;
}

/** What happened besides transitions. */
export function paymentEvents(before: Order, after: Order, facts: SavedFacts): Draft[] {
  const { billing, invoices, charges } = facts;
  const drafts: Draft[] = [];
  const add = (event: OrderEvent, quietly = false) => drafts.push({ event, quietly });
  const isRunningNow = isRunning(after.status);
  const isReturned = after.invoiceState === 'debit_returned';
  // A debit that the bank returned is a lost dispute as well.
  if (!isReturned)
    for (const { amount } of charges.newlyDisputed) add({ kind: 'disputed', amount });
  if (after.dispute !== before.dispute) add({ kind: 'dispute', state: after.dispute });
  const refunded = after.refundedCents - before.refundedCents;
  const becameRefunded = after.status === 'refunded' && isRunning(before.status);
  if (refunded > 0 && !becameRefunded) add(refundOf(before, after), after.status === 'refunded');
  if (refunded < 0)
    add({ kind: 'refund-failed', amount: cents(-refunded), total: after.refundedCents });
  const [was, now] = [before.subscription, after.subscription];
  if (now.cancelAt !== was.cancelAt) add({ kind: 'ending', endsAt: now.cancelAt }, !isRunningNow);
  const paused = now.status === 'paused';
  if (paused !== (was.status === 'paused') && now.status !== 'canceled')
    add({ kind: 'paused', paused }, !isRunningNow);
  const { invoiceState: state } = after;
  if (state !== null && state !== before.invoiceState) add({ kind: 'invoice-state', state });
  const first = billing.rows.at(-1);
  if (first?.dueAt && awaitsPayment(before.status) && invoices.changed) {
    const event = { kind: 'invoice-sent' as const, monthly: monthlyOf(after) };
    drafts.push({ event: { ...event, invoice: invoiceOf(first) }, once: 'invoice-sent' });
  }
  addPaid(before, after, facts, add);
  const returned = billing.rows.find((row) => invoiceStateOf(row) === 'debit_returned');
  if (invoices.returned && returned)
    add({ kind: 'debit-returned', invoice: invoiceOf(returned), wasPaid: returned.paid === 1 });
  return drafts;
}

function addPaid(
  before: Order,
  after: Order,
  { billing, invoices: { newlyPaid } }: SavedFacts,
  add: (event: OrderEvent, quietly?: boolean) => void,
): void {
  const isFirst = awaitsPayment(before.status);
  const paid = newlyPaid.toSorted((one, other) => one.createdAt - other.createdAt);
  const invoicesOf = (some: typeof paid) =>
    some.flatMap(({ id }) => billing.rows.filter((row) => row.id === id).map(invoiceOf));
  // The last month's invoice may be due after the end.
  const isLate =
    isOver(before.status) && !(isOwed(before.invoiceState) && billing.paid && !billing.reversed);
  if (isLate && paid.length > 0) {
    // A refund may be reported before its payment.
    const isRefunded = billing.reversed && billing.refunded > 0;
    const { status } = before;
    add({ kind: 'paid-after-end', invoices: invoicesOf(paid), status }, isRefunded);
  }
  const isLaterInvoice = before.invoiceState !== null && !isFirst;
  const renewed = isLate ? [] : paid.filter(({ renewal }) => renewal || isLaterInvoice);
  // One email even when several months are paid at once: its link shows all of them.
  if (renewed.length > 0)
    add(
      { kind: 'renewed', invoices: invoicesOf(renewed), running: isRunning(after.status) },
      isFirst,
    );
}

/** Two subscriptions to one plan for one address may be a mistake, so staff are asked. */
export async function secondSubscription(trx: Db, order: Order): Promise<Draft[]> {
  const similar = await selectSimilarOrders(
    trx,
    { provider: order.subscription.provider, chargesRealMoney: order.subscription.live === 1 },
    order,
  ).execute();
  const running = similar.filter(({ id, status }) => id !== order.id && isRunning(status));
  const orders = running.map(({ id }) => id);
  return orders.length > 0 ? [{ event: { kind: 'second-running', orders } }] : [];
}
