import type { Kysely } from 'kysely';
import { type Engine, idColumn } from './engine.server.ts';

/**
 * The outbox with the state of each delivery, who is delivering it and what the receiver said; one row per
 * paced channel; the price lines that an order's receipt repeats. The first outbox never held a row.
 */
export async function notify(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = db;
  const id = idColumn(engine);
  await schema.dropTable('outbox').execute();
  await schema
    .createTable('outbox')
    .addColumn('id', id.type, id.build)
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('topic', 'text', (c) => c.notNull())
    .addColumn('notice', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('nextTryAt', 'bigint', (c) => c.notNull())
    .addColumn('claimedBy', 'text')
    .addColumn('lastAnswer', 'text')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('settledAt', 'bigint')
    .execute();
  await schema
    .createIndex('outboxDue')
    .on('outbox')
    .columns(['state', 'channel', 'nextTryAt'])
    .execute();
  await schema
    .createIndex('outboxTopic')
    .on('outbox')
    .columns(['state', 'channel', 'topic', 'id'])
    .execute();
  await schema
    .createTable('outboxPace')
    .addColumn('channel', 'text', (c) => c.primaryKey())
    .addColumn('nextAt', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .alterTable('orders')
    .addColumn('priceLines', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
}
