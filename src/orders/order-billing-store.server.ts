/** What has been billed and given back since an order was paid, and what staff should know of it. */
import type { Kysely } from 'kysely';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { type Cents, cents } from '../platform/money.ts';
import type { BilledInvoice, PaymentState, ReversedCharge } from './gateway.server.ts';
import type { Dispute } from './payment.ts';

type Db = Kysely<Tables>;

/** Where an order's money stands, whatever was heard in whatever order. */
export interface Billing {
  /** Something has been paid: a bill, or a payment that was disputed or given back. */
  paid: boolean;
  /** A bill that is still asked for has stayed unpaid, and none since has been paid. */
  overdue: boolean;
  refunded: Cents;
  /** All that was ever paid has been given back, or taken back by the bank. */
  reversed: boolean;
  dispute: Dispute | null;
}

/** Nobody else changes the order until the transaction ends. */
export async function lockOrder(trx: Db, orderId: number): Promise<Row<'orders'>> {
  return trx
    .updateTable('orders')
    .set(({ ref }) => ({ status: ref('status') }))
    .where('id', '=', orderId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What was not known before. */
interface BillingNews {
  newlyPaid: BilledInvoice[];
  /** How many payments a bank has begun to dispute. */
  newlyDisputed: number;
}

/** Adds what a provider tells to what is known; the order must be locked. */
export async function rememberBilling(
  trx: Db,
  orderId: number,
  { invoices = [], charges = [] }: PaymentState,
): Promise<BillingNews> {
  const newlyPaid: BilledInvoice[] = [];
  let newlyDisputed = 0;
  for (const invoice of invoices) {
    if (await rememberInvoice(trx, orderId, invoice)) newlyPaid.push(invoice);
  }
  for (const charge of charges) {
    if (await rememberCharge(trx, orderId, charge)) newlyDisputed += 1;
  }
  return { newlyPaid, newlyDisputed };
}

async function rememberInvoice(
  trx: Db,
  orderId: number,
  { id, createdAt, amount, paid, waived = false }: BilledInvoice,
): Promise<boolean> {
  const known = await trx
    .selectFrom('orderInvoices')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!known) {
    const flags = { paid: paid ? 1 : 0, waived: waived ? 1 : 0 } as const;
    const row = { id, orderId, createdAt, amountCents: amount, ...flags };
    await trx.insertInto('orderInvoices').values(row).execute();
    return paid;
  }
  await trx
    .updateTable('orderInvoices')
    .set({
      createdAt: Math.min(known.createdAt, createdAt),
      amountCents: Math.max(known.amountCents, amount),
      paid: paid || known.paid ? 1 : 0,
      waived: waived || known.waived ? 1 : 0,
    })
    .where('id', '=', id)
    .execute();
  return paid && !known.paid;
}

/** True when it is the first to tell of a dispute. */
async function rememberCharge(
  trx: Db,
  orderId: number,
  { id, amount, refunded, dispute }: ReversedCharge,
): Promise<boolean> {
  const known = await trx
    .selectFrom('orderCharges')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  const values = {
    amountCents: Math.max(amount, known?.amountCents ?? amount),
    refundedCents: Math.max(refunded, known?.refundedCents ?? refunded),
    // Closed is closed, even when its opening is heard later.
    dispute:
      known?.dispute && known.dispute !== 'open'
        ? known.dispute
        : (dispute ?? known?.dispute ?? null),
  };
  if (known) await trx.updateTable('orderCharges').set(values).where('id', '=', id).execute();
  else
    await trx
      .insertInto('orderCharges')
      .values({ id, orderId, ...values })
      .execute();
  return values.dispute !== null && !known?.dispute;
}

export async function readBilling(db: Db, orderId: number): Promise<Billing> {
  const invoices = await db
    .selectFrom('orderInvoices')
    .selectAll()
    .where('orderId', '=', orderId)
    .execute();
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

/** The order whose charge this is, when something has been heard of that charge before. */
export async function orderOfCharge(db: Db, chargeId: string): Promise<Row<'orders'> | undefined> {
  return db
    .selectFrom('orders')
    .innerJoin('orderCharges', 'orderCharges.orderId', 'orders.id')
    .selectAll('orders')
    .where('orderCharges.id', '=', chargeId)
    .executeTakeFirst();
}

export async function addNote(trx: Db, orderId: number, note: string): Promise<void> {
  await trx.insertInto('orderNotes').values({ orderId, at: Date.now(), note }).execute();
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

export async function readNotes(db: Db, orderId: number): Promise<{ at: string; note: string }[]> {
  const rows = await db
    .selectFrom('orderNotes')
    .select(['at', 'note'])
    .where('orderId', '=', orderId)
    .orderBy('id')
    .execute();
  return rows.map(({ at, note }) => ({ at: new Date(at).toISOString(), note }));
}
