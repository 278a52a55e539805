/** Erases messages and quotes when they are due, and orders that were never paid after 30 days. */

import { setImmediate } from 'node:timers/promises';
import { awaitsPayment, ORDER_STATUSES } from '../billing/order-status.ts';
import { selectUnlocked } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { entriesOf, eraseRows, idsIn } from './person-stores.server.ts';

const BATCH_SIZE = 200;

export function keepMessages({ env: { keepMessagesDays: days }, db }: Site): Interval {
  return new Interval('message-expiry-failed', HOUR_MS, async (isStopped) => {
    await expireMessages(days, db, isStopped);
    await deleteUnpaidOrders(db, isStopped);
  });
}

/** With 0 days, all messages are kept. */
export async function expireMessages(
  days: number,
  db: Db,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const before = Date.now() - days * DAY_MS;
  if (days > 0) await untilNone(db, isStopped, (trx) => eraseBatch(trx, before));
}

/** Deletes orders that were never paid, so that strangers cannot make the table grow. */
export async function deleteUnpaidOrders(
  db: Db,
  isStopped: () => boolean = () => false,
): Promise<void> {
  // From the last change: a payment may be tried again, and staff may look into it.
  const before = Date.now() - 30 * DAY_MS;
  await untilNone(db, isStopped, async (trx) => {
    const orders = await findNeverPaid(trx, before).limit(BATCH_SIZE).execute();
    await eraseRows(trx, 'orders', idsIn(orders));
    return orders.length;
  });
}

/** `erase` returns how many rows it has erased. Requests run in between. */
async function untilNone(
  db: Db,
  isStopped: () => boolean,
  erase: (trx: Db) => Promise<number>,
): Promise<void> {
  while (!isStopped() && (await db.transaction().execute(erase)) > 0) await setImmediate();
}

/** Keeps every order with a payment, and any that could still be paid with real money. */
function findNeverPaid(trx: Db, before: number) {
  const orders = trx
    .selectFrom('orders')
    .innerJoin('subscriptions', 'subscriptions.orderId', 'orders.id')
    .select('id')
    .where('orders.status', 'in', ['canceled', ...ORDER_STATUSES.filter(awaitsPayment)])
    .where('createdAt', '<', before)
    // An invoice may be due in two months.
    .where(({ or, eb }) =>
      or([eb('collection', '=', 'card'), eb('orders.status', '=', 'canceled')]),
    )
    // Accepted, and waiting for its start day, which may be months ahead.
    .where('subscriptions.status', '!=', 'trialing')
    // Real money: its payment was canceled. Others may be of a provider that has gone.
    .where(({ or, eb }) =>
      or([
        eb('live', '=', 0),
        eb('orders.status', '=', 'canceled').and(
          or([eb('subscriptionId', 'is', null), eb('subscriptions.status', '=', 'canceled')]),
        ),
      ]),
    )
    .where(({ and, not, exists, selectFrom }) => {
      const events = selectFrom('orderEvents').select('id').whereRef('orderId', '=', 'orders.id');
      const invoices = selectFrom('invoices').select('id');
      const charges = selectFrom('charges').select('id');
      const keptRows = [
        events.where(({ or, eb }) => or([eb('kind', '=', 'paid'), eb('at', '>=', before)])),
        invoices.whereRef('orderId', '=', 'orders.id').where('invoices.status', '=', 'paid'),
        charges.whereRef('orderId', '=', 'orders.id'),
      ];
      return and(keptRows.map((rows) => not(exists(rows))));
    });
  return selectUnlocked(orders, trx);
}

/** A thread may have many entries. */
const THREADS_BATCH = 50;

/** A paid quote goes too: its order has everything. */
async function eraseBatch(trx: Db, before: number): Promise<number> {
  const resting = trx
    .selectFrom('threads')
    .select('id')
    .where('lastAt', '<', before)
    .orderBy('lastAt')
    .limit(THREADS_BATCH);
  const threads = await selectUnlocked(resting, trx).execute();
  const expired = trx
    .selectFrom('quotes')
    .select('id')
    .where('expiresAt', '<', before)
    .orderBy('expiresAt')
    .limit(BATCH_SIZE);
  const quotes = await selectUnlocked(expired, trx).execute();
  for await (const entries of entriesOf(trx, idsIn(threads)))
    await eraseRows(trx, 'entries', idsIn(entries));
  await eraseRows(trx, 'threads', idsIn(threads));
  await eraseRows(trx, 'quotes', idsIn(quotes));
  return threads.length + quotes.length;
}
