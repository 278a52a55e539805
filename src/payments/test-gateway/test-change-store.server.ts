/** All queries of the changes of test subscriptions, and of what they come to. */
import type { Kysely } from 'kysely';
import type { NewRow, Tables } from '../../platform/database/tables.server.ts';

type Db = Kysely<Tables>;

/** What changes of a subscription come to that no bill has taken in yet. */
export async function unbilled(db: Db, orderId: number): Promise<number> {
  const rows = await db
    .selectFrom('testChanges')
    .select('cents')
    .where('orderId', '=', orderId)
    .where('billed', '=', 0)
    .execute();
  return rows.reduce((sum, { cents }) => sum + cents, 0);
}

export async function markBilled(trx: Db, orderId: number): Promise<void> {
  await trx
    .updateTable('testChanges')
    .set({ billed: 1 })
    .where('orderId', '=', orderId)
    .where('billed', '=', 0)
    .execute();
}

/** False when the change is known already. */
export async function insertChange(trx: Db, change: NewRow<'testChanges'>): Promise<boolean> {
  const inserted = await trx
    .insertInto('testChanges')
    .values(change)
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}
