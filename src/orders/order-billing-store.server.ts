/** What has been billed and refunded since an order was paid, and what staff should know of it. */

import type { Kysely } from 'kysely';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { type Cents, cents } from '../platform/money.ts';
import type { BilledInvoice, PaymentState } from './gateway.server.ts';
import type { Dispute } from './order.ts';

type Db = Kysely<Tables>;

/** Where an order's money stands, whatever arrived in whatever order. */
export interface Billing {
  /** Something has been paid: a bill, or a payment that was disputed or refunded. */
  paid: boolean;
  /** A bill that is still due has stayed unpaid, and none since has been paid. */
  overdue: boolean;
  refunded: Cents;
  /** All that was ever paid has been refunded, or taken back by the bank. */
  reversed: boolean;
  dispute: Dispute | null;
}

type Reported = Required<Pick<PaymentState, 'invoices' | 'charges'>>;

/** Gives the bills that are paid and were not; the order must be locked. `priceLines` are those of its month. */
export async function saveInvoices(
  trx: Db,
  { id: orderId, priceLines }: Pick<Row<'orders'>, 'id' | 'priceLines'>,
  invoices: Reported['invoices'],
): Promise<BilledInvoice[]> {
  if (invoices.length === 0) return [];
  const ids = invoices.map(({ id }) => id);
  const stored = await trx.selectFrom('orderInvoices').selectAll().where('id', 'in', ids).execute();
  const known = new Map(stored.map((row) => [row.id, row]));
  const newlyPaid: BilledInvoice[] = [];
  for (const invoice of invoices) {
    const { amount, paid, waived, tax, renewal: _, lines, ...facts } = invoice;
    const before = known.get(invoice.id);
    if (before?.paid && !paid) continue;
    if (paid && !before?.paid) newlyPaid.push(invoice);
    known.set(invoice.id, {
      ...NOT_REPORTED,
      ...before,
      ...facts,
      orderId,
      amountCents: amount,
      taxCents: tax ?? before?.taxCents ?? null,
      paid: paid ? 1 : 0,
      waived: waived || before?.waived ? 1 : 0,
      // A receipt is what was paid, whatever the plan becomes.
      lines: before?.lines ?? (lines ? JSON.stringify(lines) : priceLines),
    });
  }
  await trx.deleteFrom('orderInvoices').where('id', 'in', ids).execute();
  await trx
    .insertInto('orderInvoices')
    .values([...known.values()])
    .execute();
  return newlyPaid;
}

/** What a provider may not say of a bill, or no more of an older one. */
const NOT_REPORTED = {
  number: null,
  periodStart: null,
  periodEnd: null,
  cardBrand: null,
  cardLast4: null,
};

/** Gives how many are disputed for the first time; the order must be locked. */
export async function saveCharges(
  trx: Db,
  orderId: number,
  charges: Reported['charges'],
): Promise<number> {
  if (charges.length === 0) return 0;
  const ids = charges.map(({ id }) => id);
  const stored = await trx.selectFrom('orderCharges').selectAll().where('id', 'in', ids).execute();
  const known = new Map(stored.map((row) => [row.id, row]));
  let newlyDisputed = 0;
  for (const { id, amount, refunded, dispute } of charges) {
    const before = known.get(id);
    // A closed dispute stays closed when its opening arrives later.
    const closed = before?.dispute && before.dispute !== 'open' ? before.dispute : null;
    const after = closed ?? dispute ?? before?.dispute ?? null;
    if (after !== null && !before?.dispute) newlyDisputed += 1;
    const refundedCents = Math.max(refunded, before?.refundedCents ?? refunded);
    known.set(id, { id, orderId, amountCents: amount, refundedCents, dispute: after });
  }
  await trx.deleteFrom('orderCharges').where('id', 'in', ids).execute();
  await trx
    .insertInto('orderCharges')
    .values([...known.values()])
    .execute();
  return newlyDisputed;
}

/** The newest first. */
export async function readInvoices(db: Db, orderId: number): Promise<Row<'orderInvoices'>[]> {
  return db
    .selectFrom('orderInvoices')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('createdAt', 'desc')
    .execute();
}

export async function readBilling(db: Db, orderId: number): Promise<Billing> {
  const invoices = await readInvoices(db, orderId);
  const charges = await db
    .selectFrom('orderCharges')
    .selectAll()
    .where('orderId', '=', orderId)
    .execute();
  const sum = (amounts: number[]) => cents(amounts.reduce((total, amount) => total + amount, 0));
  const paidBills = invoices.filter(({ paid }) => paid);
  const taken = Math.max(
    sum(paidBills.map(({ amountCents }) => amountCents)),
    sum(charges.map(({ amountCents }) => amountCents)),
  );
  const lastPaidAt = Math.max(...paidBills.map(({ createdAt }) => createdAt));
  const refunded = sum(charges.map(({ refundedCents }) => refundedCents));
  const disputes = charges.map(({ dispute }) => dispute);
  return {
    paid: paidBills.length > 0 || charges.length > 0,
    overdue: invoices.some(
      ({ paid, waived, createdAt }) => !paid && !waived && createdAt >= lastPaidAt,
    ),
    refunded,
    reversed: disputes.includes('lost') || (charges.length > 0 && refunded >= taken),
    dispute: (['lost', 'open', 'won'] as const).find((each) => disputes.includes(each)) ?? null,
  };
}

export async function addNote(trx: Db, orderId: number, ...notes: string[]): Promise<void> {
  if (notes.length === 0) return;
  const at = Date.now();
  await trx
    .insertInto('orderNotes')
    .values(notes.map((note) => ({ orderId, at, note })))
    .execute();
}

/** Notes what would otherwise be repeated at each try. */
export async function noteOnce(db: Db, orderId: number, note: string): Promise<void> {
  const known = await db
    .selectFrom('orderNotes')
    .select('id')
    .where('orderId', '=', orderId)
    .where('note', '=', note)
    .executeTakeFirst();
  if (!known) await addNote(db, orderId, note);
}

/** The statuses that orders went through and the notes about them, in the order in which they happened. */
export async function readHistory(db: Db, orderIds: readonly number[]) {
  const statuses = await db
    .selectFrom('orderStatuses')
    .select(['orderId', 'status', 'at', 'cause'])
    .where('orderId', 'in', orderIds)
    .orderBy('id')
    .execute();
  const notes = await db
    .selectFrom('orderNotes')
    .select(['orderId', 'at', 'note'])
    .where('orderId', 'in', orderIds)
    .orderBy('id')
    .execute();
  const of = <Item extends { orderId: number; at: number }>(id: number, rows: readonly Item[]) =>
    rows.flatMap(({ orderId, at, ...row }) =>
      orderId === id ? [{ ...row, at: new Date(at).toISOString() }] : [],
    );
  return (id: number) => ({ history: of(id, statuses), notes: of(id, notes) });
}
