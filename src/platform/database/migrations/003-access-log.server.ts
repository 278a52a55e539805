import type { Kysely } from 'kysely';
import type { Engine } from './engine.server.ts';

/** The log in pieces of up to a second, tallies kept beside it by minute and by hour, and the day's visitors. */
export async function accessLog(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = db;
  await schema.dropTable('accessLog').execute();
  const table = schema.createTable('accessLog');
  const withId =
    engine === 'sqlite'
      ? table.addColumn('id', 'integer', (c) => c.primaryKey())
      : table.addColumn('id', 'bigint', (c) => c.generatedAlwaysAsIdentity().primaryKey());
  await withId
    .addColumn('firstAt', 'bigint', (c) => c.notNull())
    .addColumn('lastAt', 'bigint', (c) => c.notNull())
    .addColumn('size', 'integer', (c) => c.notNull())
    .addColumn('addresses', 'integer', (c) => c.notNull())
    .addColumn('lines', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('accessLogByTime').on('accessLog').columns(['lastAt', 'id']).execute();
  await schema
    .createIndex('accessLogAddresses')
    .on('accessLog')
    .columns(['addresses', 'lastAt'])
    .execute();

  await schema
    .createTable('accessTallies')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('span', 'text', (c) => c.notNull())
    .addColumn('bucket', 'bigint', (c) => c.notNull())
    .addColumn('counts', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('accessTalliesByTime')
    .on('accessTallies')
    .columns(['span', 'bucket'])
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
