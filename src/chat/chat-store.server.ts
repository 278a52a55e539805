import type { Kysely } from 'kysely';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';

export type ChatMessage = Row<'chatMessages'>;

/** Gives the new message's id. */
export async function insertChatMessage(
  trx: Kysely<Tables>,
  message: NewRow<'chatMessages'>,
): Promise<number> {
  const { id } = await trx
    .insertInto('chatMessages')
    .values(message)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export function findChatMessage(db: Kysely<Tables>, id: number): Promise<ChatMessage | undefined> {
  return db.selectFrom('chatMessages').selectAll().where('id', '=', id).executeTakeFirst();
}
