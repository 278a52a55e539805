import { type Kysely, sql } from 'kysely';

/**
 * The ways that were missing: to a browser's orders, to what one address has written, to each status and mark, to a
 * topic's deliveries, and to the events that wait. tests/features/platform/query-plans.test.ts holds every query to one.
 */
export async function waysToRows({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('orderAccessByBrowser')
    .on('orderAccess')
    .columns(['keyHash', 'orderId'])
    .execute();
  await schema
    .createIndex('ordersByStatus')
    .on('orders')
    .columns(['status', 'createdAt', 'id'])
    .execute();
  for (const column of ['mark', 'service']) {
    await schema
      .createIndex(`contactSubmissionsBy${column === 'mark' ? 'Mark' : 'Service'}`)
      .on('contactSubmissions')
      .columns([column, 'createdAt', 'id'])
      .execute();
  }
  // Not by lower(): SQLite's own knows no letters but those of English and ours is not there for `npm run backup`, so
  // that what one has written the other would find damaged. Of upper() there is one only.
  for (const table of ['orders', 'contactSubmissions', 'chatMessages']) {
    await schema
      .createIndex(`${table}ByAddress`)
      .on(table)
      .expression(sql`upper("email"), "id"`)
      .execute();
  }
  // With the marks in it, so that counting the conversations by theirs reads no message.
  await schema.dropIndex('chatMessagesByConversation').execute();
  await schema
    .createIndex('chatMessagesByConversation')
    .on('chatMessages')
    .columns(['conversation', 'id', 'mark'])
    .execute();
  await schema.createIndex('auditByTime').on('audit').column('at').execute();

  // One way to a topic's deliveries, whatever became of them, and to those that wait for it.
  await schema.dropIndex('outboxTopic').execute();
  await schema
    .createIndex('outboxByTopic')
    .on('outbox')
    .columns(['topic', 'state', 'channel', 'id'])
    .execute();
  await schema
    .createIndex('outboxInOrder')
    .on('outbox')
    .columns(['state', 'channel', 'id'])
    .execute();

  await schema.dropIndex('stripeEventsByTime').execute();
  for (const flag of ['settled', 'signed']) {
    await schema
      .createIndex(`stripeEventsBy${flag === 'settled' ? 'Settled' : 'Signed'}`)
      .on('stripeEvents')
      .columns([flag, 'receivedAt'])
      .execute();
  }
}
