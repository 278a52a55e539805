import type { Kysely } from 'kysely';
import { type Engine, idColumn } from './engine.server.ts';

/** Sessions that staff can tell apart, the audit table, and quick ways through the inbox. */
export async function staffTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = db;
  const id = idColumn(engine);

  await schema.alterTable('users').addColumn('environmentHash', 'text').execute();
  for (const column of ['address', 'userAgent']) {
    await schema
      .alterTable('sessions')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  }

  await schema
    .createTable('audit')
    .addColumn('id', id.type, id.build)
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .execute();

  await schema
    .createIndex('contactSubmissionsByTime')
    .on('contactSubmissions')
    .columns(['createdAt', 'id'])
    .execute();
  await schema
    .createIndex('chatMessagesByConversation')
    .on('chatMessages')
    .columns(['conversation', 'id'])
    .execute();
}
