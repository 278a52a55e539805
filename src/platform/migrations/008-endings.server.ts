import type { Kysely } from 'kysely';

/** Whether an order's subscription is known to have ended. */
export async function endings(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable('orders')
    .addColumn('subscriptionEnded', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
