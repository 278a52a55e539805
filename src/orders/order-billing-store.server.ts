/** What has been billed and refunded since an order was paid, and what staff should know of it. */
import type { Kysely } from 'kysely';
import { selectForUpdate } from '../platform/database/queries.server.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { type Cents, cents } from '../platform/money.ts';
import type { BilledInvoice, PaymentState, ReversedCharge } from './gateway.server.ts';
import type { Dispute } from './payment.ts';

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

/** Nobody else changes the order until the transaction ends. */
export async function lockOrder(trx: Db, orderId: number): Promise<Row<'orders'>> {
  return selectForUpdate(
    trx.selectFrom('orders').selectAll().where('id', '=', orderId),
    trx,
  ).executeTakeFirstOrThrow();
}

/** What was not known before: the bills that are paid, and how many payments a bank has begun to dispute. */
export interface Newly {
  newlyPaid: BilledInvoice[];
  newlyDisputed: number;
}

/**
 * Adds what a provider tells to what is known; the order must be locked. A provider tells all bills of a subscription
 * at once, so all are read at once, and written at once.
 */
export async function rememberBilling(
  trx: Db,
  { id: orderId, priceLines }: Pick<Row<'orders'>, 'id' | 'priceLines'>,
  { invoices = [], charges = [] }: PaymentState,
): Promise<Newly> {
  const newlyPaid = await rememberInvoices(trx, orderId, priceLines, invoices);
  const newlyDisputed = await rememberCharges(trx, orderId, charges);
  return { newlyPaid, newlyDisputed };
}

/** Gives those that are paid and were not. */
async function rememberInvoices(
  trx: Db,
  orderId: number,
  priceLines: string,
  invoices: readonly BilledInvoice[],
): Promise<BilledInvoice[]> {
  if (invoices.length === 0) return [];
  const ids = invoices.map(({ id }) => id);
  const stored = await trx.selectFrom('orderInvoices').selectAll().where('id', 'in', ids).execute();
  const known = new Map(stored.map((row) => [row.id, row]));
  const newlyPaid: BilledInvoice[] = [];
  for (const invoice of invoices) {
    const { id, createdAt, amount, paid, waived = false } = invoice;
    const { number, periodStart, periodEnd, tax, cardBrand, cardLast4, lines } = invoice;
    const before = known.get(id);
    if (paid && !before?.paid) newlyPaid.push(invoice);
    known.set(id, {
      id,
      orderId,
      createdAt: Math.min(before?.createdAt ?? createdAt, createdAt),
      amountCents: Math.max(before?.amountCents ?? amount, amount),
      paid: paid || before?.paid ? 1 : 0,
      waived: waived || before?.waived ? 1 : 0,
      number: number ?? before?.number ?? null,
      periodStart: periodStart ?? before?.periodStart ?? null,
      periodEnd: periodEnd ?? before?.periodEnd ?? null,
      taxCents: tax ?? before?.taxCents ?? null,
      cardBrand: cardBrand ?? before?.cardBrand ?? null,
      cardLast4: cardLast4 ?? before?.cardLast4 ?? null,
      paidAt: before?.paidAt ?? (paid ? Date.now() : null),
      // A receipt is what was paid, whatever the plan becomes.
      lines: before?.lines ?? (lines ? JSON.stringify(lines) : priceLines),
    });
  }
  await trx
    .insertInto('orderInvoices')
    .values([...known.values()])
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        createdAt: ref('excluded.createdAt'),
        amountCents: ref('excluded.amountCents'),
        paid: ref('excluded.paid'),
        waived: ref('excluded.waived'),
        number: ref('excluded.number'),
        periodStart: ref('excluded.periodStart'),
        periodEnd: ref('excluded.periodEnd'),
        taxCents: ref('excluded.taxCents'),
        cardBrand: ref('excluded.cardBrand'),
        cardLast4: ref('excluded.cardLast4'),
        paidAt: ref('excluded.paidAt'),
      })),
    )
    .execute();
  return newlyPaid;
}

/** Gives how many are disputed for the first time. */
async function rememberCharges(
  trx: Db,
  orderId: number,
  charges: readonly ReversedCharge[],
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
    known.set(id, {
      id,
      orderId,
      amountCents: Math.max(amount, before?.amountCents ?? amount),
      refundedCents: Math.max(refunded, before?.refundedCents ?? refunded),
      dispute: after,
    });
  }
  await trx
    .insertInto('orderCharges')
    .values([...known.values()])
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        amountCents: ref('excluded.amountCents'),
        refundedCents: ref('excluded.refundedCents'),
        dispute: ref('excluded.dispute'),
      })),
    )
    .execute();
  return newlyDisputed;
}

export async function readInvoices(db: Db, orderId: number): Promise<Row<'orderInvoices'>[]> {
  return db.selectFrom('orderInvoices').selectAll().where('orderId', '=', orderId).execute();
}

export async function newestPaidInvoice(
  db: Db,
  orderId: number,
): Promise<Row<'orderInvoices'> | undefined> {
  return db
    .selectFrom('orderInvoices')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('paid', '=', 1)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
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

/** The order whose charge this is, when that charge is known already. */
export async function orderOfCharge(db: Db, chargeId: string): Promise<Row<'orders'> | undefined> {
  return db
    .selectFrom('orders')
    .innerJoin('orderCharges', 'orderCharges.orderId', 'orders.id')
    .selectAll('orders')
    .where('orderCharges.id', '=', chargeId)
    .executeTakeFirst();
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

/** Of all these orders, each in its order. */
export async function readNotes(db: Db, orderIds: readonly number[]) {
  const rows = await db
    .selectFrom('orderNotes')
    .select(['orderId', 'at', 'note'])
    .where('orderId', 'in', orderIds)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
}
