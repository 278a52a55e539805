import type { Kysely } from 'kysely';

/** What an order's first payment asked for, kept when its plan is changed: the payment is told by it. */
export async function firstDue(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('orders').addColumn('firstDueCents', 'integer').execute();
}
