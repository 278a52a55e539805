import type { Kysely } from 'kysely';
import type { NewRow, Tables } from '../platform/tables.server.ts';

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
