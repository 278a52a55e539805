/**
 * What a payment provider's report makes of an order: a pure function of what is stored and what
 * was reported, however late, often and in whatever sequence that arrives.
 */
import { parseLines, withDiscount, withKnownDiscount } from '../catalogue/pricing.ts';
import { differs } from '../platform/database/queries.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import { billedOf, type Order, refundedOf } from './billed-order.server.ts';
import type { Cause } from './cause.server.ts';
import type { Charge } from './charge-store.server.ts';
import { monthlyOf } from './event-facts.server.ts';
import type { PaymentState } from './gateway.server.ts';
import type { Invoice } from './invoice-store.server.ts';
import { newsOfCharges } from './news-of-charges.server.ts';
import { newsOfInvoices } from './news-of-invoices.server.ts';
import type { Notice } from './notice-store.server.ts';
import type { OrderEvent } from './order-event.server.ts';
import type { Draft } from './order-event-store.server.ts';
import {
  awaitsPayment,
  isBillable,
  isOver,
  type OrderStatus,
  statusOf,
  statusPath,
} from './order-status.ts';
import { paymentEvents } from './payment-events.server.ts';
import { planChange, planEvents } from './plan-change.server.ts';
import { asToday, expectedLines, settleNotice } from './settle-notice.server.ts';
import { statusEvents } from './status-events.server.ts';
import type { Subscription } from './subscription-store.server.ts';

export interface Known {
  order: Order;
  /** The newest notice of a price, until the order is over: its first month may be unpaid. */
  notice: Notice | undefined;
  /** What staff said came in another way, by the id of the invoice that their press settled. */
  cameOutside: ReadonlyMap<string, Cents>;
  /** The press that made the reported change, unless it has made another. */
  changePress?: number | undefined;
  now: number;
}

export interface Settled {
  /** As it is now; the same object when nothing is new. */
  order: Order;
  /** Of the order's row and its subscription's, where anything is new. */
  columns: Partial<Row<'orders'>>;
  subscription: Partial<Subscription>;
  /** The rows that are not stored like this. */
  invoices: readonly Invoice[];
  charges: readonly Charge[];
  notice: Partial<Notice>;
  events: readonly (Draft & { cause: Cause })[];
}

/**
 * Invoices and charges come first, and the status is derived from all there are. A step that is not
 * allowed, such as one from an old message about a paid order, changes nothing.
 */
export function settle(known: Known, asReported: PaymentState, cause: Cause): Settled {
  const { order: before, notice, now } = known;
  // What is charged, with the order's discounts and the prices that hold today.
  const report = withDiscounts(asReported, before, notice);
  const had = parseLines(before.subscription.priceLines);
  const noticed = notice && settleNotice(notice, report, had);
  const today = asToday(report, notice && { ...notice, ...noticed?.to }, now);
  const plan = isBillable(before) || notice ? planChange(before, today, notice) : undefined;

  // All facts there are, and the status that follows from them.
  const facts = { ...factsOf(report, before.subscription), ...plan?.columns };
  const subscription = { ...before.subscription, ...facts };
  const isAbandoned = isGivenUp(before, report, subscription);
  const invoices = newsOfInvoices({ ...before, subscription }, report.invoices ?? [], {
    ...known,
    isAbandoned,
  });
  const charges = newsOfCharges(before, report.charges ?? []);
  const withFacts = { ...before, subscription, invoices: invoices.all, charges: charges.all };
  const path = pathOf(before, withFacts, isAbandoned);
  const status = path.at(-1) ?? before.status;

  // A report that changes nothing must not make others under way look outdated.
  const isNew =
    path.length + invoices.changed.length + charges.changed.length > 0 ||
    differs(before.subscription, facts);
  const isKept =
    before.subscription.cancelAt !== null && subscription.cancelAt === null && !isOver(status);
  const columns = { ...plan?.sold, ...(isKept && { endReason: null, endWords: null }), status };
  const after = isNew ? { ...withFacts, ...columns } : before;

  // In the order in which it is told: prices first, since the rest is said with them.
  const { endedAt, lastBill } = report;
  const diff = { before, after, reported: report.invoices ?? [], endedAt, lastBill };
  const events: Draft[] = [
    ...(plan ? planEvents(plan, before, after) : []),
    ...(noticed?.events ?? []).map((event) => ({
      event: event.kind === 'new-price-charged' ? { ...event, monthly: monthlyOf(after) } : event,
    })),
    ...statusEvents(diff, path),
    ...paymentEvents(diff, invoices, charges),
    ...replacementOf(report),
    ...(report.alerts ?? []).map((event) => ({ event, once: onceKeyOf(event, after) })),
  ];
  const { changePress: causeId } = known;
  const byPress = causeId === undefined ? cause : { ...cause, causeId };
  return {
    order: after,
    columns,
    subscription: facts,
    invoices: invoices.changed,
    charges: charges.changed,
    notice: noticed?.to ?? {},
    events: events.map((draft) => ({
      ...draft,
      cause: draft.event.kind === 'changed' ? byPress : cause,
    })),
  };
}

/** Whether no one can pay what is open. */
function isGivenUp({ status }: Order, report: PaymentState, running: Subscription): boolean {
  const { abandoned = false } = report;
  const isCanceled = running.status === 'canceled';
  // What was paid outside leaves a canceled first payment for good.
  return awaitsPayment(status) ? abandoned || isCanceled : abandoned && isCanceled;
}

function pathOf(before: Order, reported: Order, isAbandoned: boolean): OrderStatus[] {
  const billed = billedOf(reported);
  const isEndedUnpaid = isAbandoned && awaitsPayment(before.status) && !billed.paid;
  const wanted = isEndedUnpaid ? 'canceled' : statusOf(reported.subscription, billed);
  return statusPath(before.status, wanted, billed, refundedOf(before));
}

/** What is left out keeps its stored value. */
function factsOf(report: PaymentState, was: Subscription) {
  const { status = was.status, attempt = was.attempt, cancelAt = was.cancelAt } = report;
  const { collection = was.collection, daysUntilDue = was.daysUntilDue } = report;
  const { creditCents = was.creditCents, billedEvery = was.billedEvery } = report;
  const waiting = report.waiting ? JSON.stringify(report.waiting) : was.waiting;
  const owed = { creditCents, waiting };
  return { status, attempt, cancelAt, collection, daysUntilDue, billedEvery, ...owed };
}

function replacementOf({ replacement }: PaymentState): Draft[] {
  if (!replacement) return [];
  const { id, card } = replacement;
  return [{ event: { kind: 'card-replaced', card }, once: `card ${id}` }];
}

/** Where its sum still has the tax, as before a last bill, each report says so again. */
function onceKeyOf({ kind }: OrderEvent, { subscription }: Order): string | undefined {
  const isRepeated = kind === 'not-taxed' && subscription.totalCents !== subscription.amountCents;
  return isRepeated ? kind : undefined;
}

/** A provider charges what is left of a plan's price, and knows nothing of a quote's discount. */
function withDiscounts(
  state: PaymentState,
  order: Order,
  notice: Notice | undefined,
): PaymentState {
  const bought = withDiscount(parseLines(order.boughtLines), order);
  const known = [...bought, ...expectedLines(notice)];
  return {
    ...state,
    ...(state.lines && { lines: withKnownDiscount(state.lines, known) }),
    ...(state.invoices && {
      invoices: state.invoices.map((invoice) =>
        invoice.lines ? { ...invoice, lines: withKnownDiscount(invoice.lines, known) } : invoice,
      ),
    }),
  };
}
