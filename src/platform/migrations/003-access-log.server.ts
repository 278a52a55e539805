import { type Kysely, sql } from 'kysely';
import type { Engine } from './engine.server.ts';

/** One row per request, counts kept beside them by minute and by hour, and who is who for a day at most. */
export async function accessLog(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = db;
  await schema.dropTable('accessLog').execute();
  const table = schema.createTable('accessLog');
  const withId =
    engine === 'sqlite'
      ? table.addColumn('id', 'integer', (c) => c.primaryKey())
      : table.addColumn('id', 'bigint', (c) => c.generatedAlwaysAsIdentity().primaryKey());
  await withId
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('durationUs', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('referrer', 'text', (c) => c.notNull())
    .addColumn('userAgent', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('accessLogByTime').on('accessLog').columns(['at', 'id']).execute();
  // Only rows that still hold an address stand in it, so that those due are found without reading the others.
  await schema
    .createIndex('accessLogAddresses')
    .on('accessLog')
    .column('at')
    .where(sql.ref('ip'), '<>', sql.lit(''))
    .execute();

  await schema
    .createTable('accessCounts')
    .addColumn('span', 'text', (c) => c.notNull())
    .addColumn('bucket', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('accessCountsKey', ['span', 'bucket', 'kind', 'key'])
    .execute();

  await schema
    .createTable('accessVisitors')
    .addColumn('visitor', engine === 'sqlite' ? 'integer' : 'bigint', (c) => c.primaryKey())
    .addColumn('lastSeen', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('accessVisitorsByTime')
    .on('accessVisitors')
    .column('lastSeen')
    .execute();
  await schema
    .createTable('accessKeys')
    .addColumn('day', 'text', (c) => c.primaryKey())
    .addColumn('secret', 'text', (c) => c.notNull())
    .execute();
}
