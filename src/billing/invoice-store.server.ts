/** The table of invoices: what is asked for each month, as the provider last reported it. */
import type { Generated } from 'kysely';
import type { PriceLine } from '../catalogue/pricing.ts';
import { differs } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { type Cents, cents } from '../platform/money.ts';
import { type InvoiceStatus, invoiceStateOf, isOwed, type PaymentAttempt } from './invoice.ts';
import type { SubscribedOrder } from './subscription-store.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** One per month, also of a fee before the start, or of a change. A paid one stays paid. */
    invoices: {
      id: string;
      orderId: number;
      createdAt: number;
      status: InvoiceStatus;
      number: string | null;
      periodStart: number | null;
      periodEnd: number | null;
      /** The month's own lines when it was made, without prorations: JSON of `PriceLine[]`. */
      lines: Generated<string>;
      /** What it charges once: JSON of `PriceLine[]`. */
      once: Generated<string>;
      amountCents: Cents;
      taxCents: Cents | null;
      /** What has come, from elsewhere too: when the provider counts it as paid, any sum. */
      amountPaidCents: Cents;
      /** Also what the bank took back later. */
      amountRemainingCents: Cents;
      /** When the newest part of what has come did; null before any. */
      paidAt: number | null;
      /** The company's day that it is due on, such as '2026-12-13'; null when a card is charged. */
      dueDay: string | null;
      /** 1 once the due day has passed, of which both sides are notified. */
      overdue: Generated<Flag>;
      attempt: PaymentAttempt | null;
      poNumber: string | null;
      /** Who was billed, where that was corrected since: JSON of `BilledTo`. */
      billedTo: string | null;
      /** 1: paid, but not through the provider. */
      paidOutOfBand: Generated<Flag>;
      /** The account that marked it as paid, and what was typed, such as a check's number. */
      markedPaidById: number | null;
      reference: string | null;
    };
  }
}

export type Invoice = Row<'invoices'>;
/** As a payment provider reports it; what is left out keeps its stored value. */
export type ReportedInvoice = Pick<Invoice, 'id' | 'createdAt' | 'status' | Amounts> &
  Partial<Omit<Invoice, 'orderId' | 'lines' | 'once'>> & {
    lines?: readonly PriceLine[];
    once?: readonly PriceLine[];
    /** False for the first invoice. */
    renewal: boolean;
  };
type Amounts = 'amountCents' | 'amountPaidCents' | 'amountRemainingCents';

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

/** What a report says of an order's invoices that was not known. */
export interface NewsOfInvoices {
  /** All of the order's, newest first. */
  all: Invoice[];
  /** Those that are not stored like this. */
  changed: Invoice[];
  newlyPaid: ReportedInvoice[];
  /** More of these has come than before, and something is left to pay. */
  partlyPaid: Invoice[];
  newlyReturned: Invoice[];
  /** No card could be charged for these, or the bank now wants the customer to confirm it. */
  newlyUnpaid: Invoice[];
}

type Placed = Pick<Invoice, 'createdAt'> & Partial<Pick<Invoice, 'periodStart'>>;

/** A fee and a month can be made at the same moment. */
export function byNewest(one: Placed, other: Placed): number {
  return other.createdAt - one.createdAt || (other.periodStart ?? 0) - (one.periodStart ?? 0);
}

/**
 * `isAbandoned`: no one can pay what is open. `cameOutside`: what staff said came for which
 * invoice, whatever sum the provider settled. Where one has no lines, the subscription's serve.
 */
export function newsOfInvoices(
  order: SubscribedOrder & { invoices: readonly Invoice[] },
  reported: readonly ReportedInvoice[],
  {
    now,
    isAbandoned,
    cameOutside,
  }: { now: number; isAbandoned: boolean; cameOutside?: ReadonlyMap<string, Cents> | undefined },
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
    const row = merged(order, before, invoice, cameOutside?.get(invoice.id));
    const isNewlyPaid = invoice.status === 'paid' && before?.status !== 'paid';
    const hasMore = row.amountPaidCents > (before?.amountPaidCents ?? 0);
    // The provider names no time of a part.
    if (hasMore || isNewlyPaid) row.paidAt = invoice.paidAt ?? now;
    rows.set(row.id, row);
    if (isNewlyPaid) news.newlyPaid.push(invoice);
    if (row.status === 'open' && hasMore) news.partlyPaid.push(row);
    const isReturned = row.dueDay !== null && invoiceStateOf(row) === 'debit_returned';
    if (isReturned && before?.attempt !== 'failed') news.newlyReturned.push(row);
    const isUnpaid = row.status === 'open' && row.dueDay === null;
    if (isUnpaid && (!before || (needsConfirmation(row) && !needsConfirmation(before))))
      news.newlyUnpaid.push(row);
  }
  const all = [...rows.values()].map((row) =>
    isAbandoned && row.status === 'open'
      ? { ...row, status: 'void' as const, amountRemainingCents: cents(0) }
      : row,
  );
  const changed = all.filter((row) => differs(stored.get(row.id), row));
  return { ...news, all: all.sort(byNewest), changed };
}

function merged(
  order: SubscribedOrder,
  before: Invoice | undefined,
  { renewal: _, lines, once, ...facts }: ReportedInvoice,
  came: Cents | undefined,
): Invoice {
  return {
    ...UNKNOWN,
    // A receipt shows what was paid then, whatever the plan or the number is now.
    lines: order.subscription.priceLines,
    once: '[]',
    poNumber: order.poNumber,
    ...before,
    ...(lines && before?.status !== 'paid' && { lines: JSON.stringify(lines) }),
    ...(once && before?.status !== 'paid' && { once: JSON.stringify(once) }),
    ...facts,
    orderId: order.id,
    ...(facts.paidOutOfBand &&
      before?.markedPaidById &&
      came !== undefined && { amountPaidCents: cents(keptOf(before) + came) }),
    // A returned debit that was settled in another way stays settled.
    ...(before?.paidOutOfBand && {
      paidOutOfBand: 1,
      amountPaidCents: before.amountPaidCents,
      amountRemainingCents: cents(0),
      paidAt: before.paidAt,
    }),
  };
}

/** What has come, without what the bank took back. */
function keptOf({ status, amountPaidCents, amountRemainingCents }: Invoice): number {
  return amountPaidCents - (status === 'paid' ? amountRemainingCents : 0);
}

export async function saveInvoices(trx: Db, invoices: readonly Invoice[]): Promise<void> {
  for (const row of invoices)
    await trx
      .insertInto('invoices')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
}

/** A renewal that is paid as soon as the customer confirms it with the bank (3-D Secure). */
export function needsConfirmation({ status, dueDay, attempt }: Invoice): boolean {
  return status === 'open' && dueDay === null && attempt === 'requires_action';
}

/** Those that are owed by bank. */
export function owedOf({ invoices }: { invoices: readonly Invoice[] }): Invoice[] {
  return invoices.filter((invoice) => invoice.dueDay !== null && isOwed(invoiceStateOf(invoice)));
}

/** The one that was owed first, of invoices newest first. */
export function firstOwed(order: { invoices: readonly Invoice[] }): Invoice | undefined {
  return owedOf(order).at(-1);
}
