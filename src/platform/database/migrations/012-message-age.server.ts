import type { Kysely } from 'kysely';

/** The way to the oldest chat messages; contact messages have theirs. */
export async function messageAge(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('chatMessagesByTime')
    .on('chatMessages')
    .columns(['createdAt', 'id'])
    .execute();
}
