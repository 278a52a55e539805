/** The table of orders, each what was bought, once. What runs is a subscription. */
import { type Generated, sql } from 'kysely';
import { nextNumber, sameEmail, selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db, NewRow, Row, Trx } from '../platform/database/tables.server.ts';
import { type Cents, cents } from '../platform/money.ts';
import type { Site } from '../site.server.ts';
import { type Order, withBilling } from './billed-order.server.ts';
import { byCustomer, bySite } from './cause.server.ts';
import type { Alert } from './event-kinds.server.ts';
import type { ProviderPayment } from './gateway.server.ts';
import { insertEvent, recordEvent } from './order-event-store.server.ts';
import { awaitsPayment, isOver, ORDER_STATUSES, type OrderStatus } from './order-status.ts';
import { isAt, type ProviderMode } from './provider-mode.server.ts';
import type { Collection } from './subscription.ts';
import {
  type NewSubscription,
  type Subscription,
  wasStarted,
} from './subscription-store.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    orders: {
      id: Generated<number>;
      name: string;
      email: string;
      phone: string | null;
      company: string | null;
      quoteId: number | null;
      planId: number;
      /** The plan's name at the time of purchase: a plan may be renamed or removed later. */
      planName: string;
      ms365Option: string;
      status: OrderStatus;
      /** The monthly price breakdown that was accepted: JSON of `PriceLine[]`. */
      boughtLines: Generated<string>;
      boughtOnce: Generated<string>;
      /** The company's day from which the month is charged; null from its acceptance on. */
      startsOn: string | null;
      /** The quote's discount on the plan. Percent: null without one, or if it was in dollars. */
      discountPercent: number | null;
      discountCents: Generated<Cents>;
      idempotencyKey: string | null;
      requestHash: string;
      /** Set only where sales tax is charged. */
      postalCode: string | null;
      /** Counts changes, so that nothing is decided on, or overwritten by, an older state. */
      version: Generated<number>;
      linkVersion: Generated<number>;
      /** Shown on receipts; entered by the customer. */
      billingAddress: string | null;
      billsTo: string | null;
      /** Why the customer ends the plan: an `EndReason`, and words. */
      endReason: string | null;
      endWords: string | null;
      /** The customer's purchase order number, which stands on invoices and receipts. */
      poNumber: string | null;
      /** Who accepted the price and the terms, as typed; the title only where it was asked for. */
      acceptedName: string | null;
      acceptedTitle: string | null;
      /** The day and the hash of the terms that were accepted: see accepted-terms.server.ts. */
      termsDate: string | null;
      termsHash: string | null;
      addendumName: string | null;
      addendumTitle: string | null;
      addendumDate: string | null;
      addendumHash: string | null;
      addendumAt: number | null;
      createdAt: number;
    };
  }
}

const withId = (db: Db, id: number) => db.selectFrom('orders').selectAll().where('id', '=', id);

export async function findOrder(db: Db, id: number): Promise<Order | undefined> {
  return (await withBilling(db, await withId(db, id).execute()))[0];
}

/** Reads an order that is known to exist: only long abandoned ones are deleted. */
export async function getOrder(db: Db, { id }: { id: number }): Promise<Order> {
  const order = await findOrder(db, id);
  if (!order) throw new Error(`order ${id} is gone`);
  return order;
}

export async function lockOrder(trx: Trx, orderId: number): Promise<Order> {
  await selectForUpdate(withId(trx, orderId), trx).execute();
  return getOrder(trx, { id: orderId });
}

/** A null key finds nothing. */
export async function findOrderByKey(db: Db, key: string | null): Promise<Order | undefined> {
  const found = db.selectFrom('orders').selectAll().where('idempotencyKey', '=', key);
  return (await withBilling(db, await found.execute()))[0];
}

export const selectProviderOrders = (db: Db, mode: ProviderMode) =>
  db
    .selectFrom('orders')
    .innerJoin('subscriptions', 'subscriptions.orderId', 'orders.id')
    .selectAll('orders')
    .where(isAt(mode));

/** Orders that are neither paid nor over. A failed one may get another card. */
export async function findUnpaidOrders(
  db: Db,
  mode: ProviderMode,
  by: Collection,
  time = Date.now(),
): Promise<Order[]> {
  const orders = selectProviderOrders(db, mode)
    .where('collection', '=', by)
    .where('orders.status', 'in', ORDER_STATUSES.filter(awaitsPayment))
    .where('createdAt', '<=', time)
    .orderBy('id');
  return withBilling(db, await orders.execute());
}

/** Orders that are over but that the provider may still be charging. */
export async function findOrdersToEnd(db: Db, mode: ProviderMode): Promise<Order[]> {
  const orders = selectProviderOrders(db, mode)
    .where('orders.status', 'in', ORDER_STATUSES.filter(isOver))
    .where('subscriptionId', 'is not', null)
    .where('subscriptions.status', '!=', 'canceled')
    .orderBy('id');
  return withBilling(db, await orders.execute());
}

export type NewOrder = NewRow<'orders'> & { subscription: NewSubscription };

/** Saves a new order as pending. Returns undefined when its idempotency key is already used. */
export async function insertOrder(
  trx: Db,
  { subscription, ...order }: NewOrder,
): Promise<Order | undefined> {
  for (;;) {
    const id = await nextNumber(trx, 'orders');
    const { numInsertedOrUpdatedRows: saved } = await trx
      .insertInto('orders')
      .values({ ...order, id })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (saved) {
      await trx
        .insertInto('subscriptions')
        .values({ ...subscription, orderId: id })
        .execute();
      const placed = { kind: 'status', to: 'pending', passing: false } as const;
      await insertEvent(trx, id, placed, byCustomer('placed'));
      return getOrder(trx, { id });
    }
    if (await findOrderByKey(trx, order.idempotencyKey ?? null)) return undefined;
    // Another instance took the number.
  }
}

/** Writes an order and takes it away, unseen by any other transaction, for /readyz. */
export async function tryOrder(trx: Db): Promise<void> {
  const id = 0;
  const texts = { name: '', email: '', planName: '', ms365Option: 'none', requestHash: '' };
  const order = { ...texts, id, planId: 0, createdAt: 0, status: 'pending' } as const;
  await trx.insertInto('orders').values(order).execute();
  await trx.deleteFrom('orders').where('id', '=', id).execute();
}

/** The newest order that pays, or has paid, the quote and is not over. */
export async function findOrderForQuote(db: Db, quoteId: number): Promise<Order | undefined> {
  const newest = db
    .selectFrom('orders')
    .selectAll()
    .where('quoteId', '=', quoteId)
    .where('status', 'not in', ORDER_STATUSES.filter(isOver))
    .orderBy('id', 'desc')
    .limit(1);
  return (await withBilling(db, await newest.execute()))[0];
}

/** Saves the provider's ids of the payment, unless there are some. Returns the order. */
export function savePayment(
  db: Db,
  orderId: number,
  { due: { month: totalCents, once }, ...payment }: ProviderPayment,
): Promise<Order> {
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (wasStarted(order.subscription)) return order;
    const dueCents = cents(once + (order.startsOn === null ? totalCents : 0));
    return updateOrder(trx, orderId, {}, { ...payment, totalCents, dueCents });
  });
}

/** Saves the provider's customer id, unless a subscription has already fixed it. */
export async function saveCustomer(
  db: Db,
  orderId: number,
  customerId: string | null,
): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ customerId })
    .where('orderId', '=', orderId)
    .where('subscriptionId', 'is', null)
    .execute();
}

/** What somebody has open of an order is outdated then: their late save is refused. */
export const NEXT_VERSION = { version: sql<number>`"version" + 1` };

/** Changes an order, and what runs for it. Undefined columns keep their values. Returns both. */
export async function updateOrder(
  trx: Db,
  orderId: number,
  change: Partial<Row<'orders'>>,
  subscription: Partial<Subscription> = {},
): Promise<Order> {
  await trx
    .updateTable('orders')
    .set({ ...change, ...NEXT_VERSION })
    .where('id', '=', orderId)
    .execute();
  if (Object.values(subscription).some((value) => value !== undefined))
    await trx
      .updateTable('subscriptions')
      .set(subscription)
      .where('orderId', '=', orderId)
      .execute();
  return getOrder(trx, { id: orderId });
}

/** Two orders that match in both may be one purchase: docs/decisions/004. */
export type BuyerAndPlan = Pick<Order, 'email' | 'planId'>;

/** Orders of this plan for this address that the provider has and that are not over. */
export function selectSimilarOrders(db: Db, mode: ProviderMode, { email, planId }: BuyerAndPlan) {
  return selectProviderOrders(db, mode)
    .where(sameEmail('email', email))
    .where('planId', '=', planId)
    .where(({ or, eb }) =>
      or([eb('subscriptionId', 'is not', null), eb('paymentId', 'is not', null)]),
    )
    .where('orders.status', 'not in', ORDER_STATUSES.filter(isOver))
    .orderBy('orders.id', 'desc');
}

/** Notifies staff, once, of what they must look into. */
export async function alertStaff(
  { db, notify }: Pick<Site, 'db' | 'notify'>,
  orderId: number,
  event: Alert,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    await recordEvent({ db: trx, notify }, order, { event }, bySite());
  });
}
