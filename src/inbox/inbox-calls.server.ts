/** What staff read and mark of what visitors wrote. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, readId } from '../platform/http/call.server.ts';
import { countConversations, listConversations } from './conversation-list-store.server.ts';
import { findConversation, markConversation } from './conversation-store.server.ts';
import { readFilter, WHOLE_LIST } from './inbox.ts';
import {
  COUNT_INBOX,
  GET_CONTACT,
  GET_CONVERSATION,
  LIST_CONTACTS,
  LIST_CONVERSATIONS,
  MARK_CONTACT,
  MARK_CONVERSATION,
} from './inbox-contracts.ts';
import {
  conversations,
  inboxCounts,
  markRequest,
  submission,
  submissions,
  wholeConversation,
} from './inbox-shapes.ts';
import {
  countContacts,
  findContact,
  listContacts,
  markContact,
  pageRange,
} from './inbox-store.server.ts';

export function inboxCalls(db: Kysely<Tables>): Call[] {
  return [
    call(LIST_CONTACTS, {
      access: 'staff',
      answer: submissions,
      handle: async ({ query }) => {
        const filter = readFilter(query);
        const range = query.has('page') ? pageRange(filter.page) : { limit: WHOLE_LIST, offset: 0 };
        return listContacts(db, filter, range);
      },
    }),
    call(GET_CONTACT, {
      access: 'staff',
      answer: submission,
      handle: ({ params }) => found(params, (id) => findContact(db, id)),
    }),
    call(MARK_CONTACT, {
      access: 'staff',
      body: markRequest,
      answer: submission,
      handle: ({ params, body }) => found(params, (id) => markContact(db, id, body.mark)),
    }),
    call(LIST_CONVERSATIONS, {
      access: 'staff',
      answer: conversations,
      handle: ({ query }) => listConversations(db, readFilter(query)),
    }),
    call(GET_CONVERSATION, {
      access: 'staff',
      answer: wholeConversation,
      handle: ({ params }) => found(params, (id) => findConversation(db, id)),
    }),
    call(MARK_CONVERSATION, {
      access: 'staff',
      body: markRequest,
      answer: wholeConversation,
      handle: ({ params, body }) => found(params, (id) => markConversation(db, id, body.mark)),
    }),
    call(COUNT_INBOX, {
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
