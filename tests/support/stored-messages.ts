/** What visitors have written, as stored. */
import type { ThreadKind } from '../../src/threads/thread.ts';
import type { TestApp } from './test-app.ts';

/**
 * Oldest first. `id` is the number in its reference: of a contact message's thread, or of a chat
 * message. Messages of one conversation have the same `conversation`.
 */
export async function storedMessages(
  { database: { db } }: Pick<TestApp, 'database'>,
  kind: ThreadKind,
) {
  const rows = await db
    .selectFrom('threads')
    .innerJoin('entries', 'entries.threadId', 'threads.id')
    .where('threads.kind', '=', kind)
    .where('entries.kind', '=', 'visitor')
    .select(['threads.id as conversation', 'entries.id', 'text as message'])
    .select(['name', 'email', 'phone', 'service', 'status', 'createdAt'])
    .orderBy('entries.id')
    .execute();
  return rows.map((row) => (kind === 'contact' ? { ...row, id: row.conversation } : row));
}
