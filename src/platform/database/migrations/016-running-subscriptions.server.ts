import { type Kysely, sql } from 'kysely';
import { type Engine, idColumn } from './engine.server.ts';

/**
 * What a customer sees and changes of a running subscription: receipts with their month and card, changes that were
 * asked for, and the test gateway's subscriptions with a clock of their own.
 */
export async function runningSubscriptions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = db;
  const id = idColumn(engine);
  for (const column of ['number', 'cardBrand', 'cardLast4']) {
    await schema.alterTable('orderInvoices').addColumn(column, 'text').execute();
  }
  for (const column of ['periodStart', 'periodEnd', 'paidAt']) {
    await schema.alterTable('orderInvoices').addColumn(column, 'bigint').execute();
  }
  await schema.alterTable('orderInvoices').addColumn('taxCents', 'integer').execute();
  // The newest is looked for.
  await schema.dropIndex('orderInvoicesByOrder').execute();
  await schema
    .createIndex('orderInvoicesByOrder')
    .on('orderInvoices')
    .columns(['orderId', 'createdAt'])
    .execute();
  await schema.alterTable('orders').addColumn('billingAddress', 'text').execute();

  await schema
    .createTable('orderChanges')
    .addColumn('id', id.type, id.build)
    .addColumn('orderId', 'integer', (c) => c.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('what', 'text', (c) => c.notNull())
    .addColumn('before', 'text', (c) => c.notNull())
    .addColumn('after', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addUniqueConstraint('orderChangesOnce', ['orderId', 'key'])
    .execute();
  await schema
    .createIndex('orderChangesByOrder')
    .on('orderChanges')
    .columns(['orderId', 'id'])
    .execute();
  await schema
    .createIndex('orderChangesByState')
    .on('orderChanges')
    .columns(['state', 'id'])
    .execute();

  await schema
    .createTable('testSubscriptions')
    .addColumn('orderId', 'integer', (c) =>
      c.primaryKey().references('orders.id').onDelete('cascade'),
    )
    .addColumn('startedAt', 'bigint', (c) => c.notNull())
    .addColumn('months', 'integer', (c) => c.notNull())
    .addColumn('periodStart', 'bigint', (c) => c.notNull())
    .addColumn('periodEnd', 'bigint', (c) => c.notNull())
    .addColumn('lines', 'text', (c) => c.notNull())
    .addColumn('creditCents', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('ending', 'integer', (c) => c.notNull())
    .addColumn('bills', 'integer', (c) => c.notNull())
    .addColumn('openCents', 'integer')
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('nextAt', 'bigint')
    .addColumn('cardToken', 'text', (c) => c.notNull())
    .addColumn('cardLast4', 'text', (c) => c.notNull())
    .addColumn('cardYear', 'integer', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('testSubscriptionsByTime')
    .on('testSubscriptions')
    .columns(['nextAt', 'orderId'])
    .execute();
  await schema
    .createTable('testChanges')
    .addColumn('orderId', 'integer', (c) => c.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('cents', 'integer', (c) => c.notNull())
    .addColumn('billed', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('testChangesOnce', ['orderId', 'key'])
    .execute();
  await schema
    .createTable('testCards')
    .addColumn('clientSecret', 'text', (c) => c.primaryKey())
    .addColumn('orderId', 'integer', (c) => c.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('last4', 'text', (c) => c.notNull())
    .addColumn('used', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('testCardsByOrder').on('testCards').column('orderId').execute();
  await schema
    .createTable('testClock')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('aheadMs', 'bigint', (c) => c.notNull())
    .execute();
  await sql`insert into ${sql.table('testClock')} ("id", "aheadMs") values (1, 0)`.execute(db);

  await schema
    .createTable('orderLinkRequests')
    .addColumn('id', id.type, id.build)
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('orderLinkRequestsByAddress')
    .on('orderLinkRequests')
    .expression(sql`upper("email"), "at"`)
    .execute();
  await schema
    .createIndex('orderLinkRequestsByTime')
    .on('orderLinkRequests')
    .column('at')
    .execute();
}
