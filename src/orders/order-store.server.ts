/** The tables of orders, and the queries for them; bills and charges are written where an order follows its payment. */
import type { Generated } from 'kysely';
import { nextNumber, sameEmail, selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db, Flag, NewRow, Row } from '../platform/database/tables.server.ts';
import type { StartedAtProvider } from './gateway.server.ts';
import {
  awaitsPayment,
  type Dispute,
  isOver,
  ORDER_STATUSES,
  type OrderStatus,
  type Provider,
} from './order.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    orders: OrderTable;
    orderAccess: OrderAccessTable;
    orderAccessLinks: OrderAccessLinkTable;
    orderHistory: OrderHistoryTable;
    orderInvoices: OrderInvoiceTable;
    orderCharges: OrderChargeTable;
  }
}

interface OrderTable {
  id: Generated<number>;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  /** The quote that was paid by it. */
  quoteId: number | null;
  planId: number;
  /** As it was when the order was made: a plan may be renamed or dropped later. */
  planName: string;
  paymentMethod: string;
  ms365Option: string;
  ms365Users: number;
  includeCloudBackup: Flag;
  status: OrderStatus;
  amountCents: number;
  /** The breakdown that adds up to the amount, as it was shown: JSON of `PriceLine[]`. */
  priceLines: Generated<string>;
  provider: Provider;
  /** Placed while real cards were charged. */
  live: Flag;
  paymentId: string | null;
  clientSecret: string | null;
  /** Stripe's ids, once they exist. */
  customerId: string | null;
  subscriptionId: string | null;
  refundedCents: number;
  dispute: Dispute | null;
  idempotencyKey: string | null;
  requestHash: string;
  /** For the tax, where it is on. */
  postalCode: string | null;
  /** What an invoice asks for: the amount, plus the tax where it is on. */
  dueCents: number | null;
  /** When the subscription ends, once that has been decided. */
  endsAt: number | null;
  /** 1 once the provider has said that it charges no more. */
  subscriptionEnded: Generated<Flag>;
  /** Raised whenever the order follows its payment: an answer of the provider to an earlier call is outdated. */
  version: Generated<number>;
  /** Raised when staff revoke the links that have been sent. */
  linkVersion: Generated<number>;
  /** For receipts: a few lines, where the customer has entered them. */
  billingAddress: string | null;
  /** For the email about it: the users and the backup before the last change, in words. */
  previousPlan: string | null;
  /** For the email about it: the card that the customer entered last, such as 'Visa ending in 4242'. */
  newCard: string | null;
  createdAt: number;
}

/** Who may see an order besides staff: the browsers that hold the capability with this hash. */
interface OrderAccessTable {
  orderId: number;
  keyHash: string;
}

/** A link that admits one browser more, kept as a hash until it is used or too old. */
interface OrderAccessLinkTable {
  keyHash: string;
  orderId: number;
  at: number;
}

/** A status with its cause, or without a status a note for staff. */
interface OrderHistoryTable {
  id: Generated<number>;
  orderId: number;
  at: number;
  status: OrderStatus | null;
  text: string;
  /** Of what an order has once: repeated, it is not noted again. */
  onceKey: Generated<string | null>;
}

/** Each month's bill; 'paid' and 'waived' are never taken back. */
interface OrderInvoiceTable {
  id: string;
  orderId: number;
  createdAt: number;
  amountCents: number;
  paid: Flag;
  /** 1: the provider asks for it no more. */
  waived: Generated<Flag>;
  /** The number, the month, the tax and the card, where the provider names them. */
  number: string | null;
  periodStart: number | null;
  periodEnd: number | null;
  taxCents: number | null;
  cardBrand: string | null;
  cardLast4: string | null;
  /** The month's lines in force when the bill was made: JSON of `PriceLine[]`. */
  lines: Generated<string>;
}

/** Payments of which something has been refunded or is in dispute. */
interface OrderChargeTable {
  id: string;
  orderId: number;
  amountCents: number;
  refundedCents: number;
  dispute: Dispute | null;
}

export type Order = Row<'orders'>;

const selectOrders = (db: Db) => db.selectFrom('orders').selectAll('orders');

export async function findOrder(db: Db, id: number): Promise<Order | undefined> {
  return selectOrders(db).where('id', '=', id).executeTakeFirst();
}

/** The present row of an order that exists; orders are never deleted. */
export async function getOrder(db: Db, { id }: { id: number }): Promise<Order> {
  return selectOrders(db).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Locks the order until the transaction ends. */
export async function lockOrder(trx: Db, orderId: number): Promise<Order> {
  return selectForUpdate(
    selectOrders(trx).where('id', '=', orderId),
    trx,
  ).executeTakeFirstOrThrow();
}

/** Without a key none is found. */
export async function findOrderByKey(db: Db, key: string | null): Promise<Order | undefined> {
  return selectOrders(db).where('idempotencyKey', '=', key).executeTakeFirst();
}

/** Those that this provider knows with the keys in force. */
interface ProviderMode {
  provider: Provider;
  live: boolean;
}

const selectProviderOrders = (db: Db, { provider, live }: ProviderMode) =>
  selectOrders(db)
    .where('provider', '=', provider)
    .where('live', '=', live ? 1 : 0);

/** Placed before `time` and neither paid nor over, oldest first. A refused card may be followed by another. */
export async function findUnpaidOrders(db: Db, of: ProviderMode, time: number): Promise<Order[]> {
  return (
    selectProviderOrders(db, of)
      .where('status', 'in', ORDER_STATUSES.filter(awaitsPayment))
      // Or from a time that has not come yet: the clock was ahead.
      .where(({ or, eb }) => or([eb('createdAt', '<=', time), eb('createdAt', '>', Date.now())]))
      .orderBy('id')
      .execute()
  );
}

/** Over here, and perhaps still charged by the provider. */
export async function findOrdersToEnd(db: Db, of: ProviderMode): Promise<Order[]> {
  return selectProviderOrders(db, of)
    .where('status', 'in', ORDER_STATUSES.filter(isOver))
    .where('subscriptionId', 'is not', null)
    .where('subscriptionEnded', '=', 0)
    .orderBy('id')
    .execute();
}

/** Saves a new order as pending; undefined when its idempotency key has been used already. */
export async function insertOrder(trx: Db, order: NewRow<'orders'>): Promise<Order | undefined> {
  for (;;) {
    const id = await nextNumber(trx, 'orders');
    const saved = await trx
      .insertInto('orders')
      .values({ ...order, id })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (saved) {
      await addStatus(trx, id, 'pending', 'order placed');
      return saved;
    }
    if (await findOrderByKey(trx, order.idempotencyKey ?? null)) return undefined;
    // Another instance, or one before this, has the number.
  }
}

/** The order by which a quote is being paid, or has been: the newest that has not come to its end. */
export async function findOrderForQuote(db: Db, quoteId: number): Promise<Order | undefined> {
  return selectOrders(db)
    .where('quoteId', '=', quoteId)
    .where('status', 'not in', ORDER_STATUSES.filter(isOver))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Keeps what the provider calls the payment; a second call changes nothing. Returns the order as it is afterwards. */
export async function savePayment(
  db: Db,
  orderId: number,
  { due, ...payment }: StartedAtProvider,
): Promise<Order> {
  const saved = await db
    .updateTable('orders')
    .set(({ eb }) => ({ ...payment, dueCents: due, version: eb('version', '+', 1) }))
    .where('id', '=', orderId)
    .where('paymentId', 'is', null)
    .where('subscriptionId', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return saved ?? getOrder(db, { id: orderId });
}

/** Stores the id of the customer at the provider, unless the subscription has been made, which decides it. */
export async function saveCustomer(
  db: Db,
  orderId: number,
  customerId: string | null,
): Promise<void> {
  await db
    .updateTable('orders')
    .set({ customerId })
    .where('id', '=', orderId)
    .where('subscriptionId', 'is', null)
    .execute();
}

/** Changes the order and returns its new version. Undefined columns keep their values. */
export async function updateOrder(
  trx: Db,
  orderId: number,
  change: { [Column in keyof Order]?: Order[Column] | undefined },
): Promise<Order> {
  return trx
    .updateTable('orders')
    .set(({ eb }) => ({ ...change, version: eb('version', '+', 1) }))
    .where('id', '=', orderId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function addStatus(
  trx: Db,
  orderId: number,
  status: OrderStatus,
  cause: string,
): Promise<void> {
  const row = { orderId, at: Date.now(), status, text: cause };
  await trx.insertInto('orderHistory').values(row).execute();
}

export async function addNote(trx: Db, orderId: number, ...notes: string[]): Promise<void> {
  if (notes.length === 0) return;
  const rows = notes.map((text) => ({ orderId, at: Date.now(), status: null, text }));
  await trx.insertInto('orderHistory').values(rows).execute();
}

/** Notes what has happened once, however often it is tried or sent again; false when it has been noted before. */
export async function noteOnce(
  db: Db,
  orderId: number,
  text: string,
  onceKey = text,
): Promise<boolean> {
  const noted = await db
    .insertInto('orderHistory')
    .values({ orderId, at: Date.now(), status: null, text, onceKey })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

export async function readHistory(db: Db, orderId: number) {
  const stored = await db
    .selectFrom('orderHistory')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('id')
    .execute();
  const rows = stored.map(({ at, ...row }) => ({ ...row, at: new Date(at).toISOString() }));
  return {
    history: rows.flatMap(({ status, at, text }) => (status ? [{ status, at, cause: text }] : [])),
    notes: rows.flatMap(({ status, at, text }) => (status ? [] : [{ at, note: text }])),
  };
}

/** When the order got the status that it has. */
export async function statusSince(db: Db, orderId: number): Promise<number> {
  const { at } = await db
    .selectFrom('orderHistory')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('orderId', '=', orderId)
    .where('status', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(at);
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

/** Two orders with the same are perhaps one purchase made twice: docs/decisions/004 says who is warned. */
export type BuyerAndPlan = Pick<Order, 'email' | 'planId'>;

/** Of this mode, neither over nor, when they are still to be paid, unknown to the provider; newest first. */
export function selectSimilarOrders(db: Db, live: boolean, { email, planId }: BuyerAndPlan) {
  return selectProviderOrders(db, { provider: 'stripe', live })
    .where(sameEmail('email', email))
    .where('planId', '=', planId)
    .where('subscriptionId', 'is not', null)
    .where('status', 'not in', ORDER_STATUSES.filter(isOver))
    .orderBy('orders.id', 'desc');
}
