/** The table of invoices: what is asked for each month, as the provider last reported it. */
import type { Generated } from 'kysely';
import type { PriceLine } from '../catalogue/pricing.ts';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { type Cents, cents } from '../platform/money.ts';
import { type InvoiceStatus, invoiceStateOf, isOwed, type PaymentAttempt } from './invoice.ts';
import type { Collection } from './subscription.ts';

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
      /** Who was billed, where that was corrected since: JSON. */
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
    /** The press that marked it as paid outside. */
    paidPress?: number;
    /** Where it is charged: the card or bank account that was refused, and the next try. */
    tried?: { card: string | null; nextAt: number | null; isBank?: boolean };
  };
type Amounts = 'amountCents' | 'amountPaidCents' | 'amountRemainingCents';

type Placed = Pick<Invoice, 'createdAt'> & Partial<Pick<Invoice, 'periodStart'>>;

/** A fee and a month can be made at the same moment. */
export function byNewest(one: Placed, other: Placed): number {
  return other.createdAt - one.createdAt || (other.periodStart ?? 0) - (one.periodStart ?? 0);
}

export async function saveInvoices(trx: Db, invoices: readonly Invoice[]): Promise<void> {
  for (const row of invoices)
    await trx
      .insertInto('invoices')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
}

export interface BilledMonths {
  /** The start of the first paid month, from whose day the months count. */
  anchor: number;
  /** The end of the newest invoiced month. */
  until: number;
}

/** By order; none of one that has not been billed for a month. */
export async function billedMonths(
  db: Db,
  orderIds: readonly number[],
): Promise<Map<number, BilledMonths>> {
  const months = new Map<number, BilledMonths>();
  for (const ids of chunk(orderIds)) {
    const rows = await db
      .selectFrom('invoices')
      .select(({ fn }) => [
        'orderId',
        fn.min('periodStart').as('anchor'),
        fn.max('periodEnd').as('until'),
      ])
      .where('orderId', 'in', ids)
      .where('periodStart', 'is not', null)
      .groupBy('orderId')
      .execute();
    for (const { orderId, anchor, until } of rows)
      months.set(orderId, { anchor: Number(anchor), until: Number(until) });
  }
  return months;
}

/** What has come, without what the bank took back. */
export function keptOf({
  status,
  amountPaidCents,
  amountRemainingCents,
}: Pick<Invoice, 'status' | Amounts>): Cents {
  return cents(amountPaidCents - (status === 'paid' ? amountRemainingCents : 0));
}

/** A renewal that is paid as soon as the customer confirms it with the bank (3-D Secure). */
export function needsConfirmation({ status, dueDay, attempt }: Invoice): boolean {
  return status === 'open' && dueDay === null && attempt === 'requires_action';
}

/** Paid by debit, which the bank took back: also of a plan that is charged to a bank account. */
export function isTakenBack(invoice: Invoice): boolean {
  return invoice.status === 'paid' && invoiceStateOf(invoice) === 'debit_returned';
}

/** Sent to be paid by bank, or debited from an account: that is under way, or was taken back. */
export function isByBank(invoice: Invoice): boolean {
  const isDebited = invoice.status === 'open' && invoice.attempt === 'processing';
  return invoice.dueDay !== null || isDebited || isTakenBack(invoice);
}

export function isOwedByCard(invoice: Invoice): boolean {
  return invoice.status === 'open' && !isByBank(invoice);
}

interface Invoiced {
  subscription: { collection: Collection };
  invoices: readonly Invoice[];
}

/** Those that no card pays: also what one failed to, before the plan was billed by invoice. */
export function owedOf({ subscription, invoices }: Invoiced): Invoice[] {
  const isOurs = (invoice: Invoice) => isByBank(invoice) || subscription.collection === 'invoice';
  return invoices.filter((invoice) => isOurs(invoice) && isOwed(invoiceStateOf(invoice)));
}

/** The one that was owed first, of invoices newest first. */
export function firstOwed(order: Invoiced): Invoice | undefined {
  return owedOf(order).at(-1);
}
