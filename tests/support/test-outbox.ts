/** The outbox on its own database, with the channels that the variables configure. */
import { chatReceived } from '../../src/chat/chat-message.server.ts';
import { contactReceived } from '../../src/contact/contact-message.server.ts';
import type { Content } from '../../src/content.server.ts';
import { configuredChannels, NOTIFICATION_KINDS } from '../../src/notification-kinds.server.ts';
import type { Channel, NotificationKind } from '../../src/notifications/notification.server.ts';
import { createOutbox, type Outbox } from '../../src/notifications/outbox.server.ts';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.server.ts';
import type { Db, NewRow, Row } from '../../src/platform/database/tables.server.ts';
import { addQuoteLink } from '../../src/quotes/quote-store.server.ts';
import { ownContent } from './own-content.ts';
import { testDatabase } from './test-app.ts';

export const PUBLIC_URL = 'https://www.tidewell.example';

export interface TestOutbox {
  database: Database;
  content: Content;
  outbox: Outbox;
  /** Stores a contact submission and notifies about it in one transaction; returns its id. */
  submit(submission?: Partial<NewRow<'contactSubmissions'>>): Promise<number>;
  /** The same for a chat message. */
  chat(message?: Partial<NewRow<'chatMessages'>>): Promise<number>;
  deliveries(): Promise<Row<'outbox'>[]>;
  /** Ends the pauses after failures. */
  hurry(): Promise<void>;
  /** Another instance on the same database; PostgreSQL only. */
  secondInstance(): Promise<Outbox>;
  stop(): Promise<void>;
}

/** A Friday at noon in Georgia. */
export const OPEN = Date.parse('2026-11-20T12:00:00-05:00');
/** The Sunday after it. */
export const CLOSED = Date.parse('2026-11-22T12:00:00-05:00');

/** `channels` replaces the configured ones. */
export async function startTestOutbox(
  variables: Record<string, string>,
  channels?: readonly Channel[],
): Promise<TestOutbox> {
  const testDb = await testDatabase({ filled: true });
  const env = readEnv({ ...testDb.variables, ...variables });
  const database = await openDatabase(env);
  const content = ownContent();
  const { company } = content;
  const customerPage = async ({ id }: { id: number }) => `${PUBLIC_URL}/checkout/order#${id}`;
  const accessPage = async (order: { id: number }) => `${await customerPage(order)}/access/key`;
  const context = {
    ...{ company, publicUrl: PUBLIC_URL, customerPage, accessPage },
    quotePage: (id: number) => addQuoteLink(database.db, PUBLIC_URL, id),
    now: async () => Date.now(),
  };
  const start = async () => {
    const outbox = createOutbox(
      database,
      company,
      channels ?? (await configuredChannels(env, context)),
      NOTIFICATION_KINDS,
    );
    await outbox.start();
    return outbox;
  };
  const outbox = await start();
  const others: Outbox[] = [];
  /** Wakes the outbox afterwards, as the site does once a call has been answered. */
  const storing = async (kind: NotificationKind, insert: (trx: Db) => Promise<{ id: number }>) => {
    const id = await database.db.transaction().execute(async (trx) => {
      const stored = await insert(trx);
      await outbox.notify(trx, kind, stored.id);
      return stored.id;
    });
    outbox.wake();
    return id;
  };
  const jane = {
    name: 'Jane Doe',
    email: 'jane@dealer.example',
    mark: 'new' as const,
    createdAt: OPEN,
  };
  return {
    database,
    content,
    outbox,
    submit: (submission = {}) =>
      storing(contactReceived, (trx) =>
        trx
          .insertInto('contactSubmissions')
          .values({ ...jane, message: 'Our phones are down since nine.', ...submission })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    chat: (message = {}) =>
      storing(chatReceived, (trx) =>
        trx
          .insertInto('chatMessages')
          .values({
            ...{ ...jane, conversation: 'first', message: 'Is anybody there?', response: 'Yes.' },
            ...message,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    deliveries: () => database.db.selectFrom('outbox').selectAll().orderBy('id').execute(),
    async hurry() {
      await database.db
        .updateTable('outbox')
        .set({ nextTryAt: Date.now() })
        .where('state', '=', 'waiting')
        .where('claimedBy', 'is', null)
        .execute();
      outbox.endPauses();
    },
    async secondInstance() {
      const other = await start();
      others.push(other);
      return other;
    },
    async stop() {
      for (const each of [outbox, ...others]) await each.close();
      await database.close();
      await testDb.drop();
    },
  };
}
