/** What happened to an order, when its payment is not as it was. */

import { type Cents, cents } from '../platform/money.ts';
import {
  billedOf,
  disputeOf,
  invoiceStateOfOrder,
  type Order,
  refundedOf,
} from './billed-order.server.ts';
import type { Charge, NewsOfCharges } from './charge-store.server.ts';
import { type InvoiceState, isOwed } from './invoice.ts';
import {
  byNewest,
  type Invoice,
  needsConfirmation,
  type ReportedInvoice,
} from './invoice-store.server.ts';
import type { NewsOfInvoices } from './news-of-invoices.server.ts';
import { type EventOf, invoiceOf, monthlyOf, type OrderEvent } from './order-event.server.ts';
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
type Comes = (passing: Passing) => OrderEvent[];
/** By card, and by invoice. */
type ByCollection = Record<Collection, readonly Comes[]>;

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
export function statusEvents(passing: Passing, path: readonly OrderStatus[]): OrderEvent[] {
  const { before } = passing;
  const invoiceState = newInvoiceState(passing);
  const passed = path.map((to, index): OrderEvent => {
    return { kind: 'status', to, passing: index < path.length - 1, invoiceState };
  });
  const comes = path.flatMap((to, index) => {
    const step = `${path[index - 1] ?? before.status}>${to}`;
    return isStep(step) ? EVENTS_OF[step][before.subscription.collection] : [];
  });
  return [...passed, ...comes.flatMap((come) => come(passing))];
}

function paid({ after }: Passing): OrderEvent[] {
  // A later month may be paid at the same time.
  const first = after.invoices.findLast(({ status }) => status === 'paid');
  const invoice = first ? invoiceOf(after, first) : null;
  return [{ kind: 'paid', monthly: monthlyOf(after), invoice }];
}

function quoteAccepted({ before }: Passing): OrderEvent[] {
  return before.quoteId === null || isAccepted(before.subscription)
    ? []
    : [{ kind: 'quote-accepted' }];
}

function failed(): OrderEvent[] {
  return [{ kind: 'failed' }];
}

/** Of the first month after a start day the customer is told, who has an account by then. */
function failedByCard(passing: Passing): OrderEvent[] {
  return isBillable(passing.after) ? renewalFails(passing) : failed();
}

function failsByCard(passing: Passing): OrderEvent[] {
  return owesByCard(passing.after) ? renewalFails(passing) : [];
}

function renewalFails(passing: Passing): OrderEvent[] {
  const unpaid = passing.after.invoices.find(({ status }) => status === 'open');
  return [renewalFailed(passing, unpaid)];
}

function givenUp({ after }: Passing): OrderEvent[] {
  return [{ kind: 'ended', invoiceIsVoid: isVoid(after), withoutRefund: false }];
}

/** No customer hears of one that was not accepted: its address may be another's. */
function givenUpByCard(passing: Passing): OrderEvent[] {
  return isAccepted(passing.before.subscription) ? givenUp(passing) : [];
}

function ended({ after, endedAt }: Passing): OrderEvent[] {
  const isUnasked = after.subscription.cancelAt === null && refundedOf(after) === 0;
  const invoiceIsVoid = isVoid(after);
  const withoutRefund = !invoiceIsVoid && isUnasked;
  return [{ kind: 'ended', invoiceIsVoid, withoutRefund, ...(endedAt && { endedAt }) }];
}

/** A part had come for an invoice that no one owes any more, unless it was written off before. */
function partsKept({ before, after }: Passing): OrderEvent[] {
  const wasWrittenOff = ({ id }: Invoice) =>
    before.invoices.some((was) => was.id === id && was.status === 'uncollectible');
  // A void one may be by this end: the provider may report it before the end is stored.
  return partsOf(
    after,
    after.invoices.filter((invoice) => !wasWrittenOff(invoice)),
  );
}

function partsOf(after: Order, invoices: readonly Invoice[]): OrderEvent[] {
  const isOff = ({ status }: Invoice) => status === 'void' || status === 'uncollectible';
  const parts = invoices
    .filter((invoice) => isOff(invoice) && invoice.amountPaidCents > 0)
    .map((invoice) => ({ ...invoiceOf(after, invoice), amount: invoice.amountPaidCents }));
  const { status } = after;
  return parts.length > 0 ? [{ kind: 'paid-after-end', invoices: parts, status }] : [];
}

/** What has become of the order's invoices, where that is new. */
function newInvoiceState({ before, after }: Passing): InvoiceState | null {
  const state = invoiceStateOfOrder(after);
  return state === invoiceStateOfOrder(before) ? null : state;
}

function isVoid(order: Order): boolean {
  return invoiceStateOfOrder(order) === 'void';
}

/** Which card was tried, and what follows, is told of each report alone. */
function renewalFailed(
  { after, reported = [] }: Passing,
  unpaid: Invoice | undefined,
): EventOf<'renewal-failed'> {
  const { tried } = reported.find(({ id }) => id === unpaid?.id) ?? {};
  return {
    kind: 'renewal-failed',
    invoice: unpaid ? invoiceOf(after, unpaid) : null,
    toConfirm: unpaid !== undefined && needsConfirmation(unpaid),
    ...(tried && { tried }),
  };
}

function refunded({ before, after }: Passing): OrderEvent[] {
  const event: OrderEvent = {
    kind: 'refunded',
    amount: cents(refundedOf(after) - refundedOf(before)),
    total: refundedOf(after),
    running: !isOver(after.status),
    lost: after.charges.some((charge) => moreOf(before, charge, 'lostCents') > 0),
    of: refundsOf(before, after),
  };
  return [event];
}

/** How much more, or less, of which payments has gone back. */
function refundsOf(before: Order, after: Order) {
  return after.charges.flatMap((charge) => {
    const invoice = invoicePaidBy(charge, after);
    const amount = moreOf(before, charge);
    return invoice && amount !== 0 ? [{ invoice, amount }] : [];
  });
}

function invoicePaidBy({ invoiceId }: Pick<Charge, 'invoiceId'>, order: Order) {
  const invoice = order.invoices.find(({ id }) => id === invoiceId);
  return invoice && invoiceOf(order, invoice);
}

function moreOf(
  before: Order,
  charge: Charge,
  what: 'refundedCents' | 'lostCents' = 'refundedCents',
): Cents {
  const was = before.charges.find(({ id }) => id === charge.id);
  return cents(charge[what] - (was?.[what] ?? 0));
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

type Drafts = Generator<Draft, void>;

function* disputeEvents({ before, after }: Passing, { newlyDisputed }: NewsOfCharges): Drafts {
  for (const { amountCents: amount, ...charge } of newlyDisputed) {
    const invoice = invoicePaidBy(charge, after);
    yield { event: { kind: 'disputed', amount, ...(invoice && { invoice }) } };
  }
  const state = disputeOf(after);
  if (state !== disputeOf(before)) yield { event: { kind: 'dispute', state } };
}

function* refundEvents({ before, after }: Passing): Drafts {
  const total = refundedOf(after);
  const former = refundedOf(before);
  const more = cents(total - former);
  const isRefunded = after.status === 'refunded';
  // Its status says so already.
  const isSaid = isRefunded && before.status !== 'refunded';
  // Staff have set the status, and both sides were told then.
  const quietly = isRefunded && former === 0;
  if (more > 0 && !isSaid)
    for (const event of refunded({ before, after })) yield { event, quietly };
  if (more < 0) {
    const of = refundsOf(before, after);
    yield { event: { kind: 'refund-failed', amount: cents(-more), total, of } };
  }
}

function* startEvents({ before, after }: Passing): Drafts {
  const { status, collection } = after.subscription;
  const isScheduled = status === 'trialing' && after.status === 'processing';
  const { startsOn } = after;
  if (!isScheduled || startsOn === null || before.subscription.status !== 'incomplete') return;
  // By invoice, the quote was accepted before.
  if (collection === 'card') for (const event of quoteAccepted({ before, after })) yield { event };
  yield { event: { kind: 'start-scheduled', monthly: { ...monthlyOf(after), startsOn } } };
}

/** An end that is set, or taken back, and a pause. */
function* endEvents({ before, after }: Passing): Drafts {
  const [was, now] = [before.subscription, after.subscription];
  const quietly = !isBillable(after);
  const { cancelAt: endsAt } = now;
  if (endsAt !== was.cancelAt) yield { event: { kind: 'ending', endsAt }, quietly };
  const paused = now.status === 'paused';
  if (paused !== (was.status === 'paused') && now.status !== 'canceled')
    yield { event: { kind: 'paused', paused }, quietly };
}

function* invoiceEvents(passing: Passing, news: NewsOfInvoices): Drafts {
  const { before, after } = passing;
  const later = [...laterPayments(passing, news)];
  const state = newInvoiceState(passing);
  // A status, a renewal, or a part that came says so; another way to pay changes no invoice.
  const isSaid =
    news.changed.length === 0 ||
    after.status !== before.status ||
    news.partlyPaid.length > 0 ||
    later.some(({ event }) => event.kind === 'renewed');
  if (state !== null && !isSaid) yield { event: { kind: 'invoice-state', state } };
  const first = after.invoices.at(-1);
  if (first?.dueDay && before.invoices.length === 0 && awaitsPayment(before.status)) {
    const invoice = invoiceOf(after, first);
    yield { event: { kind: 'invoice-sent', monthly: monthlyOf(after), invoice } };
  }
  if (isBillable(after) && owesByCard(before) && owesByCard(after))
    for (const invoice of news.newlyUnpaid) yield { event: renewalFailed(passing, invoice) };
  for (const invoice of news.partlyPaid)
    yield { event: { kind: 'part-paid', invoice: invoiceOf(after, invoice) } };
  yield* later;
  const wasOpen = ({ id }: Invoice) =>
    before.invoices.some((invoice) => invoice.id === id && invoice.status === 'open');
  if (isOver(before.status))
    for (const event of partsOf(after, news.changed.filter(wasOpen))) yield { event };
  for (const invoice of news.newlyReturned) {
    const wasPaid = invoice.status === 'paid';
    yield { event: { kind: 'debit-returned', invoice: invoiceOf(after, invoice), wasPaid } };
  }
}

/** What came for months after the first, and after the end. */
function* laterPayments({ before, after }: Passing, { newlyPaid }: NewsOfInvoices): Drafts {
  const paid = newlyPaid.toSorted(byNewest).reverse();
  const invoicesOf = (some: typeof paid) =>
    some.flatMap(({ id }) =>
      after.invoices.filter((row) => row.id === id).map((row) => invoiceOf(after, row)),
    );
  const billed = billedOf(after);
  // The last month's invoice may be due after the end.
  const isOfLastMonth = isOwed(invoiceStateOfOrder(before)) && billed.paid && !billed.reversed;
  if (isOver(before.status) && !isOfLastMonth) {
    if (paid.every(({ amountPaidCents: amount }) => amount === 0)) return;
    const { status } = before;
    const event = { kind: 'paid-after-end' as const, invoices: invoicesOf(paid), status };
    // A refund may be reported before its payment.
    return yield { event, quietly: billed.reversed && billed.refunded > 0 };
  }
  const isFirst = awaitsPayment(before.status);
  const isLaterInvoice = before.subscription.collection === 'invoice' && !isFirst;
  // The first one is the order's payment, also if it was issued in place of another.
  const later = isFirst ? paid.slice(1) : paid;
  const renewed = later.filter(({ renewal }) => renewal || isLaterInvoice);
  if (renewed.length === 0) return;
  const isMonth = ({ periodStart }: { periodStart?: number | null }) => periodStart != null;
  const isMonthBefore = (invoice: Invoice) =>
    isMonth(invoice) && renewed.every(({ id }) => id !== invoice.id);
  const isFirstMonth = renewed.some(isMonth) && !before.invoices.some(isMonthBefore);
  const started = before.startsOn !== null && isFirstMonth;
  const running = isBillable(after);
  // One email even when several later months are paid at once: its link shows all of them.
  yield { event: { kind: 'renewed', invoices: invoicesOf(renewed), running, started } };
}

function* creditEvents({ before, after }: Passing): Drafts {
  if (!isOver(after.status)) return;
  // No bill uses it after the end.
  const was = isOver(before.status) ? before.subscription.creditCents : 0;
  const { creditCents: amount } = after.subscription;
  if (amount !== was) yield { event: { kind: 'credit-left', amount }, quietly: amount < was };
}

function* intervalEvents({ before, after }: Passing): Drafts {
  const { billedEvery: every } = after.subscription;
  if (every !== before.subscription.billedEvery)
    yield { event: { kind: 'interval-changed', every } };
}
