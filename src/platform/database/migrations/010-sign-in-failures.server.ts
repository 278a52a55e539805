import type { Kysely } from 'kysely';

/** Failed sign-ins, so that all instances count them together. */
export async function signInFailures(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('signInFailures')
    .addColumn('bucket', 'integer', (c) => c.primaryKey())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .execute();
}
