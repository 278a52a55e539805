/** What happened to an order, when its status is not as it was. */
import { type Order, refundedOf } from './billed-order.server.ts';
import { moneyWentBack } from './charge-events.server.ts';
import type { Charge } from './charge-store.server.ts';
import { invoiceOf, monthlyOf } from './event-facts.server.ts';
import { isVoid, newInvoiceState, partsKept, renewalFailed } from './invoice-events.server.ts';
import { type Invoice, isOwedByCard } from './invoice-store.server.ts';
import type { Draft } from './order-event-store.server.ts';
import {
  isAccepted,
  isBillable,
  isStep,
  type OrderStatus,
  owesByCard,
  type Step,
} from './order-status.ts';
import { happened, type Passing } from './passing.server.ts';
import type { Collection } from './subscription.ts';

type Comes = (passing: Passing) => Draft[];
type ByCollection = Record<Collection, readonly Comes[]>;

const eitherWay = (...comes: Comes[]): ByCollection => ({ card: comes, invoice: comes });
/** What became of the first payment, be it tried or under way. */
const OF_FIRST = {
  // By invoice, the quote was accepted before.
  paid: { card: [quoteAccepted, paid], invoice: [paid] },
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
  'paid>refunded': eitherWay(moneyWentBack),
  'paid>canceled': eitherWay(ended, partsKeptAtEnd),
  // The month that is paid by now says so.
  'past_due>paid': eitherWay(),
  'past_due>canceled': eitherWay(ended, partsKeptAtEnd),
  'refunded>canceled': eitherWay(),
} satisfies Record<Step, ByCollection>;

/** The statuses that the order passes through, each with what comes of it at the end. */
export function statusEvents(passing: Passing, path: readonly OrderStatus[]): Draft[] {
  const { before } = passing;
  const invoiceState = newInvoiceState(passing);
  const passed = path.flatMap((to, index) =>
    happened({ kind: 'status', to, passing: index < path.length - 1, invoiceState }),
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
  return happened({ kind: 'paid', monthly: monthlyOf(after), invoice });
}

/** Once, with what the first payment brings, or the start that is scheduled. */
export function quoteAccepted({ before }: Passing): Draft[] {
  const isNews = before.quoteId !== null && !isAccepted(before.subscription);
  return isNews ? happened({ kind: 'quote-accepted' }) : [];
}

function failed(): Draft[] {
  return happened({ kind: 'failed' });
}

/** Of the first month after a start day the customer is told, who has an account by then. */
function failedByCard(passing: Passing): Draft[] {
  return isBillable(passing.after) ? monthFailed(passing) : failed();
}

function monthFailed(passing: Passing): Draft[] {
  const { invoices } = passing.after;
  const unpaid = invoices.find(isOwedByCard);
  // No card failed to pay what was sent before staff had one charged.
  if (!unpaid && invoices.some(({ status }) => status === 'open')) return [];
  return renewalFailed(passing, unpaid);
}

function monthFailedByCard(passing: Passing): Draft[] {
  return owesByCard(passing.after) ? monthFailed(passing) : [];
}

function givenUp({ after }: Passing): Draft[] {
  return happened({ kind: 'ended', invoiceIsVoid: isVoid(after), withoutRefund: false });
}

/** No customer hears of one that was not accepted: its address may be another's. */
function givenUpByCard(passing: Passing): Draft[] {
  return isAccepted(passing.before.subscription) ? givenUp(passing) : [];
}

function ended({ after, endedAt, lastBill }: Passing): Draft[] {
  const invoiceIsVoid = isVoid(after);
  const isScheduled = after.subscription.cancelAt !== null;
  const withoutRefund = !invoiceIsVoid && !isScheduled && refundedOfLastMonth(after) === 0;
  return happened({ kind: 'ended', invoiceIsVoid, withoutRefund, endedAt, lastBill });
}

/** What went back of an earlier month is no refund of this end. */
function refundedOfLastMonth({ invoices, charges }: Order): number {
  const isMonth = ({ status, periodStart }: Invoice) => status === 'paid' && periodStart !== null;
  const lastMonth = invoices.find(isMonth)?.createdAt ?? 0;
  const isEarlier = ({ invoiceId }: Charge) =>
    invoices.some(({ id, createdAt }) => id === invoiceId && createdAt < lastMonth);
  return refundedOf({ charges: charges.filter((charge) => !isEarlier(charge)) });
}

/** An invoice that was written off before had its part told then. */
function partsKeptAtEnd({ before, after }: Passing): Draft[] {
  const wasWrittenOff = ({ id }: Invoice) =>
    before.invoices.some((was) => was.id === id && was.status === 'uncollectible');
  // A void one may be by this end: the provider may report it before the end is stored.
  return partsKept(
    after,
    after.invoices.filter((invoice) => !wasWrittenOff(invoice)),
  );
}
