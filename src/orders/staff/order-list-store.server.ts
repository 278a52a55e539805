/** Orders searched, counted and read in pieces, for staff. */
import { type Kysely, sql } from 'kysely';
import { contains } from '../../platform/database/contains.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { ORDER_STATUSES, type OrderStatus } from '../order.ts';
import { ORDERS_PAGE, type OrderFilter } from '../order-contracts.ts';
import type { Order } from '../order-store.server.ts';

type Db = Kysely<Tables>;
export type Asked = Pick<OrderFilter, 'words' | 'status'>;

export async function listOrders(db: Db, filter: OrderFilter): Promise<Order[]> {
  return searched(db, filter)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(ORDERS_PAGE)
    .offset((filter.page - 1) * ORDERS_PAGE)
    .execute();
}

export async function countOrders(
  db: Db,
  words: string,
): Promise<Partial<Record<OrderStatus, number>>> {
  const rows = await searched(db, { words, status: '' })
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  return Object.fromEntries(
    ORDER_STATUSES.flatMap((status) =>
      rows.filter((row) => row.status === status).map(({ count }) => [status, Number(count)]),
    ),
  );
}

/** All that fit, newest first, in pieces. */
export async function* eachOrder(db: Db, filter: Asked): AsyncGenerator<Order[]> {
  const all = searched(db, filter)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(500);
  let piece = await all.execute();
  for (let last = piece.at(-1); last; last = piece.at(-1)) {
    yield piece;
    const before = sql<boolean>`("createdAt", id) < (${last.createdAt}, ${last.id})`;
    piece = await all.where(before).execute();
  }
}

/** Every word must stand in the name, the company, the address, the plan or the number. */
function searched(db: Db, { words, status }: Asked) {
  let query = db.selectFrom('orders');
  if (status) query = query.where('status', '=', status);
  for (const word of words.toLowerCase().match(/\S+/g) ?? []) {
    const numbers = [...word.matchAll(/^(?:o-)?(\d{1,9})$/g)];
    query = query.where((where) =>
      where.or([
        ...['name', 'company', 'email', 'planName'].map((column) => contains(column, word)),
        ...numbers.map(([, number]) => where('id', '=', Number(number))),
      ]),
    );
  }
  return query;
}
