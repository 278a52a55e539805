import type { Kysely } from 'kysely';
import { type Engine, idColumn } from './engine.server.ts';

/** What an order needs to follow Stripe: its price lines, its invoices and charges, notes, and the events seen. */
export async function stripeTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = db;
  const id = idColumn(engine);

  await schema.alterTable('orders').addColumn('postalCode', 'text').execute();
  await schema.alterTable('orders').addColumn('dueCents', 'integer').execute();
  await schema
    .alterTable('orders')
    .addColumn('attempt', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await schema.alterTable('orders').addColumn('endsAt', 'bigint').execute();
  await schema.createIndex('ordersByTime').on('orders').columns(['createdAt', 'id']).execute();

  await schema
    .createTable('orderInvoices')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('orderId', 'integer', (c) => c.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('amountCents', 'integer', (c) => c.notNull())
    .addColumn('paid', 'integer', (c) => c.notNull())
    .execute();
  await schema.createIndex('orderInvoicesByOrder').on('orderInvoices').column('orderId').execute();
  await schema
    .createTable('orderCharges')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('orderId', 'integer', (c) => c.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('amountCents', 'integer', (c) => c.notNull())
    .addColumn('refundedCents', 'integer', (c) => c.notNull())
    .addColumn('dispute', 'text')
    .execute();
  await schema.createIndex('orderChargesByOrder').on('orderCharges').column('orderId').execute();
  await schema
    .createTable('orderNotes')
    .addColumn('id', id.type, id.build)
    .addColumn('orderId', 'integer', (c) => c.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('orderNotesByOrder').on('orderNotes').column('orderId').execute();

  await schema
    .createTable('stripeEvents')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('orderId', 'integer')
    .addColumn('signed', 'integer', (c) => c.notNull())
    .addColumn('settled', 'integer', (c) => c.notNull())
    .addColumn('receivedAt', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('stripeEventsByTime')
    .on('stripeEvents')
    .columns(['receivedAt'])
    .execute();
  await schema
    .createTable('stripeCustomers')
    .addColumn('email', 'text', (c) => c.primaryKey())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('phone', 'text')
    .addColumn('customerId', 'text')
    .execute();
  await schema
    .createTable('signingKeys')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('key', 'text', (c) => c.notNull())
    .execute();
}
