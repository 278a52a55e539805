/** What staff read and mark of what visitors wrote. */
import type { Kysely } from 'kysely';
import { answer, refuse } from '../platform/answer.server.ts';
import { type AnyCall, call, readId } from '../platform/call.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import {
  countConversations,
  findConversation,
  listConversations,
  markConversation,
} from './conversation-store.server.ts';
import { type InboxCounts, markRequest, readFilter, WHOLE_LIST } from './inbox.ts';
import {
  countContacts,
  findContact,
  listContacts,
  markContact,
  pageRange,
} from './inbox-store.server.ts';

export function inboxCalls(db: Kysely<Tables>): AnyCall[] {
  return [
    call({
      method: 'GET',
      path: '/api/admin/contacts',
      access: 'staff',
      answer: async ({ query }) => {
        const filter = readFilter(query);
        const range = query.has('page') ? pageRange(filter.page) : { limit: WHOLE_LIST, offset: 0 };
        return answer(await listContacts(db, filter, range));
      },
    }),
    call({
      method: 'GET',
      path: '/api/admin/contacts/:id',
      access: 'staff',
      answer: async ({ params }) => found(readId(params.id), (id) => findContact(db, id)),
    }),
    call({
      method: 'POST',
      path: '/api/admin/contacts/:id/mark',
      access: 'staff',
      body: markRequest,
      answer: async ({ params, body }) =>
        found(readId(params.id), (id) => markContact(db, id, body.mark)),
    }),
    call({
      method: 'GET',
      path: '/api/admin/conversations',
      access: 'staff',
      answer: async ({ query }) => answer(await listConversations(db, readFilter(query))),
    }),
    call({
      method: 'GET',
      path: '/api/admin/conversations/:id',
      access: 'staff',
      answer: async ({ params }) => found(readId(params.id), (id) => findConversation(db, id)),
    }),
    call({
      method: 'POST',
      path: '/api/admin/conversations/:id/mark',
      access: 'staff',
      body: markRequest,
      answer: async ({ params, body }) =>
        found(readId(params.id), (id) => markConversation(db, id, body.mark)),
    }),
    call({
      method: 'GET',
      path: '/api/admin/inbox/counts',
      access: 'staff',
      answer: async ({ query }) => {
        const filter = readFilter(query);
        const [contacts, conversations] = await Promise.all([
          countContacts(db, filter),
          countConversations(db, filter),
        ]);
        return answer({ contacts, conversations } satisfies InboxCounts);
      },
    }),
  ];
}

async function found<Thing>(
  id: number | undefined,
  find: (id: number) => Promise<Thing | undefined>,
): Promise<Response> {
  const thing = id === undefined ? undefined : await find(id);
  return thing ? answer(thing) : refuse(404, 'There is no such message');
}
