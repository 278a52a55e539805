/** What a provider's report says of an order's invoices that was not known. */
import { differs } from '../platform/database/queries.server.ts';
import { type Cents, cents } from '../platform/money.ts';
import { type InvoiceStatus, invoiceStateOf } from './invoice.ts';
import {
  byNewest,
  type Invoice,
  isOwedByCard,
  keptOf,
  needsConfirmation,
  type ReportedInvoice,
} from './invoice-store.server.ts';
import type { SubscribedOrder } from './subscription-store.server.ts';

const UNKNOWN = {
  number: null,
  periodStart: null,
  periodEnd: null,
  taxCents: null,
  paidAt: null,
  dueDay: null,
  overdue: 0,
  attempt: null,
  billedTo: null,
  paidOutOfBand: 0,
  markedPaidById: null,
  reference: null,
} as const;

/** What was written off may still be paid. */
const RANK: Record<InvoiceStatus, number> = { open: 0, void: 1, uncollectible: 1, paid: 2 };

export interface NewsOfInvoices {
  /** All of the order's, newest first. */
  all: Invoice[];
  /** Those that are not stored like this. */
  changed: Invoice[];
  newlyPaid: (Invoice & Pick<ReportedInvoice, 'renewal'>)[];
  /** More of these has come than before, and something is left to pay. */
  partlyPaid: Invoice[];
  newlyReturned: Invoice[];
  /** No card could be charged for these, or the bank now wants the customer to confirm it. */
  newlyUnpaid: Invoice[];
}

/**
 * `isAbandoned`: no one can pay what is open. `cameOutside`: what staff said came for which
 * invoice that their press settled, whatever the provider's sum. Where one has no lines, the
 * subscription's serve.
 */
export function newsOfInvoices(
  order: SubscribedOrder & { invoices: readonly Invoice[] },
  reported: readonly ReportedInvoice[],
  known: { now: number; isAbandoned: boolean; cameOutside: ReadonlyMap<string, Cents> },
): NewsOfInvoices {
  const stored = new Map(order.invoices.map((invoice) => [invoice.id, invoice]));
  const rows = new Map(stored);
  const news: Omit<NewsOfInvoices, 'all' | 'changed'> = {
    newlyPaid: [],
    partlyPaid: [],
    newlyReturned: [],
    newlyUnpaid: [],
  };
  for (const invoice of reported) {
    const before = rows.get(invoice.id);
    // An old report of one that is settled by now.
    if (before && RANK[invoice.status] < RANK[before.status]) continue;
    const row = merged(order, before, invoice, known.cameOutside.get(invoice.id));
    // A debit that the bank took back may be settled by a check, and is paid at the provider still.
    const isSettledNow = row.paidOutOfBand === 1 && before?.paidOutOfBand !== 1;
    const isNewlyPaid = invoice.status === 'paid' && (before?.status !== 'paid' || isSettledNow);
    const hasMore = row.amountPaidCents > (before?.amountPaidCents ?? 0);
    // The provider names no time of a part.
    if (hasMore || isNewlyPaid) row.paidAt = invoice.paidAt ?? known.now;
    rows.set(row.id, row);
    if (isNewlyPaid) news.newlyPaid.push({ ...row, renewal: invoice.renewal });
    if (row.status === 'open' && hasMore) news.partlyPaid.push(row);
    const isReturned = invoiceStateOf(row) === 'debit_returned';
    if (isReturned && before?.attempt !== 'failed') news.newlyReturned.push(row);
    const wasOwed = before && isOwedByCard(before);
    if (isOwedByCard(row) && (!wasOwed || (needsConfirmation(row) && !needsConfirmation(before))))
      news.newlyUnpaid.push(row);
  }
  // The first payment of a plan that runs may have been made in another way.
  const isRunning =
    order.subscription.status !== 'canceled' &&
    [...rows.values()].some(({ status }) => status === 'paid');
  const all = [...rows.values()].map((row) =>
    known.isAbandoned && !isRunning && row.status === 'open'
      ? { ...row, status: 'void' as const, amountRemainingCents: cents(0) }
      : row,
  );
  const changed = all.filter((row) => differs(stored.get(row.id), row));
  return { ...news, all: all.sort(byNewest), changed };
}

function merged(
  order: SubscribedOrder,
  before: Invoice | undefined,
  { renewal: _, tried: _tried, paidPress: _press, lines, once, ...facts }: ReportedInvoice,
  came: Cents | undefined,
): Invoice {
  const { poNumber, subscription } = order;
  const made = { ...UNKNOWN, lines: subscription.priceLines, once: '[]', poNumber };
  const row: Invoice = { ...made, ...before, ...facts, orderId: order.id };
  // A receipt shows what was paid then, whatever the plan is now.
  if (lines && before?.status !== 'paid') row.lines = JSON.stringify(lines);
  if (once && before?.status !== 'paid') row.once = JSON.stringify(once);
  // A returned debit that was settled in another way stays settled.
  if (before?.paidOutOfBand) {
    const { amountPaidCents, paidAt } = before;
    return { ...row, paidOutOfBand: 1, amountPaidCents, amountRemainingCents: cents(0), paidAt };
  }
  if (!row.paidOutOfBand) return row;
  // A press that came to nothing is of no payment that staff marked at the provider.
  if (!before || came === undefined) return { ...row, markedPaidById: null, reference: null };
  return { ...row, amountPaidCents: cents(keptOf(before) + came) };
}
