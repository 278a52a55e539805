/** The order itself, who may see it, and the history of its statuses; its bills are in order-billing-store. */
import type { ExpressionBuilder, Kysely } from 'kysely';
import { nextNumber, sameAddress } from '../platform/database/queries.server.ts';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import type { StartedAtProvider } from './gateway.server.ts';
import { awaitsPayment, isOver, isRunning, ORDER_STATUSES, type OrderStatus } from './order.ts';
import type { Provider } from './payment.ts';

type Db = Kysely<Tables>;
export type Order = Row<'orders'>;

export async function findOrder(db: Db, id: number): Promise<Order | undefined> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
}

/** An order that is known, as it stands now: orders are never deleted. */
export async function orderNow(db: Db, { id }: { id: number }): Promise<Order> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Without a key none is found. */
export async function findOrderByKey(
  db: Db,
  idempotencyKey: string | null,
): Promise<Order | undefined> {
  if (idempotencyKey === null) return undefined;
  return db
    .selectFrom('orders')
    .selectAll()
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst();
}

/** Placed before `time` and neither paid nor over, oldest first. A refused card may be followed by another. */
export async function undecidedOrders(
  db: Db,
  provider: Provider,
  live: boolean,
  time: number,
): Promise<Order[]> {
  return (
    db
      .selectFrom('orders')
      .selectAll()
      .where('provider', '=', provider)
      .where(ofMode(live))
      .where('status', 'in', ORDER_STATUSES.filter(awaitsPayment))
      // Or from a time that has not come yet: the clock was ahead.
      .where((where) =>
        where.or([where('createdAt', '<=', time), where('createdAt', '>', Date.now())]),
      )
      .orderBy('id')
      .execute()
  );
}

/** Over here, and perhaps still charged by the provider: all such orders, or one if it is such. */
export async function chargedOrders(
  db: Db,
  provider: Provider,
  live: boolean,
  orderId?: number,
): Promise<Order[]> {
  let found = db
    .selectFrom('orders')
    .selectAll()
    .where('provider', '=', provider)
    .where(ofMode(live))
    .where('status', 'in', ORDER_STATUSES.filter(isOver))
    .where('subscriptionId', 'is not', null)
    .where('subscriptionEnded', '=', 0);
  if (orderId !== undefined) found = found.where('id', '=', orderId);
  return found.orderBy('id').execute();
}

/** The other mode's orders are unknown to the keys in force; those of an unknown mode count with both. */
export function ofMode(live: boolean) {
  return (eb: ExpressionBuilder<Tables, 'orders'>) =>
    eb.or([eb('live', 'is', null), eb('live', '=', live ? 1 : 0)]);
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
export async function orderOfQuote(db: Db, quoteId: number): Promise<Order | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('quoteId', '=', quoteId)
    .where('status', 'not in', ORDER_STATUSES.filter(isOver))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Browsers that may see an order; more than one where a buyer goes on in another. */
const MOST_BROWSERS = 4;

/** Lets the browser that holds the capability with this hash see the order, unless too many do. The order must be locked. */
export async function allowAccess(trx: Db, orderId: number, keyHash: string): Promise<void> {
  const holders = await trx
    .selectFrom('orderAccess')
    .select('keyHash')
    .where('orderId', '=', orderId)
    .execute();
  if (holders.length >= MOST_BROWSERS) return;
  await trx
    .insertInto('orderAccess')
    .values({ orderId, keyHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Lets a browser see the order that has proved whose it is; where there are too many already, they make room. */
export async function admitBrowser(trx: Db, orderId: number, keyHash: string): Promise<void> {
  const { holders } = await trx
    .selectFrom('orderAccess')
    .select(({ fn }) => fn.countAll<number>().as('holders'))
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow();
  if (Number(holders) >= MOST_BROWSERS)
    await trx.deleteFrom('orderAccess').where('orderId', '=', orderId).execute();
  await allowAccess(trx, orderId, keyHash);
}

export async function hasAccess(
  db: Db,
  orderId: number,
  keyHash: string | undefined,
): Promise<boolean> {
  if (!keyHash) return false;
  const row = await db
    .selectFrom('orderAccess')
    .select('orderId')
    .where('orderId', '=', orderId)
    .where('keyHash', '=', keyHash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps what the provider calls the payment; a second call changes nothing. Gives the order as it stands then. */
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
  return saved ?? orderNow(db, { id: orderId });
}

/** Whose the order is at the provider; once its subscription is made, that decides. */
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

type BillingFact = 'refundedCents' | 'dispute' | 'endsAt' | 'subscriptionEnded';

/**
 * Keeps what stands beside the status: the refunded amount, a dispute, and when the subscription ends. What is
 * undefined stays as it is. The order has a new version then.
 */
export async function setBilling(
  trx: Db,
  orderId: number,
  billing: { [Fact in BillingFact]?: Order[Fact] | undefined },
): Promise<void> {
  await trx
    .updateTable('orders')
    .set(({ eb }) => ({ ...billing, version: eb('version', '+', 1) }))
    .where('id', '=', orderId)
    .execute();
}

/** Changes the status if it still is `from`, and keeps when and why; false when another change was faster. */
export async function changeStatus(
  trx: Db,
  orderId: number,
  from: OrderStatus,
  to: OrderStatus,
  cause: string,
): Promise<boolean> {
  const result = await trx
    .updateTable('orders')
    .set({ status: to })
    .where('id', '=', orderId)
    .where('status', '=', from)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await addStatus(trx, orderId, to, cause);
  return true;
}

async function addStatus(
  trx: Db,
  orderId: number,
  status: OrderStatus,
  cause: string,
): Promise<void> {
  await trx
    .insertInto('orderStatuses')
    .values({ orderId, status, at: Date.now(), cause })
    .execute();
}

/** When the order got the status that it has. */
export async function statusSince(db: Db, orderId: number): Promise<number> {
  const { at } = await db
    .selectFrom('orderStatuses')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow();
  return Number(at);
}

/** What all these orders have been through, each in its order. */
export async function readHistory(db: Db, orderIds: readonly number[]) {
  const rows = await db
    .selectFrom('orderStatuses')
    .select(['orderId', 'status', 'at', 'cause'])
    .where('orderId', 'in', orderIds)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
}

/** Orders by which the same plan runs for the same address: who is notified is decided in docs/decisions/004. */
export type Purchase = Pick<Order, 'email' | 'planId'>;

/** The numbers of the other orders by which the buyer pays for the same plan. */
export async function runningBeside(db: Kysely<Tables>, order: Order): Promise<number[]> {
  const orders = await ordersLike(db, order)
    .where(ofMode(order.live === 1))
    .where('orders.id', '!=', order.id)
    .execute();
  return orders.filter(({ status }) => isRunning(status)).map(({ id }) => id);
}

/** Neither over nor, when they are still to be paid, unknown to the provider; newest first. */
export function ordersLike(db: Kysely<Tables>, { email, planId }: Purchase) {
  return db
    .selectFrom('orders')
    .selectAll('orders')
    .where(sameAddress('email', email))
    .where('planId', '=', planId)
    .where('provider', '=', 'stripe')
    .where('subscriptionId', 'is not', null)
    .where(
      'status',
      'in',
      ORDER_STATUSES.filter((status) => isRunning(status) || awaitsPayment(status)),
    )
    .orderBy('orders.id', 'desc');
}
