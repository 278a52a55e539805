/** Chat messages as a list of conversations: each stands where its newest message stands. */
import type { Kysely } from 'kysely';
import { chatReference } from '../chat/chat-message.ts';
import { contains } from '../platform/database/contains.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { conversationJson } from './conversation-store.server.ts';
import {
  type Conversation,
  countByMark,
  type InboxFilter,
  idIn,
  type MarkCounts,
  pageRange,
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
      const said = selectFrom('chatMessages as said').whereRef(
        'said.conversation',
        '=',
        'last.conversation',
      );
      return [
        said
          .select(({ fn }) => fn.min('said.id').as('id'))
          .$asScalar()
          .$notNull()
          .as('firstId'),
        said
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
