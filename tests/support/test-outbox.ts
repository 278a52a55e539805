/** The outbox on its own database, with the channels that the variables configure. */
import { expect } from 'vitest';
import { NOTIFICATION_KINDS } from '../../src/app.server.ts';
import { chatReceived } from '../../src/chat/chat-message.server.ts';
import { contactReceived } from '../../src/contact/contact-message.server.ts';
import { readEnv } from '../../src/env.server.ts';
import type { Channel, NotificationKind } from '../../src/notifications/notification.server.ts';
import { configuredChannels, createOutbox } from '../../src/notifications/outbox.server.ts';
import { ownAddresses } from '../../src/notifications/own-address.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import type { Db, NewRow } from '../../src/platform/database/tables.server.ts';
import { ownContent } from './own-content.ts';
import { insertChatMessage, insertSubmission } from './staff-steps.ts';
import { testDatabase } from './test-app.ts';

export const PUBLIC_URL = 'https://www.tidewell.example';

/** A Friday at noon in Georgia. */
export const OPEN = Date.parse('2026-11-20T12:00:00-05:00');
/** The Sunday after it. */
export const CLOSED = Date.parse('2026-11-22T12:00:00-05:00');

const DELIVERY: NewRow<'outbox'> = {
  channel: 'teams',
  kind: 'chat-received',
  subjectId: 1,
  topic: 'x',
  state: 'waiting',
  nextTryAt: 0,
  createdAt: 0,
};

/** Puts deliveries into the outbox without anything having happened. */
export async function saveDeliveries(db: Db, changes: Partial<NewRow<'outbox'>>[]): Promise<void> {
  const rows = changes.map((change) => ({ ...DELIVERY, ...change }));
  await db.insertInto('outbox').values(rows).execute();
}

export type TestOutbox = Awaited<ReturnType<typeof startTestOutbox>>;

/** `channels` replaces the configured ones. */
export async function startTestOutbox(
  variables: Record<string, string>,
  channels?: readonly Channel[],
) {
  const testDb = await testDatabase({ filled: true });
  const env = readEnv({ ...testDb.variables, ...variables });
  const database = await openDatabase(env);
  const { db } = database;
  const { company } = ownContent();
  const context = {
    db,
    company,
    publicUrl: PUBLIC_URL,
    isOwnAddress: ownAddresses(env.mail, company),
    now: async () => Date.now(),
  };
  const outboxes: ReturnType<typeof createOutbox>[] = [];
  /** Another instance on the same database; PostgreSQL only, unless the first one is closed. */
  async function startInstance() {
    const configured = channels ?? (await configuredChannels(env, context));
    const outbox = createOutbox(db, company, configured, NOTIFICATION_KINDS);
    await outbox.start();
    outboxes.push(outbox);
    return outbox;
  }
  const outbox = await startInstance();
  async function notify(kind: NotificationKind, id: number): Promise<void> {
    await db.transaction().execute((trx) => outbox.notify(trx, kind, id));
    // The site wakes it once a call has been answered.
    outbox.wake();
  }
  const deliveries = () => db.selectFrom('outbox').selectAll().orderBy('id').execute();
  /** Ends the pauses after failures. */
  async function hurry(): Promise<void> {
    const waiting = db.updateTable('outbox').where('state', '=', 'waiting');
    const free = waiting.where('claimedBy', 'is', null);
    await free.set({ nextTryAt: Date.now() }).execute();
    outbox.endPauses();
  }
  const jane = {
    name: 'Jane Doe',
    email: 'jane@dealer.example',
    createdAt: OPEN,
    status: 'new' as const,
  };
  return {
    database,
    outbox,
    notify,
    startInstance,
    /** Stores a contact submission and notifies of it; returns its id. */
    async submit(submission: Parameters<typeof insertSubmission>[1] = {}) {
      const message = 'Our phones are down since nine.';
      const id = await insertSubmission({ database }, { ...jane, message, ...submission });
      await notify(contactReceived, id);
      return id;
    },
    /** The same for a chat message. */
    async chat(message: Parameters<typeof insertChatMessage>[1] = {}) {
      const text = { conversation: 'first', message: 'Is anybody there?' };
      const id = await insertChatMessage({ database }, { ...jane, ...text, ...message });
      await notify(chatReceived, id);
      return id;
    },
    deliveries,
    hurry,
    /** Waits until the deliveries are as expected. */
    becomes: (expected: object[]) => expect.poll(deliveries).toMatchObject(expected),
    /** The same without the pauses after failures. */
    soonBecomes: (expected: object[]) =>
      expect.poll(() => hurry().then(deliveries)).toMatchObject(expected),
    async stop() {
      for (const each of outboxes) await each.close();
      await database.close();
      await testDb.drop();
    },
  };
}
