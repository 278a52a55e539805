/** Staff list, read and mark contact messages and chat conversations. */
import { chatReference } from '../chat/chat.ts';
import type { Company } from '../company/company.ts';
import { type Times, timesOf } from '../company/hours.ts';
import { CONTACT_FIELDS, contactReference, MARKS, type Mark } from '../contact/contact.ts';
import { LIST_PAGE_SIZE, MAX_LISTED_CONTACTS, MAX_THREAD } from '../limits.ts';
import { contains, newest, oldestListed } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call, readId } from '../platform/http/call.server.ts';
import { isoTime } from '../platform/time.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import {
  COUNT_INBOX,
  type Conversation,
  GET_CONTACT,
  GET_CONVERSATION,
  type InboxFilter,
  LIST_CONTACTS,
  LIST_CONVERSATIONS,
  MARK_CONTACT,
  MARK_CONVERSATION,
  type MarkCounts,
  readFilter,
  type Submission,
  type Thread,
} from './inbox-api.ts';

export function inboxCalls(db: Db, company: Company): Call[] {
  const read = (query: URLSearchParams) => {
    const filter = readFilter(query);
    return { ...filter, times: timesOf(company, filter) };
  };
  return [
    call(LIST_CONTACTS, {
      access: 'staff',
      handle: ({ query }) =>
        listContacts(db, read(query), query.has('page') ? LIST_PAGE_SIZE : MAX_LISTED_CONTACTS),
    }),
    call(GET_CONTACT, {
      access: 'staff',
      handle: async ({ params }) => orNotFound(await findContact(db, readId(params.id) ?? 0)),
    }),
    call(MARK_CONTACT, {
      access: 'staff',
      handle: async ({ params, body, ...by }) =>
        orNotFound(await markContact(db, readId(params.id) ?? 0, body.mark, by)),
    }),
    call(LIST_CONVERSATIONS, {
      access: 'staff',
      handle: ({ query }) => listConversations(db, read(query)),
    }),
    call(GET_CONVERSATION, {
      access: 'staff',
      handle: async ({ params }) => orNotFound(await findConversation(db, readId(params.id) ?? 0)),
    }),
    call(MARK_CONVERSATION, {
      access: 'staff',
      handle: async ({ params, body, ...by }) =>
        orNotFound(await markConversation(db, readId(params.id) ?? 0, body.mark, by)),
    }),
    call(COUNT_INBOX, {
      access: 'staff',
      handle: ({ query }) => countByMark(db, read(query)),
    }),
  ];
}

function orNotFound<Message>(message: Message | undefined): Message | Response {
  return message ?? refuse(404, 'Message not found');
}

interface Filter extends InboxFilter {
  times: Times | undefined;
}

/** The service has its own filter. */
const SEARCHED_FIELDS = CONTACT_FIELDS.filter((field) => field !== 'service');

/** Newest first. */
async function listContacts(db: Db, filter: Filter, limit: number): Promise<Submission[]> {
  let query = filteredContacts(db, filter).selectAll();
  // All rows have the same service. Where it is null, PostgreSQL does not see that, and would sort the whole list.
  if (filter.service) query = query.orderBy('service', 'desc');
  const rows = await query
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((filter.page - 1) * LIST_PAGE_SIZE)
    .execute();
  return rows.map(submissionJson);
}

async function findContact(db: Db, id: number): Promise<Submission | undefined> {
  const rows = db.selectFrom('contactSubmissions').selectAll().where('id', '=', id);
  const row = await rows.executeTakeFirst();
  return row && submissionJson(row);
}

function markContact(db: Db, id: number, mark: Mark, by: Actor): Promise<Submission | undefined> {
  return db.transaction().execute(async (trx) => {
    await trx.updateTable('contactSubmissions').set({ mark }).where('id', '=', id).execute();
    const marked = await findContact(trx, id);
    if (marked) await recordMark(trx, marked, by);
    return marked;
  });
}

/** The member of staff who marks a message. */
type Actor = Pick<CallRequest<unknown, 'staff'>, 'staff' | 'address'>;

function recordMark(
  trx: Db,
  { reference, mark }: Pick<Submission, 'reference' | 'mark'>,
  { staff: { username }, address }: Actor,
): Promise<number> {
  const detail = `${reference}: ${mark}`;
  return recordAudit(trx, { kind: 'message-marked', username, address, detail });
}

function filteredContacts(db: Db, { search, service, mark, times }: Filter) {
  let query = db.selectFrom('contactSubmissions');
  if (times) query = query.where('createdAt', '>=', times.from).where('createdAt', '<=', times.to);
  if (service === 'none') query = query.where('service', 'is', null);
  else if (service) query = query.where('service', '=', service);
  else if (mark) query = query.where('mark', '=', mark);
  query = newest(query);
  // No index serves both filters.
  if (service && mark) query = query.where('mark', '=', mark);
  if (search) {
    const id = idIn(contactReference, search);
    query = query.where((where) =>
      where.or([
        ...SEARCHED_FIELDS.map((column) => contains(column, search)),
        ...(id === undefined ? [] : [where('id', '=', id)]),
      ]),
    );
  }
  return query;
}

function submissionJson(row: Row<'contactSubmissions'>): Submission {
  return {
    ...row,
    createdAt: isoTime(row.createdAt),
    reference: contactReference(row.id),
  };
}

const CHAT_TEXTS = ['name', 'email', 'message'] as const;

/** Conversations with the newest messages first. */
async function listConversations(db: Db, filter: Filter): Promise<Conversation[]> {
  const rows = await filteredConversations(db, filter)
    .selectAll('last')
    .select(({ selectFrom }) => {
      const thread = selectFrom('chatMessages as thread').whereRef(
        'thread.conversation',
        '=',
        'last.conversation',
      );
      return [
        thread
          .select(({ fn }) => fn.min('thread.id').as('id'))
          .$asScalar()
          .$notNull()
          .as('firstId'),
        thread
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .$asScalar()
          .$notNull()
          .as('messages'),
      ];
    })
    .orderBy('last.id', 'desc')
    .limit(LIST_PAGE_SIZE)
    .offset((filter.page - 1) * LIST_PAGE_SIZE)
    .execute();
  return rows.map(conversationJson);
}

/** The newest message of each conversation, as `last`. Without a GROUP BY the database can stop once a page is full. */
function filteredConversations(db: Db, { search, mark, times }: Filter) {
  let query = db
    .selectFrom('chatMessages as last')
    .where('last.id', '>=', oldestListed(db.selectFrom('chatMessages'), 'id'))
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
  if (mark) query = query.where('last.mark', '=', mark);
  if (times)
    query = query.where('last.createdAt', '>=', times.from).where('last.createdAt', '<=', times.to);
  if (search) {
    const id = idIn(chatReference, search);
    const matching = db
      .selectFrom('chatMessages')
      .select('conversation')
      .where('id', '>=', oldestListed(db.selectFrom('chatMessages'), 'id'))
      .where((where) =>
        where.or([
          ...CHAT_TEXTS.map((column) => contains(column, search)),
          ...(id === undefined ? [] : [where('id', '=', id)]),
        ]),
      );
    query = query.where('last.conversation', 'in', matching);
  }
  return query;
}

/** The conversation that the message with this id belongs to, or the end of a very long one. */
async function findConversation(db: Db, id: number): Promise<Thread | undefined> {
  const newestFirst = await db
    .selectFrom('chatMessages')
    .selectAll()
    .where('conversation', '=', conversationOf(db, id))
    .orderBy('id', 'desc')
    .limit(MAX_THREAD)
    .execute();
  const rows = newestFirst.reverse();
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (!first || !last) return undefined;
  return {
    ...conversationJson({ ...last, firstId: first.id, messages: rows.length }),
    thread: rows.map((row) => ({
      id: row.id,
      reference: chatReference(row.id),
      message: row.message,
      response: row.response,
      at: isoTime(row.createdAt),
    })),
  };
}

/** Marks the messages so far: a later one makes the conversation new again. */
function markConversation(db: Db, id: number, mark: Mark, by: Actor): Promise<Thread | undefined> {
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable('chatMessages')
      .set({ mark })
      .where('conversation', '=', conversationOf(trx, id))
      .execute();
    const marked = await findConversation(trx, id);
    if (marked) await recordMark(trx, marked, by);
    return marked;
  });
}

function conversationOf(db: Db, messageId: number) {
  return db.selectFrom('chatMessages').select('conversation').where('id', '=', messageId);
}

interface ConversationRow extends Row<'chatMessages'> {
  firstId: number;
  messages: number;
}

function conversationJson({ firstId, messages, ...last }: ConversationRow): Conversation {
  return {
    id: firstId,
    reference: chatReference(last.id),
    name: last.name,
    email: last.email,
    messages,
    lastMessage: last.message,
    mark: last.mark,
    lastAt: isoTime(last.createdAt),
  };
}

async function countByMark(db: Db, filter: Filter): Promise<MarkCounts> {
  const counts: MarkCounts = { new: 0, answered: 0, spam: 0 };
  for (const mark of MARKS) {
    const marked = { ...filter, mark };
    const counting =
      filter.list === 'contacts'
        ? filteredContacts(db, marked).select(({ fn }) => fn.countAll<number>().as('count'))
        : filteredConversations(db, marked).select(({ fn }) => fn.countAll<number>().as('count'));
    counts[mark] = (await counting.executeTakeFirstOrThrow()).count;
  }
  return counts;
}

/** The id, if the search text is a reference number such as 'c-12'. */
function idIn(reference: (id: number) => string, search: string): number | undefined {
  const id = Number(/\d{1,9}$/.exec(search)?.[0]);
  return reference(id) === search.toUpperCase() ? id : undefined;
}
