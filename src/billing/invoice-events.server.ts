/** What happened to an order's invoices. */
import { billedOf, invoiceStateOfOrder, type Order, refundedOf } from './billed-order.server.ts';
import { invoiceOf, monthlyOf } from './event-facts.server.ts';
import { type InvoiceState, isOwed } from './invoice.ts';
import { byNewest, type Invoice, needsConfirmation } from './invoice-store.server.ts';
import type { NewsOfInvoices } from './news-of-invoices.server.ts';
import type { OrderDiff } from './order-diff.server.ts';
import type { EventInvoice } from './order-event.server.ts';
import type { Draft } from './order-event-store.server.ts';
import { awaitsPayment, isBillable, isOver, owesByCard } from './order-status.ts';

export function invoiceEvents(diff: OrderDiff, news: NewsOfInvoices): Draft[] {
  const { before, after } = diff;
  const paidLater = laterPayments(diff, news);
  const isOwing = isBillable(after) && owesByCard(before) && owesByCard(after);
  const wasOpen = ({ id }: Invoice) =>
    before.invoices.some((invoice) => invoice.id === id && invoice.status === 'open');
  const given = (invoice: Invoice) => invoiceOf(after, invoice);
  return [
    ...stateEvents(diff, news, paidLater),
    ...firstSent(diff),
    ...(isOwing ? news.newlyUnpaid.flatMap((invoice) => renewalFailed(diff, invoice)) : []),
    ...news.partlyPaid.map(
      (invoice): Draft => ({ event: { kind: 'part-paid', invoice: given(invoice) } }),
    ),
    ...paidLater,
    ...(isOver(before.status) ? partsKept(after, news.changed.filter(wasOpen)) : []),
    ...news.newlyReturned.map((invoice): Draft => {
      const wasPaid = invoice.status === 'paid';
      return { event: { kind: 'debit-returned', invoice: given(invoice), wasPaid } };
    }),
  ];
}

/** Unless a status, a renewal, or a part that came says so. A new way to pay changes no invoice. */
function stateEvents(
  diff: OrderDiff,
  { changed, partlyPaid }: NewsOfInvoices,
  paidLater: readonly Draft[],
): Draft[] {
  const state = newInvoiceState(diff);
  const isToldByStatus = diff.after.status !== diff.before.status;
  const isToldByRenewal = paidLater.some(({ event }) => event.kind === 'renewed');
  const isTold = isToldByStatus || isToldByRenewal || partlyPaid.length > 0;
  if (state === null || isTold || changed.length === 0) return [];
  return [{ event: { kind: 'invoice-state', state } }];
}

function firstSent({ before, after }: OrderDiff): Draft[] {
  const first = after.invoices.at(-1);
  const isNew = before.invoices.length === 0 && awaitsPayment(before.status);
  if (!isNew || !first?.dueDay) return [];
  const invoice = invoiceOf(after, first);
  return [{ event: { kind: 'invoice-sent', monthly: monthlyOf(after), invoice } }];
}

/** What came for months after the first, and after the end. */
function laterPayments(diff: OrderDiff, { newlyPaid }: NewsOfInvoices): Draft[] {
  const paid = newlyPaid.toSorted(byNewest).reverse();
  const isDue = isOfLastMonth(diff) || isLastBill(diff, paid);
  const isLate = isOver(diff.before.status) && !isDue;
  return isLate ? cameAfterEnd(diff.after, paid) : renewed(diff, paid);
}

/** The last month's invoice may be due after the end. */
function isOfLastMonth({ before, after }: OrderDiff): boolean {
  const { paid, reversed } = billedOf(after);
  return isOwed(invoiceStateOfOrder(before)) && paid && !reversed;
}

/** What is left at the end of a plan is billed an hour after it, and has no month. */
function isLastBill({ before }: OrderDiff, paid: readonly Invoice[]): boolean {
  const { paid: hasPaid, reversed } = billedOf(before);
  return hasPaid && !reversed && paid.every(({ periodStart }) => periodStart === null);
}

function cameAfterEnd(after: Order, paid: readonly Invoice[]): Draft[] {
  if (paid.every(({ amountPaidCents }) => amountPaidCents === 0)) return [];
  const given = paid.map((invoice) => invoiceOf(after, invoice));
  const chargesOf = ({ id }: Invoice) => after.charges.filter(({ invoiceId }) => invoiceId === id);
  // A refund may be reported before its payment.
  const hasGoneBack = (invoice: Invoice) =>
    refundedOf({ charges: chargesOf(invoice) }) >= invoice.amountPaidCents;
  return paidAfterEnd(after, given, paid.every(hasGoneBack));
}

function renewed({ before, after }: OrderDiff, paid: NewsOfInvoices['newlyPaid']): Draft[] {
  const hasFirst = awaitsPayment(before.status);
  const isByInvoice = before.subscription.collection === 'invoice';
  // The first one is the order's payment, also if it was issued in place of another.
  const later = (hasFirst ? paid.slice(1) : paid).filter(
    ({ renewal }) => renewal || (isByInvoice && !hasFirst),
  );
  if (later.length === 0) return [];
  const isMonth = ({ periodStart }: Invoice) => periodStart !== null;
  const isMonthBefore = (invoice: Invoice) =>
    isMonth(invoice) && later.every(({ id }) => id !== invoice.id);
  const isFirstMonth = later.some(isMonth) && !before.invoices.some(isMonthBefore);
  // One email even when several later months are paid at once: its link shows all of them.
  const event = {
    kind: 'renewed' as const,
    invoices: later.map((invoice) => invoiceOf(after, invoice)),
    running: isBillable(after),
    started: before.startsOn !== null && isFirstMonth,
  };
  return [{ event }];
}

/** Which card was tried, and what follows, is told of each report alone. */
export function renewalFailed(
  { after, reported = [] }: OrderDiff,
  unpaid: Invoice | undefined,
): Draft[] {
  const { tried } = reported.find(({ id }) => id === unpaid?.id) ?? {};
  const event = {
    kind: 'renewal-failed' as const,
    invoice: unpaid ? invoiceOf(after, unpaid) : null,
    toConfirm: unpaid !== undefined && needsConfirmation(unpaid),
    ...(tried && { tried }),
  };
  return [{ event }];
}

/** Parts that had come for invoices which no one owes any more. */
export function partsKept(after: Order, invoices: readonly Invoice[]): Draft[] {
  const parts = invoices
    .filter(({ status }) => status === 'void' || status === 'uncollectible')
    .filter(({ amountPaidCents }) => amountPaidCents > 0)
    .map((invoice) => ({ ...invoiceOf(after, invoice), amount: invoice.amountPaidCents }));
  return parts.length > 0 ? paidAfterEnd(after, parts) : [];
}

function paidAfterEnd({ status }: Order, invoices: EventInvoice[], quietly = false): Draft[] {
  return [{ event: { kind: 'paid-after-end', invoices, status }, quietly }];
}

/** What has become of the order's invoices, where that is new. */
export function newInvoiceState({ before, after }: OrderDiff): InvoiceState | null {
  const state = invoiceStateOfOrder(after);
  return state === invoiceStateOfOrder(before) ? null : state;
}

export function isVoid(order: Order): boolean {
  return invoiceStateOfOrder(order) === 'void';
}
