import type { Kysely } from 'kysely';

/** Whether an order was placed with live keys; null for those placed before this was kept. */
export async function stripeMode(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('orders').addColumn('live', 'integer').execute();
}
