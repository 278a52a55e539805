import { type Kysely, sql } from 'kysely';
import { type Engine, idColumn } from './engine.server.ts';

/** All entities of the product as they stood when it was first shipped. */
export async function firstTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = db;
  const id = idColumn(engine);

  await schema
    .createTable('plans')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('priceCents', 'integer', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('popular', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('features', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .execute();
  await schema
    .createTable('services')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('shortDescription', 'text', (c) => c.notNull())
    .addColumn('priceCents', 'integer', (c) => c.notNull())
    .addColumn('priceType', 'text', (c) => c.notNull().defaultTo('month'))
    .addColumn('image', 'text', (c) => c.notNull())
    .addColumn('features', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .execute();
  await schema
    .createTable('solutions')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('industry', 'text', (c) => c.notNull())
    .addColumn('image', 'text', (c) => c.notNull())
    .addColumn('features', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .execute();
  await schema
    .createTable('testimonials')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('company', 'text', (c) => c.notNull())
    .addColumn('comment', 'text', (c) => c.notNull())
    .addColumn('rating', 'integer', (c) => c.notNull())
    .addColumn('image', 'text')
    .addColumn('position', 'integer', (c) => c.notNull())
    .execute();

  await schema
    .createTable('orders')
    .addColumn('id', id.type, id.build)
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('phone', 'text')
    .addColumn('planId', 'integer', (c) => c.notNull())
    .addColumn('planName', 'text', (c) => c.notNull())
    .addColumn('paymentMethod', 'text', (c) => c.notNull())
    .addColumn('ms365Option', 'text', (c) => c.notNull().defaultTo('none'))
    .addColumn('ms365Users', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('includeCloudBackup', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('status', 'text', (c) => c.notNull().defaultTo('pending'))
    .addColumn('amountCents', 'integer', (c) => c.notNull().check(sql`"amountCents" >= 0`))
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('paymentId', 'text', (c) => c.unique())
    .addColumn('clientSecret', 'text')
    .addColumn('customerId', 'text')
    .addColumn('subscriptionId', 'text', (c) => c.unique())
    .addColumn('refundedCents', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('dispute', 'text')
    .addColumn('idempotencyKey', 'text', (c) => c.unique())
    .addColumn('requestHash', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createTable('orderAccess')
    .addColumn('orderId', 'integer', (c) => c.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('keyHash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('orderAccessKey', ['orderId', 'keyHash'])
    .execute();
  await schema
    .createTable('orderStatuses')
    .addColumn('id', id.type, id.build)
    .addColumn('orderId', 'integer', (c) => c.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('cause', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('orderStatusesByOrder').on('orderStatuses').column('orderId').execute();
  await schema
    .createTable('testPayments')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('clientSecret', 'text', (c) => c.notNull().unique())
    .addColumn('orderId', 'integer', (c) => c.notNull().unique())
    .addColumn('amountCents', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();

  await schema
    .createTable('contactSubmissions')
    .addColumn('id', id.type, id.build)
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('phone', 'text')
    .addColumn('service', 'text')
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('mark', 'text', (c) => c.notNull().defaultTo('new'))
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createTable('chatMessages')
    .addColumn('id', id.type, id.build)
    .addColumn('conversation', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('email', 'text')
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('response', 'text', (c) => c.notNull())
    .addColumn('mark', 'text', (c) => c.notNull().defaultTo('new'))
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();

  await schema
    .createTable('users')
    .addColumn('id', id.type, id.build)
    .addColumn('username', 'text', (c) => c.notNull().unique())
    .addColumn('passwordHash', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('sessions')
    .addColumn('tokenHash', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('lastSeenAt', 'bigint', (c) => c.notNull())
    .execute();

  await schema
    .createTable('accessLog')
    .addColumn('id', id.type, id.build)
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('visitor', 'text', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('durationUs', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('referrer', 'text', (c) => c.notNull())
    .addColumn('userAgent', 'text', (c) => c.notNull())
    .addColumn('page', 'text')
    .execute();
  await schema.createIndex('accessLogByTime').on('accessLog').column('at').execute();

  await schema
    .createTable('outbox')
    .addColumn('id', id.type, id.build)
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('topic', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('nextTryAt', 'bigint', (c) => c.notNull())
    .addColumn('deliveredAt', 'bigint')
    .addColumn('lastError', 'text')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('outboxDue')
    .on('outbox')
    .columns(['deliveredAt', 'nextTryAt'])
    .execute();
}
