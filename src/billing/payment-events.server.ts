/** What happened to an order, when its payment is not as it was. */

import { type Cents, cents, totalOf } from '../platform/money.ts';
import {
  billedOf,
  disputeOf,
  invoiceStateOfOrder,
  type Order,
  refundedOf,
} from './billed-order.server.ts';
import type { Charge, NewsOfCharges } from './charge-store.server.ts';
import { invoiceOf, monthlyOf } from './event-facts.server.ts';
import { type InvoiceState, isOwed } from './invoice.ts';
import {
  byNewest,
  type Invoice,
  needsConfirmation,
  type ReportedInvoice,
} from './invoice-store.server.ts';
import type { NewsOfInvoices } from './news-of-invoices.server.ts';
import type { EventInvoice, OrderEvent } from './order-event.server.ts';
import type { Draft } from './order-event-store.server.ts';
import {
  awaitsPayment,
  isAccepted,
  isBillable,
  isOver,
  isStep,
  type OrderStatus,
  owesByCard,
  type Step,
} from './order-status.ts';
import type { Collection } from './subscription.ts';

interface Passing {
  before: Order;
  after: Order;
  /** By the provider, where it led to this. */
  reported?: readonly ReportedInvoice[];
  /** When the provider ended the subscription. */
  endedAt?: number | undefined;
}
type Comes = (passing: Passing) => Draft[];
/** By card, and by invoice. */
type ByCollection = Record<Collection, readonly Comes[]>;

const tell = (event: OrderEvent, quietly = false): Draft[] => [{ event, quietly }];

const both = (...comes: Comes[]): ByCollection => ({ card: comes, invoice: comes });
/** What became of the first payment, be it tried or under way. */
const OF_FIRST = {
  // By invoice, the quote was accepted before.
  paid: { card: [quoteAccepted, paid], invoice: [paid] },
  failed: { card: [failedByCard], invoice: [failed] },
  canceled: { card: [givenUpByCard], invoice: [givenUp, partsKept] },
} satisfies Partial<Record<OrderStatus, ByCollection>>;

/** What comes of each step of an order's status. */
const EVENTS_OF = {
  'pending>processing': both(),
  'pending>paid': OF_FIRST.paid,
  'pending>failed': OF_FIRST.failed,
  'pending>canceled': OF_FIRST.canceled,
  'processing>paid': OF_FIRST.paid,
  'processing>failed': OF_FIRST.failed,
  'processing>canceled': OF_FIRST.canceled,
  'failed>processing': both(),
  // By invoice, its due day says so; staff may have switched to a card since the last report.
  'paid>past_due': { card: [renewalFails], invoice: [failsByCard] },
  'paid>refunded': both(refunded),
  'paid>canceled': both(ended, partsKept),
  // The month that is paid by now says so.
  'past_due>paid': both(),
  'past_due>canceled': both(ended, partsKept),
  'refunded>canceled': both(),
} satisfies Record<Step, ByCollection>;

/** The statuses that the order passes through, each with what comes of it at the end. */
export function statusEvents(passing: Passing, path: readonly OrderStatus[]): Draft[] {
  const { before } = passing;
  const invoiceState = newInvoiceState(passing);
  const passed = path.flatMap((to, index) =>
    tell({ kind: 'status', to, passing: index < path.length - 1, invoiceState }),
  );
  const comes = path.flatMap((to, index) => {
    const step = `${path[index - 1] ?? before.status}>${to}`;
    return isStep(step) ? EVENTS_OF[step][before.subscription.collection] : [];
  });
  return [...passed, ...comes.flatMap((come) => come(passing))];
}

function paid({ after }: Passing): Draft[] {
  // A later month may be paid at the same time.
  const first = after.invoices.findLast(({ status }) => status === 'paid');
  const invoice = first ? invoiceOf(after, first) : null;
  return tell({ kind: 'paid', monthly: monthlyOf(after), invoice });
}

function quoteAccepted({ before }: Passing): Draft[] {
  const isNews = before.quoteId !== null && !isAccepted(before.subscription);
  return isNews ? tell({ kind: 'quote-accepted' }) : [];
}

function failed(): Draft[] {
  return tell({ kind: 'failed' });
}

/** Of the first month after a start day the customer is told, who has an account by then. */
function failedByCard(passing: Passing): Draft[] {
  return isBillable(passing.after) ? renewalFails(passing) : failed();
}

function failsByCard(passing: Passing): Draft[] {
  return owesByCard(passing.after) ? renewalFails(passing) : [];
}

function renewalFails(passing: Passing): Draft[] {
  const { invoices } = passing.after;
  return renewalFailed(
    passing,
    invoices.find(({ status }) => status === 'open'),
  );
}

/** Which card was tried, and what follows, is told of each report alone. */
function renewalFailed({ after, reported = [] }: Passing, unpaid: Invoice | undefined): Draft[] {
  const { tried } = reported.find(({ id }) => id === unpaid?.id) ?? {};
  return tell({
    kind: 'renewal-failed',
    invoice: unpaid ? invoiceOf(after, unpaid) : null,
    toConfirm: unpaid !== undefined && needsConfirmation(unpaid),
    ...(tried && { tried }),
  });
}

function givenUp({ after }: Passing): Draft[] {
  return tell({ kind: 'ended', invoiceIsVoid: isVoid(after), withoutRefund: false });
}

/** No customer hears of one that was not accepted: its address may be another's. */
function givenUpByCard(passing: Passing): Draft[] {
  return isAccepted(passing.before.subscription) ? givenUp(passing) : [];
}

function ended({ after, endedAt }: Passing): Draft[] {
  const { invoices, charges } = after;
  const isMonth = ({ status, periodStart }: Invoice) => status === 'paid' && periodStart !== null;
  const lastMonth = invoices.find(isMonth)?.createdAt ?? 0;
  // What went back of an earlier month is no refund of this end.
  const isEarlier = ({ invoiceId }: Charge) =>
    invoices.some(({ id, createdAt }) => id === invoiceId && createdAt < lastMonth);
  const refunds = refundedOf({ charges: charges.filter((charge) => !isEarlier(charge)) });
  const invoiceIsVoid = isVoid(after);
  const withoutRefund = !invoiceIsVoid && after.subscription.cancelAt === null && refunds === 0;
  return tell({ kind: 'ended', invoiceIsVoid, withoutRefund, endedAt });
}

/** A part had come for an invoice that no one owes any more, unless it was written off before. */
function partsKept({ before, after }: Passing): Draft[] {
  const wasWrittenOff = ({ id }: Invoice) =>
    before.invoices.some((was) => was.id === id && was.status === 'uncollectible');
  // A void one may be by this end: the provider may report it before the end is stored.
  return partsOf(
    after,
    after.invoices.filter((invoice) => !wasWrittenOff(invoice)),
  );
}

function partsOf(after: Order, invoices: readonly Invoice[]): Draft[] {
  const parts = invoices
    .filter(({ status }) => status === 'void' || status === 'uncollectible')
    .filter(({ amountPaidCents }) => amountPaidCents > 0)
    .map((invoice) => ({ ...invoiceOf(after, invoice), amount: invoice.amountPaidCents }));
  return parts.length > 0 ? paidAfterEnd(after, parts) : [];
}

function paidAfterEnd({ status }: Order, invoices: EventInvoice[], quietly = false): Draft[] {
  return tell({ kind: 'paid-after-end', invoices, status }, quietly);
}

/** What has become of the order's invoices, where that is new. */
function newInvoiceState({ before, after }: Passing): InvoiceState | null {
  const state = invoiceStateOfOrder(after);
  return state === invoiceStateOfOrder(before) ? null : state;
}

function isVoid(order: Order): boolean {
  return invoiceStateOfOrder(order) === 'void';
}

function refunded(passing: Passing, quietly = false): Draft[] {
  const { before, after } = passing;
  const lostOf = ({ charges }: Order) =>
    totalOf(charges.map(({ lostCents: amount }) => ({ amount })));
  return tell(
    {
      kind: 'refunded',
      ...refundsOf(passing, (amount) => amount > 0),
      running: !isOver(after.status),
      lost: lostOf(after) > lostOf(before),
    },
    quietly,
  );
}

/** How much more, or less, of which payments has gone back: by what was refunded, or failed. */
function refundsOf({ before, after }: Passing, isSuch: (amount: Cents) => boolean) {
  const changes = after.charges.flatMap((charge) => {
    const was = before.charges.find(({ id }) => id === charge.id)?.refundedCents ?? 0;
    const amount = cents(charge.refundedCents - was);
    return isSuch(amount) ? [{ invoice: invoicePaidBy(charge, after), amount }] : [];
  });
  return {
    amount: cents(Math.abs(totalOf(changes))),
    total: refundedOf(after),
    of: changes.flatMap(({ invoice, amount }) => (invoice ? [{ invoice, amount }] : [])),
  };
}

function invoicePaidBy({ invoiceId }: Pick<Charge, 'invoiceId'>, order: Order) {
  const invoice = order.invoices.find(({ id }) => id === invoiceId);
  return invoice && invoiceOf(order, invoice);
}

/** What happened besides transitions. */
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

function disputeEvents({ before, after }: Passing, { newlyDisputed }: NewsOfCharges): Draft[] {
  const state = disputeOf(after);
  return [
    ...newlyDisputed.flatMap(({ amountCents: amount, ...charge }) =>
      tell({ kind: 'disputed', amount, invoice: invoicePaidBy(charge, after) }),
    ),
    ...(state === disputeOf(before) ? [] : tell({ kind: 'dispute', state })),
  ];
}

function refundEvents(passing: Passing): Draft[] {
  const { before, after } = passing;
  const failed = refundsOf(passing, (amount) => amount < 0);
  const isRefunded = after.status === 'refunded';
  // Its status says so already.
  const isSaid = isRefunded && before.status !== 'refunded';
  const isNew = refundsOf(passing, (amount) => amount > 0).amount > 0 && !isSaid;
  return [
    ...(failed.amount > 0 ? tell({ kind: 'refund-failed', ...failed }) : []),
    // Staff have set the status, and both sides were told then.
    ...(isNew ? refunded(passing, isRefunded && refundedOf(before) === 0) : []),
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
    ...tell({ kind: 'start-scheduled', monthly: { ...monthlyOf(after), startsOn } }),
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
    ...(endsAt === was.cancelAt ? [] : tell({ kind: 'ending', endsAt }, quietly)),
    ...(isPauseNew ? tell({ kind: 'paused', paused }, quietly) : []),
  ];
}

function invoiceEvents(passing: Passing, news: NewsOfInvoices): Draft[] {
  const { before, after } = passing;
  const later = laterPayments(passing, news);
  const state = newInvoiceState(passing);
  // A status, a renewal, or a part that came says so; another way to pay changes no invoice.
  const isSaid =
    news.changed.length === 0 ||
    after.status !== before.status ||
    news.partlyPaid.length > 0 ||
    later.some(({ event }) => event.kind === 'renewed');
  const first = after.invoices.at(-1);
  const isSent = first?.dueDay && before.invoices.length === 0 && awaitsPayment(before.status);
  const isOwing = isBillable(after) && owesByCard(before) && owesByCard(after);
  const wasOpen = ({ id }: Invoice) =>
    before.invoices.some((invoice) => invoice.id === id && invoice.status === 'open');
  const given = (invoice: Invoice) => invoiceOf(after, invoice);
  return [
    ...(state === null || isSaid ? [] : tell({ kind: 'invoice-state', state })),
    ...(isSent
      ? tell({ kind: 'invoice-sent', monthly: monthlyOf(after), invoice: given(first) })
      : []),
    ...(isOwing ? news.newlyUnpaid.flatMap((invoice) => renewalFailed(passing, invoice)) : []),
    ...news.partlyPaid.flatMap((invoice) => tell({ kind: 'part-paid', invoice: given(invoice) })),
    ...later,
    ...(isOver(before.status) ? partsOf(after, news.changed.filter(wasOpen)) : []),
    ...news.newlyReturned.flatMap((invoice) => {
      const wasPaid = invoice.status === 'paid';
      return tell({ kind: 'debit-returned', invoice: given(invoice), wasPaid });
    }),
  ];
}

/** What came for months after the first, and after the end. */
function laterPayments({ before, after }: Passing, { newlyPaid }: NewsOfInvoices): Draft[] {
  const paid = newlyPaid.toSorted(byNewest).reverse();
  const given = (some: typeof paid) => some.map((invoice) => invoiceOf(after, invoice));
  const billed = billedOf(after);
  // The last month's invoice may be due after the end.
  const isOfLastMonth = isOwed(invoiceStateOfOrder(before)) && billed.paid && !billed.reversed;
  if (isOver(before.status) && !isOfLastMonth) {
    if (paid.every(({ amountPaidCents: amount }) => amount === 0)) return [];
    // A refund may be reported before its payment.
    return paidAfterEnd(after, given(paid), billed.reversed && billed.refunded > 0);
  }
  const isFirst = awaitsPayment(before.status);
  const isLaterInvoice = before.subscription.collection === 'invoice' && !isFirst;
  // The first one is the order's payment, also if it was issued in place of another.
  const later = isFirst ? paid.slice(1) : paid;
  const renewed = later.filter(({ renewal }) => renewal || isLaterInvoice);
  if (renewed.length === 0) return [];
  const isMonth = ({ periodStart }: Invoice) => periodStart !== null;
  const isMonthBefore = (invoice: Invoice) =>
    isMonth(invoice) && renewed.every(({ id }) => id !== invoice.id);
  const isFirstMonth = renewed.some(isMonth) && !before.invoices.some(isMonthBefore);
  const started = before.startsOn !== null && isFirstMonth;
  // One email even when several later months are paid at once: its link shows all of them.
  return tell({ kind: 'renewed', invoices: given(renewed), running: isBillable(after), started });
}

function creditEvents({ before, after }: Passing): Draft[] {
  if (!isOver(after.status)) return [];
  // No bill uses it after the end.
  const was = isOver(before.status) ? before.subscription.creditCents : 0;
  const { creditCents: amount } = after.subscription;
  return amount === was ? [] : tell({ kind: 'credit-left', amount }, amount < was);
}

function intervalEvents({ before, after }: Passing): Draft[] {
  const { billedEvery: every } = after.subscription;
  const isNew = every !== before.subscription.billedEvery;
  return isNew ? tell({ kind: 'interval-changed', every }) : [];
}
