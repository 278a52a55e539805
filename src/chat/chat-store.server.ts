/** The table of chat messages and their answers, and its queries. */
import type { Generated, Kysely } from 'kysely';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    chatMessages: ChatMessageTable;
  }
}

interface ChatMessageTable {
  id: Generated<number>;
  conversation: string;
  name: string | null;
  email: string | null;
  message: string;
  response: string;
  mark: string;
  createdAt: number;
}

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
