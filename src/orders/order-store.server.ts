/** The table of orders and its queries. */
import type { Generated } from 'kysely';
import { nextNumber, sameEmail, selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db, NewRow, Row } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import type { Gateway, ProviderPayment } from './gateway.server.ts';
import {
  awaitsPayment,
  type Dispute,
  type InvoiceState,
  isOver,
  ORDER_STATUSES,
  type OrderStatus,
} from './order.ts';
import { byCustomer } from './order-event.server.ts';
import { insertEvent } from './order-event-store.server.ts';

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
      /**
       * Incremented on every change, so that nothing is decided on, or overwritten by, an older
       * state.
       */
      version: Generated<number>;
      /** Incremented when staff revoke the order's links. */
      linkVersion: Generated<number>;
      /** Shown on receipts; entered by the customer. */
      billingAddress: string | null;
      /** How many days each invoice may be paid in; null when a card is charged. */
      dueDays: number | null;
      /** The state of the invoice that matters most; null when a card is charged. */
      invoiceState: InvoiceState | null;
      /** The customer's purchase order number, which stands on invoices and receipts. */
      poNumber: string | null;
      /** Who accepted the price and the terms, as typed; the title only where it was asked for. */
      acceptedName: string | null;
      acceptedTitle: string | null;
      /** The price breakdown that was accepted: JSON of `PriceLine[]`. */
      acceptedLines: string | null;
      /** The day and the hash of the terms that were accepted: see accepted-terms.server.ts. */
      termsDate: string | null;
      termsHash: string | null;
      createdAt: number;
    };
  }
}

export type Order = Row<'orders'>;

const selectOrders = (db: Db) => db.selectFrom('orders').selectAll('orders');

export async function findOrder(db: Db, id: number): Promise<Order | undefined> {
  return selectOrders(db).where('id', '=', id).executeTakeFirst();
}

/**
 * Reads an order that is known to exist: only those that were given up long ago are ever deleted.
 */
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
 * Orders placed after `since` and by `time` that are neither paid nor over, oldest first. Includes
 * failed ones: the customer may try another card.
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
      const placed = { kind: 'status', to: 'pending', passing: false } as const;
      await insertEvent(trx, id, placed, byCustomer('placed'));
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

/**
 * Saves the provider's ids of the payment, unless the order has some. Returns the order as stored.
 */
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

/**
 * Two orders that match in both may be one purchase made twice: docs/decisions/004 says who is
 * warned.
 */
export type BuyerAndPlan = Pick<Order, 'email' | 'planId'>;

/**
 * Orders of the same plan for the same address that the provider has and that are not over, newest
 * first.
 */
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
