import type { Kysely } from 'kysely';

/** Subscriptions known to have ended, bills no longer asked for, and until when Stripe's events have been heard. */
export async function endings(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable('orders')
    .addColumn('subscriptionEnded', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('orderInvoices')
    .addColumn('waived', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .createTable('stripeHeard')
    .addColumn('mode', 'text', (c) => c.primaryKey())
    .addColumn('until', 'bigint', (c) => c.notNull())
    .execute();
}
