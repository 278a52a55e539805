import { type Kysely, sql } from 'kysely';

/** A choice and its prices, held for a while, with the links that lead to it; an order names the quote it came of. */
export async function quotes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('quotes')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('company', 'text')
    .addColumn('note', 'text')
    .addColumn('planId', 'integer', (column) => column.notNull())
    .addColumn('planName', 'text', (column) => column.notNull())
    .addColumn('ms365Option', 'text', (column) => column.notNull())
    .addColumn('ms365Users', 'integer', (column) => column.notNull())
    .addColumn('includeCloudBackup', 'integer', (column) => column.notNull())
    .addColumn('priceLines', 'text', (column) => column.notNull())
    .addColumn('amountCents', 'integer', (column) => column.notNull())
    .addColumn('discountPercent', 'integer')
    .addColumn('discountCents', 'integer', (column) => column.notNull())
    .addColumn('discountReason', 'text')
    .addColumn('madeBy', 'text')
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('changedAt', 'bigint', (column) => column.notNull())
    .addColumn('expiresAt', 'bigint', (column) => column.notNull())
    .addColumn('withdrawnAt', 'bigint')
    .addColumn('openedAt', 'bigint')
    .addColumn('lastOpenedAt', 'bigint')
    .addColumn('opened', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('reminded', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('remindersStopped', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('quotesByExpiry').on('quotes').column('expiresAt').execute();
  await schema.createIndex('quotesByTime').on('quotes').columns(['createdAt', 'id']).execute();
  await schema
    .createIndex('quotesByAddress')
    .on('quotes')
    .expression(sql`upper("email"), "id"`)
    .execute();
  await schema
    .createTable('quoteLinks')
    .addColumn('tokenHash', 'text', (column) => column.primaryKey())
    .addColumn('quoteId', 'integer', (column) =>
      column.notNull().references('quotes.id').onDelete('cascade'),
    )
    .execute();
  await schema.createIndex('quoteLinksByQuote').on('quoteLinks').column('quoteId').execute();
  await schema.alterTable('orders').addColumn('quoteId', 'integer').execute();
  await schema.createIndex('ordersByQuote').on('orders').columns(['quoteId', 'id']).execute();
}
