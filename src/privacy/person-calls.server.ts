/** Staff look a person up, export everything that is stored as one file, and erase it. */
import { RECEIVERS } from '../notifications/outbox-api.ts';
import { orderReference } from '../orders/order.ts';
import { staffOrderJson } from '../orders/order-calls.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, FIELD_MESSAGES, refuseInvalid } from '../platform/http/call.server.ts';
import { fileDownload } from '../platform/http/file-download.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import {
  type By,
  erasePerson,
  externalCopies,
  isRunning,
  ordersOf,
  type PersonDeps,
} from './erase-person.server.ts';
import {
  DOWNLOAD_PERSON,
  ERASE_PERSON,
  FIND_PERSON,
  NOTHING_STORED,
  type Person,
  personQuery,
  type StoredItem,
} from './person-api.ts';
import {
  findRecords,
  itemOf,
  noticesAbout,
  readRows,
  referenceOf,
  referencesIn,
  STORE_NAMES,
  type StoreName,
} from './person-stores.server.ts';

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
  const notices = await noticesAbout(db, records);
  const items = notices.map(
    ({ id, createdAt, reference, channel, state }): StoredItem => ({
      ...{ kind: 'notice', id, reference, name: null, state },
      at: iso(createdAt),
      what: `To ${RECEIVERS[channel]}`,
    }),
  );
  for (const name of STORE_NAMES)
    items.push(...(await readRows(db, name, records[name])).map((row) => itemOf(name, row)));
  return {
    email,
    items: items.sort((a, b) => b.at.localeCompare(a.at)),
    running: orders.filter((order) => isRunning(deps, order)).map(({ id }) => orderReference(id)),
    externalCopies: externalCopies(deps, orders),
  };
}

async function exportPerson(deps: PersonDeps, email: string, by: By): Promise<Response> {
  const { db } = deps.database;
  const records = await findRecords(db, email);
  if (STORE_NAMES.every((name) => records[name].length === 0)) return refuse(404, NOTHING_STORED);
  const copies = externalCopies(deps, await ordersOf(db, email));
  const file: Record<string, unknown> = {
    email,
    exportedAt: iso(Date.now()),
    externalCopies: copies,
  };
  for (const name of STORE_NAMES)
    file[name] = await (name === 'orders' ? orderRows(deps, records[name]) : rowsOf(name));
  file.notices = (await noticesAbout(db, records)).map(noticeJson);
  await recordAudit(db, { ...by, kind: 'person-exported', detail: referencesIn(records) });
  async function* whole() {
    yield JSON.stringify(file, null, 2);
  }
  return fileDownload('person.json', 'application/json; charset=utf-8', whole());

  async function rowsOf(name: StoreName): Promise<object[]> {
    const rows = await readRows(db, name, records[name]);
    return rows.map(({ id, createdAt, ...row }) => ({
      ...{ reference: referenceOf(name, id), at: iso(createdAt) },
      ...row,
    }));
  }
}

/** As staff see them, with what is stored besides. */
async function orderRows({ database: { db }, gateway }: PersonDeps, ids: readonly number[]) {
  // PostgreSQL reads no empty list.
  if (ids.length === 0) return [];
  const orders = db.selectFrom('orders').selectAll().where('id', 'in', ids).orderBy('id');
  const rows = await orders.execute();
  const views = await Promise.all(rows.map((order) => staffOrderJson({ db, gateway }, order)));
  const invoices = db.selectFrom('orderInvoices').selectAll().where('orderId', 'in', ids);
  const payments = Map.groupBy(await invoices.execute(), ({ orderId }) => orderId);
  return rows.map(({ id, postalCode, billingAddress, customerId }, index) => ({
    reference: orderReference(id),
    ...views[index],
    postalCode,
    billingAddress,
    payments: (payments.get(id) ?? []).map((bill) => ({
      at: iso(bill.createdAt),
      number: bill.number,
      amount: bill.amountCents / 100,
      paid: bill.paid === 1,
      card: bill.cardBrand,
      cardEndsIn: bill.cardLast4,
    })),
    stripeCustomer: customerId,
  }));
}

/** What they and our staff were notified of, as far as that is still kept. */
function noticeJson(row: Row<'outbox'> & { reference: string }) {
  const { reference: about, channel, state, createdAt, settledAt, lastAnswer } = row;
  const at = iso(createdAt);
  return { about, channel, state, at, settledAt: settledAt && iso(settledAt), lastAnswer };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
