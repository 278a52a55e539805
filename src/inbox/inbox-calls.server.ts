/** What staff read and mark of what visitors wrote, with the inbox's questions to the table of contact messages. */
import type { Kysely } from 'kysely';
import { contactReference } from '../contact/contact.ts';
import { contains } from '../platform/database/contains.server.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, oldCall, readId } from '../platform/http/call.server.ts';
import {
  countConversations,
  findConversation,
  listConversations,
  markConversation,
} from './conversation-store.server.ts';
import {
  COUNT_INBOX,
  type ContactSubmission,
  conversations,
  countByMark,
  GET_CONTACT,
  GET_CONVERSATION,
  type InboxFilter,
  idIn,
  inboxCounts,
  LIST_CONTACTS,
  LIST_CONVERSATIONS,
  MARK_CONTACT,
  MARK_CONVERSATION,
  type Mark,
  type MarkCounts,
  markRequest,
  pageRange,
  readFilter,
  readMark,
  submission,
  submissions,
  WHOLE_LIST,
  wholeConversation,
} from './inbox.ts';

type Db = Kysely<Tables>;
type Found = Pick<InboxFilter, 'words' | 'service' | 'mark'>;

export function inboxCalls(db: Db): Call[] {
  return [
    oldCall(LIST_CONTACTS, {
      access: 'staff',
      answer: submissions,
      handle: async ({ query }) => {
        const filter = readFilter(query);
        const range = query.has('page') ? pageRange(filter.page) : { limit: WHOLE_LIST, offset: 0 };
        return listContacts(db, filter, range);
      },
    }),
    oldCall(GET_CONTACT, {
      access: 'staff',
      answer: submission,
      handle: ({ params }) => found(params, (id) => findContact(db, id)),
    }),
    oldCall(MARK_CONTACT, {
      access: 'staff',
      body: markRequest,
      answer: submission,
      handle: ({ params, body }) => found(params, (id) => markContact(db, id, body.mark)),
    }),
    oldCall(LIST_CONVERSATIONS, {
      access: 'staff',
      answer: conversations,
      handle: ({ query }) => listConversations(db, readFilter(query)),
    }),
    oldCall(GET_CONVERSATION, {
      access: 'staff',
      answer: wholeConversation,
      handle: ({ params }) => found(params, (id) => findConversation(db, id)),
    }),
    oldCall(MARK_CONVERSATION, {
      access: 'staff',
      body: markRequest,
      answer: wholeConversation,
      handle: ({ params, body }) => found(params, (id) => markConversation(db, id, body.mark)),
    }),
    oldCall(COUNT_INBOX, {
      access: 'staff',
      answer: inboxCounts,
      handle: async ({ query }) => {
        const filter = readFilter(query);
        const [contacts, conversations] = await Promise.all([
          countContacts(db, filter),
          countConversations(db, filter),
        ]);
        return { contacts, conversations };
      },
    }),
  ];
}

async function found<Thing>(
  params: Record<string, string>,
  find: (id: number) => Promise<Thing | undefined>,
): Promise<Thing | Response> {
  const id = readId(params.id);
  const thing = id === undefined ? undefined : await find(id);
  return thing ?? refuse(404, 'Message not found');
}

const READ_BY_ALL = ['name', 'email', 'phone', 'message'] as const;

/** Newest first; `range` in rows. */
async function listContacts(
  db: Db,
  filter: Found,
  range: { limit: number; offset: number },
): Promise<ContactSubmission[]> {
  let found = contacts(db, filter).selectAll();
  // All of these have the same, but PostgreSQL does not know it of those without one, and would sort them all.
  if (filter.service) found = found.orderBy('service', 'desc');
  const rows = await found
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(range.limit)
    .offset(range.offset)
    .execute();
  return rows.map(submissionJson);
}

async function findContact(db: Db, id: number): Promise<ContactSubmission | undefined> {
  const row = await db
    .selectFrom('contactSubmissions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && submissionJson(row);
}

async function countContacts(db: Db, filter: Found): Promise<MarkCounts> {
  const rows = await contacts(db, { ...filter, mark: '' })
    .select(({ fn }) => ['mark', fn.countAll<number>().as('count')])
    .groupBy('mark')
    .execute();
  return countByMark(rows);
}

/** Gives the submission as it is now; undefined when there is none. */
async function markContact(db: Db, id: number, mark: Mark): Promise<ContactSubmission | undefined> {
  const row = await db
    .updateTable('contactSubmissions')
    .set({ mark })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && submissionJson(row);
}

function contacts(db: Db, { words, service, mark }: Found) {
  let found = db.selectFrom('contactSubmissions');
  if (mark) found = found.where('mark', '=', mark);
  if (service === 'none') found = found.where('service', 'is', null);
  else if (service) found = found.where('service', '=', service);
  if (words) {
    const id = idIn(contactReference, words);
    found = found.where((where) =>
      where.or([
        ...READ_BY_ALL.map((column) => contains(column, words)),
        ...(id === undefined ? [] : [where('id', '=', id)]),
      ]),
    );
  }
  return found;
}

function submissionJson(row: Row<'contactSubmissions'>): ContactSubmission {
  return {
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    reference: contactReference(row.id),
    mark: readMark(row.mark),
  };
}
