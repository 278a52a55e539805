import type { Kysely } from 'kysely';

/** What /readyz writes to see that it can, and up to when the access log's details are incomplete. */
export async function storage(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('writeTrials')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('ballast', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('accessDropped')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('until', 'bigint', (c) => c.notNull())
    .execute();
  // With the sizes in it, so that adding them up reads no lines.
  await schema.dropIndex('accessLogByTime').execute();
  await schema
    .createIndex('accessLogByTime')
    .on('accessLog')
    .columns(['lastAt', 'id', 'size'])
    .execute();
}
