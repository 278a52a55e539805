/** Chat messages as conversations: each is known by its first message and stands in the list where its newest does. */
import type { Kysely } from 'kysely';
import { chatReference } from '../chat/chat.ts';
import { contains } from '../platform/database/contains.server.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import {
  type Conversation,
  countByMark,
  type InboxFilter,
  idIn,
  type Mark,
  type MarkCounts,
  pageRange,
  readMark,
  type WholeConversation,
} from './inbox.ts';

type Db = Kysely<Tables>;
type Found = Pick<InboxFilter, 'words' | 'mark'>;

const READ_BY_ALL = ['name', 'email', 'message'] as const;

/** Those written to last come first. */
export async function listConversations(db: Db, filter: InboxFilter): Promise<Conversation[]> {
  const { limit, offset } = pageRange(filter.page);
  const rows = await conversations(db, filter)
    .selectAll('last')
    .select(({ selectFrom }) => {
      const turns = selectFrom('chatMessages as turns').whereRef(
        'turns.conversation',
        '=',
        'last.conversation',
      );
      return [
        turns
          .select(({ fn }) => fn.min('turns.id').as('id'))
          .$asScalar()
          .$notNull()
          .as('firstId'),
        turns
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .$asScalar()
          .$notNull()
          .as('messages'),
      ];
    })
    .orderBy('last.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(conversationJson);
}

export async function countConversations(db: Db, filter: Found): Promise<MarkCounts> {
  const rows = await conversations(db, { ...filter, mark: '' })
    .select(({ fn }) => ['last.mark', fn.countAll<number>().as('count')])
    .groupBy('last.mark')
    .execute();
  return countByMark(rows);
}

/** The newest message of each conversation as `last`. Nothing is summed up, so a page ends it as soon as it is full. */
function conversations(db: Db, { words, mark }: Found) {
  let found = db
    .selectFrom('chatMessages as last')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chatMessages as later')
            .select('later.id')
            .whereRef('later.conversation', '=', 'last.conversation')
            .whereRef('later.id', '>', 'last.id'),
        ),
      ),
    );
  if (mark) found = found.where('last.mark', '=', mark);
  if (words) {
    const id = idIn(chatReference, words);
    const matching = db
      .selectFrom('chatMessages')
      .select('conversation')
      .where((where) =>
        where.or([
          ...READ_BY_ALL.map((column) => contains(column, words)),
          ...(id === undefined ? [] : [where('id', '=', id)]),
        ]),
      );
    found = found.where('last.conversation', 'in', matching);
  }
  return found;
}

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

/** Marks all messages so far; a message that comes later is new again. */
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

function conversationJson({ firstId, messages, ...last }: Summed): Conversation {
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
