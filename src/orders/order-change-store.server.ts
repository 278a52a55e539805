/** All queries of the changes that customers ask for. */
import type { Kysely } from 'kysely';
import type { PriceLine } from '../catalogue/pricing.ts';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import type { Seats } from './account-shapes.ts';

type Db = Kysely<Tables>;
export type OrderChange = Row<'orderChanges'>;

/** What a row keeps of one side of a change; the bill is the next one, as it was shown. */
export interface PlanSide extends Seats {
  lines: PriceLine[];
  next?: { at: number; total: number };
}

export function planSide(json: string): PlanSide {
  return JSON.parse(json);
}

function changesOf(db: Db, orderId: number) {
  return db.selectFrom('orderChanges').selectAll().where('orderId', '=', orderId);
}

export async function findChangeByKey(
  db: Db,
  orderId: number,
  key: string,
): Promise<OrderChange | undefined> {
  return changesOf(db, orderId).where('key', '=', key).executeTakeFirst();
}

/** The one of this order that is not made yet. */
export async function changeUnderWay(db: Db, orderId: number): Promise<OrderChange | undefined> {
  return changesOf(db, orderId).where('state', '=', 'asked').executeTakeFirst();
}

/** Of all orders, the oldest first. */
export async function changesUnderWay(db: Db): Promise<OrderChange[]> {
  return db
    .selectFrom('orderChanges')
    .selectAll()
    .where('state', '=', 'asked')
    .orderBy('id')
    .execute();
}

/** Undefined when it has been asked for already. */
export async function insertChange(
  trx: Db,
  change: NewRow<'orderChanges'>,
): Promise<OrderChange | undefined> {
  return trx
    .insertInto('orderChanges')
    .values(change)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** False when somebody was faster. */
export async function settleChange(
  trx: Db,
  id: number,
  state: 'done' | 'refused',
  madeAt: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('orderChanges')
    .set({ state, madeAt })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The newest that was made. */
export async function newestChange(
  db: Db,
  orderId: number,
  what: OrderChange['what'],
): Promise<OrderChange | undefined> {
  return changesOf(db, orderId)
    .where('what', '=', what)
    .where('state', '=', 'done')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
