/** What happened to an order, when its status is not as it was. */
import { type Order, refundedOf } from './billed-order.server.ts';
import { refunded } from './charge-events.server.ts';
import type { Charge } from './charge-store.server.ts';
import { invoiceOf, monthlyOf } from './event-facts.server.ts';
import { isVoid, newInvoiceState, partsKept, renewalFailed } from './invoice-events.server.ts';
import { type Invoice, isOwedByCard, isTakenBack } from './invoice-store.server.ts';
import type { OrderDiff } from './order-diff.server.ts';
import type { Draft } from './order-event-store.server.ts';
import {
  awaitsPayment,
  isAccepted,
  isBillable,
  isStep,
  type OrderStatus,
  owesByCard,
  type Step,
} from './order-status.ts';
import type { Collection } from './subscription.ts';

type ToEvents = (diff: OrderDiff) => Draft[];
type ByCollection = Record<Collection, readonly ToEvents[]>;

const eitherWay = (...toEvents: ToEvents[]): ByCollection => ({
  card: toEvents,
  invoice: toEvents,
});
/** What became of the first payment, be it tried or under way. */
const OF_FIRST = {
  paid: eitherWay(paid),
  failed: { card: [failedByCard], invoice: [failed] },
  canceled: { card: [givenUpByCard], invoice: [givenUp, partsKeptAtEnd] },
} satisfies Partial<Record<OrderStatus, ByCollection>>;

/** What comes of each step of an order's status. */
const EVENTS_OF = {
  'pending>processing': eitherWay(),
  'pending>paid': OF_FIRST.paid,
  'pending>failed': OF_FIRST.failed,
  'pending>canceled': OF_FIRST.canceled,
  'processing>paid': OF_FIRST.paid,
  'processing>failed': OF_FIRST.failed,
  'processing>canceled': OF_FIRST.canceled,
  'failed>processing': eitherWay(),
  // By invoice, its due day says so; staff may have switched to a card since the last report.
  'paid>past_due': { card: [monthFailed], invoice: [monthFailedByCard] },
  'paid>refunded': eitherWay(refunded),
  'paid>canceled': eitherWay(ended, partsKeptAtEnd),
  // The month that is paid by now says so.
  'past_due>paid': eitherWay(),
  'past_due>canceled': eitherWay(ended, partsKeptAtEnd),
  'refunded>canceled': eitherWay(),
} satisfies Record<Step, ByCollection>;

/** The statuses that the order passes through, each with what comes of it at the end. */
export function statusEvents(diff: OrderDiff, path: readonly OrderStatus[]): Draft[] {
  const { before } = diff;
  const invoiceState = newInvoiceState(diff);
  const passed = path.map((to, index): Draft => {
    const passing = index < path.length - 1;
    return { event: { kind: 'status', to, passing, invoiceState } };
  });
  const steps = path.map((to, index) => `${path[index - 1] ?? before.status}>${to}`).filter(isStep);
  const events = steps.flatMap((step) => EVENTS_OF[step][before.subscription.collection]);
  return [...passed, ...quoteAccepted(diff, path), ...events.flatMap((toEvents) => toEvents(diff))];
}

/** By invoice, a quote is accepted before its order is made. */
function quoteAccepted({ before, after }: OrderDiff, path: readonly OrderStatus[]): Draft[] {
  const isByCard = before.quoteId !== null && before.subscription.collection === 'card';
  const isNew = awaitsPayment(before.status) && !isAccepted(before.subscription);
  const isNow = isAccepted(after.subscription) || path.includes('paid');
  return isByCard && isNew && isNow ? [{ event: { kind: 'quote-accepted' } }] : [];
}

function paid({ after }: OrderDiff): Draft[] {
  // A later month may be paid at the same time.
  const first = after.invoices.findLast(({ status }) => status === 'paid');
  const invoice = first ? invoiceOf(after, first) : null;
  return [{ event: { kind: 'paid', monthly: monthlyOf(after), invoice } }];
}

function failed(): Draft[] {
  return [{ event: { kind: 'failed' } }];
}

/** Of the first month after a start day the customer is told, who has an account by then. */
function failedByCard(diff: OrderDiff): Draft[] {
  return isBillable(diff.after) ? monthFailed(diff) : failed();
}

function monthFailed(diff: OrderDiff): Draft[] {
  const { invoices } = diff.after;
  const unpaid = invoices.find(isOwedByCard);
  // No card failed to pay what was sent before staff had one charged.
  if (!unpaid && invoices.some(({ status }) => status === 'open')) return [];
  return renewalFailed(diff, unpaid);
}

function monthFailedByCard(diff: OrderDiff): Draft[] {
  return owesByCard(diff.after) ? monthFailed(diff) : [];
}

function givenUp({ after }: OrderDiff): Draft[] {
  return [{ event: { kind: 'ended', invoiceIsVoid: isVoid(after), withoutRefund: false } }];
}

/** No customer hears of one that was not accepted: its address may be another's. */
function givenUpByCard(diff: OrderDiff): Draft[] {
  return isAccepted(diff.before.subscription) ? givenUp(diff) : [];
}

function ended({ after, endedAt, lastBill }: OrderDiff): Draft[] {
  const invoiceIsVoid = isVoid(after);
  const { cancelAt } = after.subscription;
  const isAsSet = cancelAt !== null && (endedAt ?? cancelAt) >= cancelAt;
  const hasKept = after.invoices.some(isKept);
  const withoutRefund = !invoiceIsVoid && !isAsSet && hasKept && refundedOfLastMonth(after) === 0;
  return [{ event: { kind: 'ended', invoiceIsVoid, withoutRefund, endedAt, lastBill } }];
}

/** What went back of an earlier month is no refund of this end. */
function refundedOfLastMonth(order: Order): number {
  const isEarlier = ({ invoiceId }: Charge) =>
    order.invoices.some(
      ({ id, createdAt }) => id === invoiceId && createdAt < lastMonthPaid(order),
    );
  return refundedOf({ charges: order.charges.filter((charge) => !isEarlier(charge)) });
}

/** When the last month that was paid was billed. */
function lastMonthPaid({ invoices }: Order): number {
  return invoices.find((one) => isKept(one) && one.periodStart !== null)?.createdAt ?? 0;
}

/** It was paid, and no bank took that back. */
function isKept(invoice: Invoice): boolean {
  return invoice.status === 'paid' && !isTakenBack(invoice);
}

/** Those of what was given up before a later month was paid, or was written off, are no news. */
function partsKeptAtEnd({ before, after }: OrderDiff): Draft[] {
  // One may be void by this end: the provider may report it before the end is stored.
  const isByEnd = ({ id, createdAt }: Invoice) => {
    const was = before.invoices.find((invoice) => invoice.id === id)?.status;
    return was === 'open' || (was !== 'uncollectible' && createdAt >= lastMonthPaid(after));
  };
  return partsKept(after, after.invoices.filter(isByEnd));
}
