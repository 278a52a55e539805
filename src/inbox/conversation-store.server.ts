/** One conversation of chat messages: known by its first message, marked as a whole. */
import type { Kysely } from 'kysely';
import { chatReference } from '../chat/chat-message.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { type Conversation, type Mark, readMark, type WholeConversation } from './inbox.ts';

type Db = Kysely<Tables>;

/** The conversation that the message with this id belongs to. */
export async function findConversation(db: Db, id: number): Promise<WholeConversation | undefined> {
  const rows = await db
    .selectFrom('chatMessages')
    .selectAll()
    .where('conversation', '=', conversationOf(db, id))
    .orderBy('id')
    .execute();
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (!first || !last) return undefined;
  return {
    ...conversationJson({ ...last, firstId: first.id, messages: rows.length }),
    thread: rows.map((row) => ({
      id: row.id,
      reference: chatReference(row.id),
      message: row.message,
      response: row.response,
      at: new Date(row.createdAt).toISOString(),
    })),
  };
}

/** Marks all that has been said so far; a message that comes later is new again. */
export async function markConversation(
  db: Db,
  id: number,
  mark: Mark,
): Promise<WholeConversation | undefined> {
  await db
    .updateTable('chatMessages')
    .set({ mark })
    .where('conversation', '=', conversationOf(db, id))
    .execute();
  return findConversation(db, id);
}

function conversationOf(db: Db, messageId: number) {
  return db.selectFrom('chatMessages').select('conversation').where('id', '=', messageId);
}

interface Summed extends Row<'chatMessages'> {
  firstId: number;
  messages: number;
}

export function conversationJson({ firstId, messages, ...last }: Summed): Conversation {
  return {
    id: firstId,
    reference: chatReference(last.id),
    name: last.name,
    email: last.email,
    messages,
    lastMessage: last.message,
    mark: readMark(last.mark),
    lastAt: new Date(last.createdAt).toISOString(),
  };
}
