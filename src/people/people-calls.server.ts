/** Staff look a person up, hand out what is stored, and erase it. */
import { reference } from '../notify/reference.ts';
import { answer } from '../platform/answer.server.ts';
import { type AnyCall, call, refuseInvalid } from '../platform/call.server.ts';
import { SCHEMA_WORDS } from '../platform/schema-words.server.ts';
import { erasePerson, isRunning } from './erase-person.server.ts';
import { exportPerson } from './export-person.server.ts';
import { elsewhere, type PeopleGround } from './people-ground.server.ts';
import { eraseRequest, type PersonJson, personQuery } from './person.ts';
import { ordersAt, type Traces, tracesOf } from './person-store.server.ts';
import { newestItems } from './stored-items.server.ts';

export function peopleCalls(ground: PeopleGround): AnyCall[] {
  const { db } = ground;
  /** Answers with what is found under the address that the query names, unless it names none. */
  async function withPerson(
    query: URLSearchParams,
    respond: (email: string, traces: Traces) => Promise<Response>,
  ): Promise<Response> {
    const asked = personQuery.safeParse({ find: query.get('find') }, SCHEMA_WORDS);
    if (!asked.success) return refuseInvalid(asked.error);
    const email = asked.data.find;
    return respond(email, await tracesOf(db, email));
  }

  return [
    call({
      method: 'GET',
      path: '/api/admin/people',
      access: 'staff',
      answer: ({ query }) =>
        withPerson(query, async (email, traces) => answer(await personJson(ground, email, traces))),
    }),
    call({
      method: 'GET',
      path: '/api/admin/people/download',
      access: 'staff',
      answer: ({ query, staff, address }) =>
        withPerson(query, (email, traces) =>
          exportPerson(ground, email, traces, { username: staff.username, address }),
        ),
    }),
    call({
      method: 'POST',
      path: '/api/admin/people/erase',
      access: 'staff',
      body: eraseRequest,
      answer: async ({ body, staff, address }) => {
        const done = await erasePerson(ground, body, { username: staff.username, address });
        return done instanceof Response ? done : answer(done);
      },
    }),
  ];
}

async function personJson(
  ground: PeopleGround,
  email: string,
  traces: Traces,
): Promise<PersonJson> {
  const { items, notices } = await newestItems(ground, traces);
  const orders = await ordersAt(ground.db, email);
  return {
    email,
    counts: {
      messages: traces.messages.length,
      chatMessages: traces.chatMessages.length,
      orders: traces.orders.length,
      notices,
    },
    items,
    running: orders
      .filter((order) => isRunning(ground, order))
      .map(({ id }) => reference('order', id)),
    elsewhere: await elsewhere(ground, email),
  };
}
