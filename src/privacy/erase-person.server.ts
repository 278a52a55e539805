/**
 * Erases a person: messages, chats, quotes and requests are deleted with all notifications of them, orders lose their buyer.
 * What would need the address afterwards ends first, or keeps the person from being erased.
 */
import type { Notify } from '../notifications/outbox.server.ts';
import { endOrder } from '../orders/abandon-order.server.ts';
import type { Gateway } from '../orders/gateway.server.ts';
import { awaitsPayment, ERASED_BUYER, orderReference } from '../orders/order.ts';
import type { Order } from '../orders/order-store.server.ts';
import type { Database } from '../platform/database/database.server.ts';
import { chunk, sameAddress, selectForUpdate } from '../platform/database/queries.server.ts';
import { emptyWriteAheadLog } from '../platform/database/sqlite.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { forgetRecipient } from '../platform/message-limits.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { type Erased, type ExternalCopies, NOTHING_STORED } from './person-api.ts';
import {
  eraseRows,
  findRecords,
  forgetNotices,
  referenceOf,
  referencesIn,
} from './person-stores.server.ts';

export interface PersonDeps {
  database: Database;
  gateway: Gateway;
  notify: Notify;
  /** Where staff are notified of what visitors do, and keep copies. */
  channels: Pick<ExternalCopies, 'teams' | 'mail'>;
}

/** The member of staff who asks, and from where. */
export interface By {
  username: string;
  address: string;
}

export async function erasePerson(
  deps: PersonDeps,
  email: string,
  by: By,
): Promise<Erased | Response> {
  const { db } = deps.database;
  const orders = await ordersOf(db, email);
  const refusal =
    refuseOpen(orders.filter((order) => isRunning(deps, order))) ??
    (await endUnpaid(deps, orders, by.username));
  if (refusal) return refusal;
  const erased = await db.transaction().execute(async (trx) => {
    await lockPerson(trx, email);
    const open = (await ordersOf(trx, email)).filter(
      (order) => isRunning(deps, order) || isPayable(deps, order),
    );
    return refuseOpen(open) ?? eraseRecords(trx, email, by);
  });
  // What was deleted would stand in SQLite's write-ahead log until much else is written.
  await emptyWriteAheadLog(deps.database);
  if (erased instanceof Response) return erased;
  return { ...erased, externalCopies: externalCopies(deps, orders) };
}

async function eraseRecords(trx: Db, email: string, by: By) {
  const records = await findRecords(trx, email);
  const { orders } = records;
  const erased: string[] = [];
  for (const name of ['messages', 'chatMessages', 'quotes', 'reports', 'linkRequests'] as const) {
    await eraseRows(trx, name, records[name]);
    erased.push(...records[name].map((id) => referenceOf(name, id)));
  }
  await forgetNotices(trx, 'orders', orders);
  await anonymizeOrders(trx, orders, `Buyer erased by ${by.username}`);
  await forgetRecipient(trx, email);
  if (erased.length + orders.length === 0) return refuse(404, NOTHING_STORED);
  await recordAudit(trx, { ...by, kind: 'person-erased', detail: referencesIn(records) });
  return { erased, kept: orders.map(orderReference) };
}

/** The ids of the person's customers at Stripe are those of their orders. */
export function externalCopies({ channels }: PersonDeps, orders: readonly Order[]): ExternalCopies {
  const customers = orders.flatMap(({ customerId }) => customerId ?? []);
  return { ...channels, stripeCustomers: [...new Set(customers)] };
}

function refuseOpen(open: readonly Order[]): Response | undefined {
  if (open.length === 0) return undefined;
  const numbers = open.map(({ id }) => orderReference(id)).join(', ');
  return refuse(
    409,
    `Nothing was erased. These orders are active or being paid: ${numbers}. Please cancel them first. Their bills and receipts need this email address.`,
  );
}

/** Whether money still comes by it. Under live keys no one is charged for what was bought in a trial run. */
export function isRunning(deps: PersonDeps, order: Order): boolean {
  const charged = ['processing', 'paid', 'past_due'].includes(order.status);
  return charged && (isOurs(deps, order) || order.live !== 0);
}

function isPayable(deps: PersonDeps, order: Order): boolean {
  return awaitsPayment(order.status) && isOurs(deps, order);
}

/** Placed with the provider, and in the mode, that is in force. */
function isOurs({ gateway }: PersonDeps, { provider, live }: Order): boolean {
  return provider === gateway.provider && (live === 1) === gateway.live;
}

/** An unpaid order could still be paid, by a customer who is unknown then. */
async function endUnpaid(
  deps: PersonDeps,
  orders: readonly Order[],
  username: string,
): Promise<Response | undefined> {
  for (const order of orders.filter((each) => isPayable(deps, each))) {
    const outcome = await endOrder({ ...deps, db: deps.database.db }, order, 'now', username);
    if (outcome === 'done') continue;
    const failed = `Nothing was erased because order ${orderReference(order.id)} couldn’t be canceled.`;
    return outcome === 'unavailable'
      ? refuse(503, `${failed} Payments are unavailable right now.`, { retryAfter: 5 })
      : refuse(409, `${failed} ${outcome.refused}`);
  }
  return undefined;
}

export function ordersOf(db: Db, email: string): Promise<Order[]> {
  const own = db.selectFrom('orders').selectAll().where(sameAddress('email', email));
  return own.orderBy('id').execute();
}

/** Locks these rows until the transaction ends. */
async function lockPerson(trx: Db, email: string): Promise<void> {
  for (const table of ['orders', 'quotes', 'contactSubmissions', 'chatMessages'] as const) {
    const own = trx.selectFrom(table).select('id').where(sameAddress('email', email));
    await selectForUpdate(own, trx).execute();
  }
}

/**
 * Leaves of the orders what the books need. The browsers and links that could see them can no longer, and no key or
 * hash is left by which an address could be tried.
 */
async function anonymizeOrders(trx: Db, orders: readonly number[], note: string): Promise<void> {
  const at = Date.now();
  const anonymous = {
    ...ERASED_BUYER,
    postalCode: null,
    billingAddress: null,
    idempotencyKey: null,
    requestHash: '',
  };
  for (const ids of chunk(orders)) {
    await trx.updateTable('orders').set(anonymous).where('id', 'in', ids).execute();
    await trx.deleteFrom('orderAccess').where('orderId', 'in', ids).execute();
    const notes = ids.map((orderId) => ({ orderId, at, status: null, text: note }));
    await trx.insertInto('orderHistory').values(notes).execute();
  }
}
