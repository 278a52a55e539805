/** What customers have changed of their orders: all queries. */
import type { Generated, Kysely } from 'kysely';
import type { PriceLine } from '../catalogue/pricing.ts';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';

type Db = Kysely<Tables>;
type OrderChange = Row<'orderChanges'>;

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    orderChanges: OrderChangeTable;
  }
}

/** What customers have changed, for the emails about it. */
interface OrderChangeTable {
  id: Generated<number>;
  orderId: number;
  /** A hash of the card entry, so that each has one notification; null for a plan. */
  key: string | null;
  what: 'plan' | 'card';
  /** JSON of a `PlanSide`; of a card, of its words, such as 'Visa ending in 4242'. */
  before: string;
  after: string;
  at: number;
}

/** What can be changed of a plan. */
export interface Seats {
  users: number;
  backup: boolean;
}

/** What a row keeps of one side of a change; `next` is the next bill, as it was shown. */
export interface PlanSide extends Seats {
  next?: { at: number; total: number } | undefined;
}

export function planSide(json: string): PlanSide {
  return JSON.parse(json);
}

export function seatsOf(lines: readonly PriceLine[]): Seats {
  const quantity = (kind: PriceLine['kind']) => lines.find((line) => line.kind === kind)?.quantity;
  return { users: quantity('microsoft365') ?? 0, backup: quantity('backup') !== undefined };
}

export function sameSeats(one: Seats, other: Seats): boolean {
  return one.users === other.users && one.backup === other.backup;
}

/** False when a change with this key is recorded already. */
export async function insertChange(trx: Db, change: NewRow<'orderChanges'>): Promise<boolean> {
  const inserted = await trx
    .insertInto('orderChanges')
    .values(change)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function newestChange(
  db: Db,
  orderId: number,
  what: OrderChange['what'],
): Promise<OrderChange | undefined> {
  return db
    .selectFrom('orderChanges')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('what', '=', what)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
