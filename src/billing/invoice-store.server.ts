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
    /** One per month. A paid one stays paid. */
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
      amountCents: Cents;
      /** The part of the amount that is sales tax. */
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
      /** The customer's purchase order number then. */
      poNumber: string | null;
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
export type ReportedInvoice = Pick<
  Invoice,
  'id' | 'createdAt' | 'status' | 'amountCents' | 'amountPaidCents' | 'amountRemainingCents'
> &
  Partial<
    Pick<
      Invoice,
      | 'number'
      | 'periodStart'
      | 'periodEnd'
      | 'taxCents'
      | 'paidAt'
      | 'dueDay'
      | 'attempt'
      | 'paidOutOfBand'
    >
  > & {
    lines?: readonly PriceLine[];
    /** False for the first invoice. */
    renewal: boolean;
  };

const UNKNOWN = {
  number: null,
  periodStart: null,
  periodEnd: null,
  taxCents: null,
  paidAt: null,
  dueDay: null,
  overdue: 0,
  attempt: null,
  paidOutOfBand: 0,
  markedPaidById: null,
  reference: null,
} as const;

/** What was written off may still be paid. */
const RANK: Record<InvoiceStatus, number> = { open: 0, void: 1, uncollectible: 1, paid: 2 };

export interface SavedInvoices {
  newlyPaid: ReportedInvoice[];
  /** More of these has come than before, and something is left to pay. */
  partlyPaid: Invoice[];
  /** The bank returned the debits of these. */
  newlyReturned: Invoice[];
  /** No card could be charged for these, or the bank now wants the customer to confirm it. */
  newlyUnpaid: Invoice[];
  /** Whether anything was not known before. */
  changed: boolean;
}

/** Saves invoices of a locked order. Where one has no lines, the subscription's serve. */
export async function saveInvoices(
  trx: Db,
  order: SubscribedOrder & { invoices: readonly Invoice[] },
  reported: readonly ReportedInvoice[],
): Promise<SavedInvoices> {
  const saved: SavedInvoices = {
    newlyPaid: [],
    partlyPaid: [],
    newlyReturned: [],
    newlyUnpaid: [],
    changed: false,
  };
  for (const invoice of reported) {
    const { renewal: _, lines, ...facts } = invoice;
    const before = order.invoices.find(({ id }) => id === invoice.id);
    // An old report of one that is settled by now.
    if (before && RANK[invoice.status] < RANK[before.status]) continue;
    const isNewlyPaid = invoice.status === 'paid' && before?.status !== 'paid';
    if (isNewlyPaid) saved.newlyPaid.push(invoice);
    const row: Invoice = {
      ...UNKNOWN,
      // A receipt shows what was paid then, whatever the plan or the number is now.
      lines: order.subscription.priceLines,
      poNumber: order.poNumber,
      ...before,
      ...(lines && before?.status !== 'paid' && { lines: JSON.stringify(lines) }),
      ...facts,
      orderId: order.id,
    };
    // A returned debit that was settled in another way stays settled.
    if (before?.paidOutOfBand) {
      const { paidAt } = before;
      Object.assign(row, { paidOutOfBand: 1, amountRemainingCents: 0, paidAt });
    }
    const hasMore = row.amountPaidCents > (before?.amountPaidCents ?? 0);
    // The provider names no time of a part.
    if (hasMore || isNewlyPaid) row.paidAt = invoice.paidAt ?? Date.now();
    if (row.status === 'open' && hasMore) saved.partlyPaid.push(row);
    const isReturned = row.dueDay !== null && invoiceStateOf(row) === 'debit_returned';
    if (isReturned && before?.attempt !== 'failed') saved.newlyReturned.push(row);
    const isUnpaid = row.status === 'open' && row.dueDay === null;
    if (isUnpaid && (!before || (needsConfirmation(row) && !needsConfirmation(before))))
      saved.newlyUnpaid.push(row);
    if (!differs(before, row)) continue;
    saved.changed = true;
    await trx
      .insertInto('invoices')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  }
  return saved;
}

export async function voidOpenInvoices(trx: Db, orderId: number): Promise<void> {
  await trx
    .updateTable('invoices')
    .set({ status: 'void', amountRemainingCents: cents(0) })
    .where('orderId', '=', orderId)
    .where('status', '=', 'open')
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
