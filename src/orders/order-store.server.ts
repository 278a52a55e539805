/** The tables of orders and their queries. Invoices and charges are written in follow-payment.server.ts. */
import type { Generated } from 'kysely';
import { nextNumber, sameEmail, selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db, NewRow, Row } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import { isoTime } from '../platform/time.ts';
import type { Gateway, ProviderPayment } from './gateway.server.ts';
import { awaitsPayment, type Dispute, isOver, ORDER_STATUSES, type OrderStatus } from './order.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    orders: {
      id: Generated<number>;
      name: string;
      email: string;
      phone: string | null;
      company: string | null;
      /** The quote that the order pays. */
      quoteId: number | null;
      planId: number;
      /** The plan's name at the time of purchase: a plan may be renamed or removed later. */
      planName: string;
      paymentMethod: string;
      ms365Option: string;
      ms365Users: number;
      includeCloudBackup: Flag;
      status: OrderStatus;
      amountCents: Cents;
      /** The price breakdown as the buyer saw it: JSON of `PriceLine[]`. */
      priceLines: Generated<string>;
      /** The provider's name in the code, such as 'test'. */
      provider: string;
      /** 1: placed while real cards were charged. */
      live: Flag;
      paymentId: string | null;
      clientSecret: string | null;
      customerId: string | null;
      subscriptionId: string | null;
      refundedCents: Cents;
      dispute: Dispute | null;
      idempotencyKey: string | null;
      requestHash: string;
      /** Set only where sales tax is charged. */
      postalCode: string | null;
      /** A monthly invoice's total: the amount plus any sales tax. */
      dueCents: Cents | null;
      /** When the subscription is scheduled to end. */
      endsAt: number | null;
      /** 1 while the provider charges nothing although the subscription goes on. */
      paused: Generated<Flag>;
      /** 1 once the provider has confirmed that it no longer charges the order. */
      subscriptionEnded: Generated<Flag>;
      /** Incremented on every change, so that nothing is decided on, or overwritten by, an older state. */
      version: Generated<number>;
      /** Incremented when staff revoke the order's links. */
      linkVersion: Generated<number>;
      /** Shown on receipts; entered by the customer. */
      billingAddress: string | null;
      /** The users and backup before the last change, in words for the email about it. */
      previousPlan: string | null;
      /** The customer's latest replacement card, such as 'Visa ending in 4242', for the email about it. */
      newCard: string | null;
      createdAt: number;
    };
    /** The browsers that may see and change an order. Each holds a key in a cookie; only its hash is stored. */
    orderAccess: {
      orderId: number;
      keyHash: string;
      /** 1: the browser that placed the order. */
      placed: Flag;
      /** When it got access. */
      at: number;
    };
    /** One-time links that give a browser access, stored as hashes until they are used or expire. */
    orderAccessLinks: {
      keyHash: string;
      orderId: number;
      at: number;
    };
    /** Requests for the links of an email address. */
    orderLinkRequests: {
      id: Generated<number>;
      email: string;
      createdAt: number;
      /** Until then no new links are emailed to this very address; null if the request found nothing to send. */
      holdUntil: number | null;
    };
    /** A status change with its cause or, without a status, a note for staff. */
    orderHistory: {
      id: Generated<number>;
      orderId: number;
      at: number;
      status: OrderStatus | null;
      text: string;
      /** Unique per order, so that a repeated event is noted only once. */
      onceKey: Generated<string | null>;
    };
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
      cardBrand: string | null;
      cardLast4: string | null;
      /** The plan's monthly lines when the invoice was created: JSON of `PriceLine[]`. */
      lines: Generated<string>;
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

export type Order = Row<'orders'>;

const selectOrders = (db: Db) => db.selectFrom('orders').selectAll('orders');

export async function findOrder(db: Db, id: number): Promise<Order | undefined> {
  return selectOrders(db).where('id', '=', id).executeTakeFirst();
}

/** Reads an order that is known to exist: only those that were given up long ago are ever deleted. */
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

/** A null key finds nothing. */
export async function findOrderByKey(db: Db, key: string | null): Promise<Order | undefined> {
  return selectOrders(db).where('idempotencyKey', '=', key).executeTakeFirst();
}

/** The provider and mode (test or live keys) that orders belong to. */
export type ProviderMode = Pick<Gateway, 'provider' | 'chargesRealMoney'>;

const selectProviderOrders = (db: Db, { provider, chargesRealMoney }: ProviderMode) =>
  selectOrders(db)
    .where('provider', '=', provider)
    .where('live', '=', chargesRealMoney ? 1 : 0);

/**
 * Orders placed after `since` and by `time` that are neither paid nor over, oldest first. Includes failed ones: the customer
 * may try another card.
 */
export async function findUnpaidOrders(
  db: Db,
  mode: ProviderMode,
  time: number,
  since = 0,
): Promise<Order[]> {
  return selectProviderOrders(db, mode)
    .where('status', 'in', ORDER_STATUSES.filter(awaitsPayment))
    .where('createdAt', '>', since)
    .where('createdAt', '<=', time)
    .orderBy('id')
    .execute();
}

/** Orders that are over but that the provider may still be charging. */
export async function findOrdersToEnd(db: Db, mode: ProviderMode): Promise<Order[]> {
  return selectProviderOrders(db, mode)
    .where('status', 'in', ORDER_STATUSES.filter(isOver))
    .where('subscriptionId', 'is not', null)
    .where('subscriptionEnded', '=', 0)
    .orderBy('id')
    .execute();
}

/** Saves a new order as pending. Returns undefined when its idempotency key is already used. */
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
    // Another instance took the number.
  }
}

/** The newest order that pays, or has paid, the quote and is not over. */
export async function findOrderForQuote(db: Db, quoteId: number): Promise<Order | undefined> {
  return selectOrders(db)
    .where('quoteId', '=', quoteId)
    .where('status', 'not in', ORDER_STATUSES.filter(isOver))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Saves the provider's ids of the payment, unless the order has some. Returns the order as stored. */
export async function savePayment(
  db: Db,
  orderId: number,
  { due, ...payment }: ProviderPayment,
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

/** Saves the provider's customer id, unless a subscription has already fixed it. */
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

/** Undefined columns keep their values. Returns the updated order. */
export async function updateOrder(
  trx: Db,
  orderId: number,
  change: Partial<Order>,
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

/** Adds a note unless the order has one with the same key; false when it has. */
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

/** Marks the notes that staff are notified of. */
const ALERT = 'alert ';

/** Adds notes that staff are notified of, each once; false when all were there already. */
export async function addAlerts(
  trx: Db,
  orderId: number,
  alerts: readonly string[],
): Promise<boolean> {
  let isNew = false;
  for (const text of alerts) isNew = (await noteOnce(trx, orderId, text, ALERT + text)) || isNew;
  return isNew;
}

/** The newest note that staff are notified of. */
export async function findAlert(db: Db, orderId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('orderHistory')
    .select('text')
    .where('orderId', '=', orderId)
    .where('onceKey', 'like', `${ALERT}%`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.text;
}

export async function readHistory(db: Db, orderId: number) {
  const stored = await db
    .selectFrom('orderHistory')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('id')
    .execute();
  const rows = stored.map(({ at, ...row }) => ({ ...row, at: isoTime(at) }));
  return {
    history: rows.flatMap(({ status, at, text }) => (status ? [{ status, at, cause: text }] : [])),
    notes: rows.flatMap(({ status, at, text }) => (status ? [] : [{ at, note: text }])),
  };
}

/** When the order got its current status. */
export async function statusSince(db: Db, orderId: number): Promise<number> {
  const { at } = await db
    .selectFrom('orderHistory')
    .select(({ fn }) => fn.max<number>('at').as('at'))
    .where('orderId', '=', orderId)
    .where('status', 'is not', null)
    .executeTakeFirstOrThrow();
  return at;
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

/** Two orders that match in both may be one purchase made twice: docs/decisions/004 says who is warned. */
export type BuyerAndPlan = Pick<Order, 'email' | 'planId'>;

/** Orders of the same plan for the same address that the provider has and that are not over, newest first. */
export function selectSimilarOrders(db: Db, mode: ProviderMode, { email, planId }: BuyerAndPlan) {
  return selectProviderOrders(db, mode)
    .where(sameEmail('email', email))
    .where('planId', '=', planId)
    .where(({ or, eb }) =>
      or([eb('subscriptionId', 'is not', null), eb('paymentId', 'is not', null)]),
    )
    .where('status', 'not in', ORDER_STATUSES.filter(isOver))
    .orderBy('orders.id', 'desc');
}
