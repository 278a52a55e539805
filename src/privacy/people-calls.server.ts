/** Staff look a person up, hand out what is stored, and erase it. */
import { orderReference } from '../orders/order.ts';
import { type Call, FIELD_MESSAGES, oldCall, refuseInvalid } from '../platform/http/call.server.ts';
import { erasePerson, isRunning } from './erase-person.server.ts';
import { exportPerson } from './export-person.server.ts';
import { DOWNLOAD_PERSON, ERASE_PERSON, FIND_PERSON } from './people-contracts.ts';
import { elsewhere, type PeopleDeps } from './people-deps.server.ts';
import { erased, eraseRequest, type Person, person, personQuery } from './person-shapes.ts';
import { ordersAt, tracesOf } from './person-store.server.ts';
import { newestItems } from './stored-items.server.ts';
import type { Traces } from './traces.server.ts';

export function peopleCalls(deps: PeopleDeps): Call[] {
  const { db } = deps;
  /** Answers with what is found under the address that the query names, unless it names none. */
  async function withPerson<Given>(
    query: URLSearchParams,
    respond: (email: string, traces: Traces) => Promise<Given>,
  ): Promise<Given | Response> {
    const asked = personQuery.safeParse({ find: query.get('find') }, FIELD_MESSAGES);
    if (!asked.success) return refuseInvalid(asked.error);
    const email = asked.data.find;
    return respond(email, await tracesOf(db, email));
  }

  return [
    oldCall(FIND_PERSON, {
      access: 'staff',
      answer: person,
      handle: ({ query }) => withPerson(query, (email, traces) => findPerson(deps, email, traces)),
    }),
    oldCall(DOWNLOAD_PERSON, {
      access: 'staff',
      handle: ({ query, staff, address }) =>
        withPerson(query, (email, traces) =>
          exportPerson(deps, email, traces, { username: staff.username, address }),
        ),
    }),
    oldCall(ERASE_PERSON, {
      access: 'staff',
      body: eraseRequest,
      answer: erased,
      handle: ({ body, staff, address }) =>
        erasePerson(deps, body, { username: staff.username, address }),
    }),
  ];
}

async function findPerson(deps: PeopleDeps, email: string, traces: Traces): Promise<Person> {
  const { items, notices } = await newestItems(deps, traces);
  const orders = await ordersAt(deps.db, email);
  return {
    email,
    counts: {
      messages: traces.messages.length,
      chatMessages: traces.chatMessages.length,
      quotes: traces.quotes.length,
      orders: traces.orders.length,
      notices,
    },
    items,
    running: orders.filter((order) => isRunning(deps, order)).map(({ id }) => orderReference(id)),
    elsewhere: await elsewhere(deps, email),
  };
}
