/** Staff look a person up, hand out what is stored, and erase it. */

import { RECEIVERS } from '../notifications/outbox-api.ts';
import { deliveriesAbout } from '../notifications/outbox-store.server.ts';
import { orderReference } from '../orders/order.ts';
import { type Call, call, FIELD_MESSAGES, refuseInvalid } from '../platform/http/call.server.ts';
import {
  erasePerson,
  findExternalCopies,
  isRunning,
  ordersOf,
  type PersonDeps,
} from './erase-person.server.ts';
import { exportPerson } from './export-person.server.ts';
import {
  DOWNLOAD_PERSON,
  ERASE_PERSON,
  FIND_PERSON,
  MOST_SHOWN,
  type Person,
  personQuery,
  type StoredItem,
} from './person-api.ts';
import { allOf, findRecords, newestItems } from './person-records.server.ts';

export function personCalls(deps: PersonDeps): Call[] {
  return [
    call(FIND_PERSON, {
      access: 'staff',
      handle: ({ query }) => {
        const email = readAddress(query);
        return email instanceof Response ? email : findPerson(deps, email);
      },
    }),
    call(DOWNLOAD_PERSON, {
      access: 'staff',
      handle: ({ query, staff: { username }, address }) => {
        const email = readAddress(query);
        return email instanceof Response ? email : exportPerson(deps, email, { username, address });
      },
    }),
    call(ERASE_PERSON, {
      access: 'staff',
      handle: ({ body, staff: { username }, address }) =>
        erasePerson(deps, body.email, { username, address }),
    }),
  ];
}

/** The address that the query names, unless it names none. */
function readAddress(query: URLSearchParams): string | Response {
  const { data, error } = personQuery.safeParse({ find: query.get('find') }, FIELD_MESSAGES);
  return data ? data.find : refuseInvalid(error);
}

async function findPerson(deps: PersonDeps, email: string): Promise<Person> {
  const { db } = deps.database;
  const records = await findRecords(db, email);
  const orders = await ordersOf(db, email);
  const deliveries = await deliveriesAbout(db, allOf(records));
  const items: StoredItem[] = [
    ...(await newestItems(db, records, MOST_SHOWN)),
    ...deliveries.slice(-MOST_SHOWN).map(({ id, createdAt, reference, channel, state }) => ({
      ...{ kind: 'notice' as const, id, reference, name: null, state },
      at: new Date(createdAt).toISOString(),
      what: `To ${RECEIVERS[channel]}`,
    })),
  ];
  return {
    email,
    counts: {
      messages: records.messages.length,
      chatMessages: records.chatMessages.length,
      quotes: records.quotes.length,
      orders: records.orders.length,
      requests: records.reports.length + records.linkRequests.length,
      notices: deliveries.length,
    },
    items: items.sort((a, b) => b.at.localeCompare(a.at)),
    running: orders.filter((order) => isRunning(deps, order)).map(({ id }) => orderReference(id)),
    externalCopies: await findExternalCopies(deps, email),
  };
}
