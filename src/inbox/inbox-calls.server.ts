/** What staff read and mark of what visitors wrote. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, readId } from '../platform/http/call.server.ts';
import {
  COUNT_INBOX,
  GET_CONTACT,
  GET_CONVERSATION,
  INBOX_PAGE,
  LIST_CONTACTS,
  LIST_CONVERSATIONS,
  MARK_CONTACT,
  MARK_CONVERSATION,
  readFilter,
  WHOLE_LIST,
} from './inbox-api.ts';
import {
  countInbox,
  findContact,
  findConversation,
  listContacts,
  listConversations,
  markContact,
  markConversation,
} from './inbox-store.server.ts';

export function inboxCalls(db: Kysely<Tables>): Call[] {
  return [
    call(LIST_CONTACTS, {
      access: 'staff',
      handle: ({ query }) =>
        listContacts(db, readFilter(query), query.has('page') ? INBOX_PAGE : WHOLE_LIST),
    }),
    call(GET_CONTACT, {
      access: 'staff',
      handle: async ({ params }) => found(await findContact(db, readId(params.id) ?? 0)),
    }),
    call(MARK_CONTACT, {
      access: 'staff',
      handle: async ({ params, body }) =>
        found(await markContact(db, readId(params.id) ?? 0, body.mark)),
    }),
    call(LIST_CONVERSATIONS, {
      access: 'staff',
      handle: ({ query }) => listConversations(db, readFilter(query)),
    }),
    call(GET_CONVERSATION, {
      access: 'staff',
      handle: async ({ params }) => found(await findConversation(db, readId(params.id) ?? 0)),
    }),
    call(MARK_CONVERSATION, {
      access: 'staff',
      handle: async ({ params, body }) =>
        found(await markConversation(db, readId(params.id) ?? 0, body.mark)),
    }),
    call(COUNT_INBOX, {
      access: 'staff',
      handle: ({ query }) => countInbox(db, readFilter(query)),
    }),
  ];
}

function found<Thing>(thing: Thing | undefined): Thing | Response {
  return thing ?? refuse(404, 'Message not found');
}
