import type { Kysely } from 'kysely';
import type { Tables } from '../../src/platform/database/tables.server.ts';

/** Rows that no finished transaction can leave behind, whether or not anybody was told of them. */
export async function tornRows(db: Kysely<Tables>): Promise<string[]> {
  const orders = await db.selectFrom('orders').selectAll().execute();
  const history = await db.selectFrom('orderHistory').selectAll().orderBy('id').execute();
  const statuses = history.filter(({ status }) => status !== null);
  const payments = await db.selectFrom('testPayments').selectAll().execute();
  const last = new Map(statuses.map(({ orderId, status }) => [orderId, status]));
  const ids = new Set(orders.map(({ id }) => id));
  const keys = orders.map(({ idempotencyKey }) => idempotencyKey).filter((key) => key !== null);
  return [
    ...orders
      .filter(({ id, status }) => last.get(id) !== status)
      .map(({ id, status }) => `order ${id} is ${status}, its history ends ${last.get(id)}`),
    ...payments
      .filter(({ orderId }) => !ids.has(orderId))
      .map(({ id }) => `payment ${id} has no order`),
    ...payments
      .filter(({ orderId, status }) => (status === 'succeeded') !== (last.get(orderId) === 'paid'))
      .map(({ id, status, orderId }) => `payment ${id} ${status}, order ${last.get(orderId)}`),
    ...(new Set(keys).size === keys.length ? [] : ['one key has two orders']),
  ];
}
