/**
 * An order's invoices and charges, as its payment provider reports them, and what follows from all
 * that are stored.
 */
import type { Generated } from 'kysely';
import type { Charge, Invoice } from '../billing/gateway.server.ts';
import {
  type Dispute,
  INVOICE_STATES,
  type InvoiceState,
  type PaymentAttempt,
} from '../billing/subscription.ts';
import type { Subscription } from '../billing/subscription-store.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { type Cents, totalOf } from '../platform/money.ts';
import { isOwed } from './order.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** One invoice per month. `paid` and `waived` never go back to 0. */
    orderInvoices: {
      id: string;
      orderId: number;
      createdAt: number;
      amountCents: Cents;
      paid: Flag;
      /** 1: the provider no longer asks for payment. */
      waived: Generated<Flag>;
      number: string | null;
      periodStart: number | null;
      periodEnd: number | null;
      taxCents: Cents | null;
      /** What the provider kept. */
      feeCents: Cents | null;
      /** The charge that paid it. */
      chargeId: string | null;
      cardBrand: string | null;
      cardLast4: string | null;
      /** The plan's monthly lines when the invoice was created: JSON of `PriceLine[]`. */
      lines: Generated<string>;
      /** Null when a card is charged. */
      dueAt: number | null;
      /** 1 once the due date has passed and everyone was told. */
      overdue: Generated<Flag>;
      attempt: PaymentAttempt | null;
      url: string | null;
      /** Set when it was paid outside: what staff typed, or ''. */
      reference: string | null;
    };
    /** Payments with a refund or a dispute. */
    orderCharges: {
      id: string;
      orderId: number;
      amountCents: Cents;
      refundedCents: Cents;
      dispute: Dispute | null;
    };
  }
}

/** Newest first. */
export async function readInvoices(db: Db, orderId: number): Promise<Row<'orderInvoices'>[]> {
  return db
    .selectFrom('orderInvoices')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('createdAt', 'desc')
    .execute();
}

/** Whether the row would change; undefined columns keep their values. */
export function differs(row: object | undefined, changes: object): boolean {
  return Object.entries(changes).some(
    ([column, value]) => value !== undefined && (!row || value !== Reflect.get(row, column)),
  );
}

export interface SavedInvoices {
  newlyPaid: Invoice[];
  /** Whether the bank returned the debit of one that is owed. */
  returned: boolean;
  /** Whether anything was not known before. */
  changed: boolean;
}

export interface SavedCharges {
  newlyDisputed: Charge[];
  changed: boolean;
}

/** Saves invoices. The order must be locked. `priceLines` serve where an invoice has no lines. */
export async function saveInvoices(
  trx: Db,
  { orderId, priceLines }: Pick<Subscription, 'orderId' | 'priceLines'>,
  invoices: readonly Invoice[],
): Promise<SavedInvoices> {
  const newlyPaid: Invoice[] = [];
  let returned = false;
  if (invoices.length === 0) return { newlyPaid, returned, changed: false };
  const ids = invoices.map(({ id }) => id);
  const stored = await trx.selectFrom('orderInvoices').selectAll().where('id', 'in', ids).execute();
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const rows: Row<'orderInvoices'>[] = [];
  for (const invoice of invoices) {
    const { amount, paid, waived, tax, fee, renewal: _, lines, outside, ...facts } = invoice;
    const before = storedById.get(invoice.id);
    if (before?.paid && !paid) continue;
    if (paid && !before?.paid) newlyPaid.push(invoice);
    const row: Row<'orderInvoices'> = {
      ...NOT_REPORTED,
      ...before,
      ...facts,
      orderId,
      amountCents: amount,
      taxCents: tax ?? before?.taxCents ?? null,
      feeCents: fee ?? before?.feeCents ?? null,
      paid: paid ? 1 : 0,
      waived: waived || before?.waived ? 1 : 0,
      overdue: before?.overdue ?? 0,
      reference: before?.reference ?? (outside ? '' : null),
      // A receipt shows what was paid then, whatever the plan is now.
      lines: before?.lines ?? (lines ? JSON.stringify(lines) : priceLines),
    };
    const isReturned = row.dueAt !== null && invoiceStateOf(row) === 'debit_returned';
    if (isReturned && before?.attempt !== 'failed') returned = true;
    rows.push(row);
  }
  const changedRows = rows.filter((row) => differs(storedById.get(row.id), row));
  if (changedRows.length === 0) return { newlyPaid, returned, changed: false };
  const replaced = changedRows.map(({ id }) => id);
  await trx.deleteFrom('orderInvoices').where('id', 'in', replaced).execute();
  await trx.insertInto('orderInvoices').values(changedRows).execute();
  return { newlyPaid, returned, changed: true };
}

/** The columns that a provider may leave out; stored values are then kept. */
const NOT_REPORTED = {
  number: null,
  periodStart: null,
  periodEnd: null,
  cardBrand: null,
  cardLast4: null,
  dueAt: null,
  attempt: null,
  url: null,
  chargeId: null,
};

export async function waiveOpenInvoices(trx: Db, orderId: number): Promise<void> {
  await trx
    .updateTable('orderInvoices')
    .set({ waived: 1 })
    .where('orderId', '=', orderId)
    .where('paid', '=', 0)
    .execute();
}

/** A debit that the bank returns after it had paid the invoice leaves it owed again. */
export function invoiceStateOf(
  invoice: Pick<Row<'orderInvoices'>, 'paid' | 'waived' | 'overdue' | 'attempt' | 'reference'>,
): InvoiceState {
  const { paid, waived, overdue, attempt, reference } = invoice;
  if (reference !== null) return 'paid_outside';
  if (attempt === 'failed' && !waived) return 'debit_returned';
  if (paid) return 'paid';
  if (waived) return 'given_up';
  if (attempt === 'processing') return 'debit_under_way';
  return overdue ? 'overdue' : 'sent';
}

/** A renewal that is paid as soon as the customer confirms it with the bank (3-D Secure). */
export function needsConfirmation(invoice: Row<'orderInvoices'>): boolean {
  const { paid, waived, dueAt, attempt, url } = invoice;
  return !paid && !waived && dueAt === null && attempt === 'requires_action' && url !== null;
}

/** The invoice that was owed first; undefined when none is. */
export function firstOwed(invoices: readonly Row<'orderInvoices'>[]) {
  return invoices.findLast((invoice) => invoice.dueAt !== null && isOwed(invoiceStateOf(invoice)));
}

/** Saves charges. The order must be locked. */
export async function saveCharges(
  trx: Db,
  orderId: number,
  charges: readonly Charge[],
): Promise<SavedCharges> {
  const newlyDisputed: Charge[] = [];
  if (charges.length === 0) return { newlyDisputed, changed: false };
  const ids = charges.map(({ id }) => id);
  const stored = await trx.selectFrom('orderCharges').selectAll().where('id', 'in', ids).execute();
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const rows = charges.map((charge): Row<'orderCharges'> => {
    const { id, amount, refunded, dispute } = charge;
    const before = storedById.get(id);
    // A closed dispute stays closed when its opening arrives later.
    const closed = before?.dispute && before.dispute !== 'open' ? before.dispute : null;
    const after = closed ?? dispute ?? before?.dispute ?? null;
    if (after !== null && !before?.dispute) newlyDisputed.push(charge);
    return { id, orderId, amountCents: amount, refundedCents: refunded, dispute: after };
  });
  const changedRows = rows.filter((row) => differs(storedById.get(row.id), row));
  if (changedRows.length === 0) return { newlyDisputed, changed: false };
  const replaced = changedRows.map(({ id }) => id);
  await trx.deleteFrom('orderCharges').where('id', 'in', replaced).execute();
  await trx.insertInto('orderCharges').values(changedRows).execute();
  return { newlyDisputed, changed: true };
}

export type Billing = Awaited<ReturnType<typeof readBilling>>;

/** Derived from everything stored, so the order of arrival does not matter. */
export async function readBilling(db: Db, orderId: number) {
  const invoices = await readInvoices(db, orderId);
  const charges = await db
    .selectFrom('orderCharges')
    .selectAll()
    .where('orderId', '=', orderId)
    .execute();
  const paidInvoices = invoices.filter(({ paid }) => paid);
  const chargedCents = Math.max(
    totalOf(paidInvoices.map(({ amountCents: amount }) => ({ amount }))),
    totalOf(charges.map(({ amountCents: amount }) => ({ amount }))),
  );
  const lastPaidAt = Math.max(0, ...paidInvoices.map(({ createdAt }) => createdAt));
  const refunded = totalOf(charges.map(({ refundedCents: amount }) => ({ amount })));
  const disputes = charges.map(({ dispute }) => dispute);
  const bills = invoices.filter(({ dueAt }) => dueAt !== null);
  const states = bills.map(invoiceStateOf);
  const returned = bills.filter(({ paid, attempt }) => paid && attempt === 'failed');
  return {
    /** Newest first. */
    rows: invoices,
    /** What an order by invoice is told by: what is owed before what is settled. */
    invoiceState:
      INVOICE_STATES.filter(isOwed).find((state) => states.includes(state)) ?? states[0],
    firstAttempt: invoices.at(-1)?.attempt ?? null,
    /** A charge counts as paid, since its invoice may be reported later. */
    paid: paidInvoices.length > 0 || charges.length > 0,
    /** An invoice is due and unpaid, and no newer one has been paid. */
    overdue:
      returned.some(({ reference }) => reference === null) ||
      invoices.some(
        ({ paid, waived, createdAt, dueAt, overdue }) =>
          !paid && !waived && (dueAt === null ? createdAt >= lastPaidAt : overdue === 1),
      ),
    refunded,
    /**
     * Everything that was paid has been refunded, or the bank decided a dispute for the customer.
     * A returned debit is lost as well, but is owed again.
     */
    reversed:
      (disputes.includes('lost') && returned.length === 0) ||
      (charges.length > 0 && refunded >= chargedCents),
    dispute:
      (['lost', 'open', 'won'] as const).find((outcome) => disputes.includes(outcome)) ?? null,
  };
}
