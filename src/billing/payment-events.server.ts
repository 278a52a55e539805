/** What happened to an order, when its payment is not as it was. */

import type { Db } from '../platform/database/tables.server.ts';
import { cents } from '../platform/money.ts';
import { billedOf, disputeOf, invoiceStateOfOrder, refundedOf } from './billed-order.server.ts';
import type { SavedCharges } from './charge-store.server.ts';
import { isOwed } from './invoice.ts';
import { type Invoice, needsConfirmation, type SavedInvoices } from './invoice-store.server.ts';
import { type EventOf, invoiceOf, monthlyOf, type OrderEvent } from './order-event.server.ts';
import type { Draft } from './order-event-store.server.ts';
import { awaitsPayment, isOver, isRunning, type OrderStatus } from './order-status.ts';
import { type Order, selectSimilarOrders } from './order-store.server.ts';

/**
 * No customer hears of an unpaid order, whose address may be another's. Overdue and paid: renewed.
 */
export function transitionEvents(
  before: Order,
  after: Order,
  path: readonly OrderStatus[],
): OrderEvent[] {
  const { invoices } = after;
  const paid = invoices.find(({ status }) => status === 'paid');
  const isVoid = invoiceStateOfOrder(after) === 'void';
  const parts = invoices
    .filter(({ status, amountPaidCents: amount }) => status !== 'paid' && amount > 0)
    .map((invoice) => ({ ...invoiceOf(after, invoice), amount: invoice.amountPaidCents }));
  const byCard = before.subscription.collection === 'card';
  return path.flatMap((to, index): OrderEvent[] => {
    const from = path[index - 1] ?? before.status;
    if (to === 'failed') return [{ kind: 'failed' }];
    if (to === 'paid' && awaitsPayment(from)) {
      const invoice = paid ? invoiceOf(after, paid) : null;
      const event = { kind: 'paid' as const, monthly: monthlyOf(after), invoice };
      // By invoice, it was accepted before.
      const isAcceptance = before.quoteId !== null && byCard;
      return isAcceptance ? [{ kind: 'quote-accepted' }, event] : [event];
    }
    if (to === 'canceled' && awaitsPayment(from) && !byCard)
      return [
        { kind: 'ended', invoiceIsVoid: isVoid, withoutRefund: false },
        ...(parts.length > 0
          ? [{ kind: 'paid-after-end' as const, invoices: parts, status: to }]
          : []),
      ];
    if (!isRunning(from)) return [];
    if (to === 'refunded') return [refundOf(before, after)];
    if (to === 'canceled') {
      const withoutRefund =
        !isVoid && after.subscription.cancelAt === null && refundedOf(after) === 0;
      return [{ kind: 'ended', invoiceIsVoid: isVoid, withoutRefund }];
    }
    // A customer by invoice learns of the invoice, and never of a card.
    if (to !== 'past_due' || !byCard) return [];
    return [
      renewalFailed(
        after,
        invoices.find(({ status }) => status === 'open'),
      ),
    ];
  });
}

function renewalFailed(order: Order, unpaid: Invoice | undefined): EventOf<'renewal-failed'> {
  return {
    kind: 'renewal-failed',
    invoice: unpaid ? invoiceOf(order, unpaid) : null,
    toConfirm: unpaid !== undefined && needsConfirmation(unpaid),
  };
}

function refundOf(before: Order, after: Order): EventOf<'refunded'> {
  return {
    kind: 'refunded',
    amount: cents(refundedOf(after) - refundedOf(before)),
    total: refundedOf(after),
    running: isRunning(after.status),
    lost: disputeOf(after) === 'lost',
  };
}

/** What happened besides transitions. */
export function paymentEvents(
  before: Order,
  after: Order,
  invoices: SavedInvoices,
  charges: SavedCharges,
): Draft[] {
  const drafts: Draft[] = [];
  const add = (event: OrderEvent, quietly = false) => drafts.push({ event, quietly });
  const isRunningNow = isRunning(after.status);
  const state = invoiceStateOfOrder(after);
  // A debit that the bank returned is a lost dispute as well.
  if (state !== 'debit_returned')
    for (const { amountCents: amount } of charges.newlyDisputed) add({ kind: 'disputed', amount });
  const dispute = disputeOf(after);
  if (dispute !== disputeOf(before)) add({ kind: 'dispute', state: dispute });
  const total = refundedOf(after);
  const refunded = total - refundedOf(before);
  const becameRefunded = after.status === 'refunded' && isRunning(before.status);
  if (refunded > 0 && !becameRefunded) add(refundOf(before, after), after.status === 'refunded');
  if (refunded < 0) add({ kind: 'refund-failed', amount: cents(-refunded), total });
  const [was, now] = [before.subscription, after.subscription];
  if (now.cancelAt !== was.cancelAt) add({ kind: 'ending', endsAt: now.cancelAt }, !isRunningNow);
  const paused = now.status === 'paused';
  if (paused !== (was.status === 'paused') && now.status !== 'canceled')
    add({ kind: 'paused', paused }, !isRunningNow);
  if (state !== null && state !== invoiceStateOfOrder(before))
    add({ kind: 'invoice-state', state });
  const first = after.invoices.at(-1);
  if (first?.dueDay && awaitsPayment(before.status) && invoices.changed) {
    const event = { kind: 'invoice-sent' as const, monthly: monthlyOf(after) };
    drafts.push({ event: { ...event, invoice: invoiceOf(after, first) }, once: 'invoice-sent' });
  }
  if (before.status === 'past_due' && after.status === 'past_due')
    for (const invoice of invoices.newlyUnpaid) add(renewalFailed(after, invoice));
  for (const invoice of invoices.partlyPaid)
    add({ kind: 'part-paid', invoice: invoiceOf(after, invoice) });
  addPaid(before, after, invoices.newlyPaid, add);
  for (const invoice of invoices.newlyReturned) {
    const wasPaid = invoice.status === 'paid';
    add({ kind: 'debit-returned', invoice: invoiceOf(after, invoice), wasPaid });
  }
  return drafts;
}

function addPaid(
  before: Order,
  after: Order,
  newlyPaid: SavedInvoices['newlyPaid'],
  add: (event: OrderEvent, quietly?: boolean) => void,
): void {
  const isFirst = awaitsPayment(before.status);
  const paid = newlyPaid.toSorted((one, other) => one.createdAt - other.createdAt);
  const invoicesOf = (some: typeof paid) =>
    some.flatMap(({ id }) =>
      after.invoices.filter((row) => row.id === id).map((row) => invoiceOf(after, row)),
    );
  const billed = billedOf(after);
  const { collection } = before.subscription;
  // The last month's invoice may be due after the end.
  const isLate =
    isOver(before.status) &&
    !(isOwed(invoiceStateOfOrder(before)) && billed.paid && !billed.reversed);
  if (isLate && paid.length > 0) {
    // A refund may be reported before its payment.
    const isRefunded = billed.reversed && billed.refunded > 0;
    const { status } = before;
    add({ kind: 'paid-after-end', invoices: invoicesOf(paid), status }, isRefunded);
  }
  const isLaterInvoice = collection === 'invoice' && !isFirst;
  // The first one is the order's payment, also if it was issued in place of another.
  const later = isFirst ? paid.slice(1) : paid;
  const renewed = isLate ? [] : later.filter(({ renewal }) => renewal || isLaterInvoice);
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
