/** Staff find, download and erase the data stored about a person. */

import { type Order, paymentOfMonth } from '../billing/billed-order.server.ts';
import { cardInWords } from '../billing/charge-store.server.ts';
import { readNotices } from '../billing/notice-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import { inDollars } from '../catalogue/pricing.ts';
import { localDate } from '../company/days.ts';
import { STORED_FIELDS } from '../contact/contact-message.server.ts';
import { entryText } from '../inbox/entry-text.server.ts';
import { STATUS_LABELS } from '../inbox/inbox-api.ts';
import { MAX_PERSON_RECORDS } from '../limits.ts';
import { CHANNELS, channelsOf } from '../notifications/outbox-api.ts';
import { staffOrderJson } from '../orders/order-json.server.ts';
import { STATUS_WORDS } from '../orders/status-words.ts';
import { addendumJson } from '../own-page/own-page-json.server.ts';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import {
  type Call,
  call,
  FIELD_MESSAGES,
  refuseInvalid,
  type StaffRequest,
} from '../platform/http/call.server.ts';
import { fileDownload } from '../platform/http/file-download.server.ts';
import { toDollars } from '../platform/money.ts';
import { isoTime } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { accountNames } from '../staff/account-store.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { erasePerson, externalCopies, mayStillCharge } from './erase-person.server.ts';
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
  findElsewhere,
  findIds,
  findIdsElsewhere,
  findNotifications,
  type PersonIds,
  type PersonTable,
  personSource,
  referenceOf,
  referencesIn,
} from './person-stores.server.ts';

export function personCalls(site: Site): Call[] {
  return [
    call(FIND_PERSON, 'staff', ({ query }) => {
      const email = readAddress(query);
      return email instanceof Response ? email : findPerson(site, email);
    }),
    call(DOWNLOAD_PERSON, 'staff', (request) => {
      const email = readAddress(request.query);
      return email instanceof Response ? email : exportPerson(site, email, request);
    }),
    call(ERASE_PERSON, 'staff', (request) => erasePerson(site, request.body.email, request)),
  ];
}

function readAddress(query: URLSearchParams): string | Response {
  const { data, error } = personQuery.safeParse({ find: query.get('find') }, FIELD_MESSAGES);
  return data ? data.find : refuseInvalid(error);
}

async function findPerson(site: Site, email: string): Promise<Person> {
  const { db } = site;
  const { ids, orders } = await findIds(db, email);
  // Anyone can send messages with another's address.
  const newest = (table: PersonTable) => ids[table].slice(-MAX_PERSON_RECORDS);
  const items: StoredItem[] = [];
  function add(kind: StoredItem['kind'], reference: string, { id, at, what, ...row }: Found) {
    const { name = null, state = '' } = row;
    items.push({ kind, id, reference, at: isoTime(at), name, what: excerpt(what), state });
  }
  // Staff open the conversation that a chat message is in.
  for (const some of chunk(newest('entries')))
    for (const { entry, kind, status, ...message } of await readMessages(db, some)) {
      const found = { ...message, state: STATUS_LABELS[status] };
      if (kind === 'chat') add('chat', referenceOf('entries', entry), found);
      else add('message', referenceOf('threads', message.id), found);
    }
  for (const some of chunk(newest('quotes'))) {
    const columns = ['id', 'createdAt as at', 'name', 'planName as what', 'withdrawnAt'] as const;
    const quotes = db.selectFrom('quotes').select(columns).where('id', 'in', some);
    for (const { withdrawnAt, ...quote } of await quotes.execute()) {
      const state = withdrawnAt === null ? '' : 'Withdrawn';
      add('quote', referenceOf('quotes', quote.id), { ...quote, state });
    }
  }
  for (const order of orders.slice(-MAX_PERSON_RECORDS)) {
    const { id, createdAt: at, name, planName: what, status } = order;
    add('order', orderReference(id), { id, at, name, what, state: STATUS_WORDS[status].staff });
  }
  for (const [table, what] of REQUESTS)
    for (const some of chunk(newest(table))) {
      const requests = db.selectFrom(table).select(['id', 'createdAt as at']);
      for (const request of await requests.where('id', 'in', some).execute())
        add('request', referenceOf(table, request.id), { ...request, what });
    }
  let elsewhere = 0;
  for await (const page of findElsewhere(db, email)) {
    for (const row of page) add(row.kind, row.reference, row);
    elsewhere += page.length;
    if (elsewhere >= MAX_PERSON_RECORDS) break;
  }
  for await (const deliveries of findNotifications(db, newest))
    for (const { id, about, createdAt: at, channel, state } of deliveries) {
      const what = `To ${CHANNELS[channel].receiver}`;
      add('notice', about, { id, at, what, state: DELIVERY_LABELS[state] });
    }
  const active = orders.filter((order) => mayStillCharge(site, order));
  return {
    email,
    items: items.sort((one, other) => other.at.localeCompare(one.at)),
    running: active.map(({ id }) => ({ id, reference: orderReference(id) })),
    externalCopies: externalCopies(site, orders),
  };
}

interface Found {
  id: number;
  at: number;
  what: string;
  name?: string | null;
  state?: string;
}

const DELIVERY_LABELS = { waiting: 'Pending', accepted: 'Accepted', failed: 'Failed' };

const REQUESTS = [
  ['safeguardsReports', 'Self-check report by email'],
  ['orderLinkRequests', 'Links to orders by email'],
] as const;

const MAX_EXCERPT = 300;
const excerpt = (text: string) => text.slice(0, MAX_EXCERPT).toWellFormed();

/** Those of these entries that the visitor wrote, with their thread's id. */
function readMessages(db: Db, entries: readonly number[]) {
  return db
    .selectFrom('entries')
    .innerJoin('threads', 'threads.id', 'threadId')
    .select(['entries.id as entry', 'threads.id', 'at', 'text as what'])
    .select(['threads.kind', 'threads.name', 'threads.status'])
    .where('entries.kind', '=', 'visitor')
    .where('entries.id', 'in', entries)
    .execute();
}

async function exportPerson(
  site: Site,
  email: string,
  { staff, address }: StaffRequest,
): Promise<Response> {
  const { db } = site;
  const records = await findIds(db, email);
  const { ids, orders } = records;
  const detail = referencesIn(records, (await findIdsElsewhere(db, email)).references);
  if (detail === '') return refuse(404, NOTHING_STORED);
  await recordAudit(db, { kind: 'person-exported', by: staff, address, detail });
  return fileDownload(
    `person-${localDate(site.company, Date.now())}.json`,
    'application/json; charset=utf-8',
    jsonLists(
      {
        email,
        exportedAt: isoTime(Date.now()),
        externalCopies: externalCopies(site, orders),
      },
      {
        threads: exportThreads(site, ids.entries),
        quotes: exportRows(db, 'quotes', ids.quotes),
        orders: exportOrders(site, orders),
        reports: exportRows(db, 'safeguardsReports', ids.safeguardsReports),
        linkRequests: exportRows(db, 'orderLinkRequests', ids.orderLinkRequests),
        elsewhere: exportElsewhere(db, email),
        notices: exportNotices(db, ids),
      },
    ),
  );
}

/** A JSON object of some facts and of long lists, each of whose batches is a piece of text. */
async function* jsonLists(
  facts: Record<string, unknown>,
  lists: Record<string, AsyncIterable<readonly object[]> | (readonly object[])[]>,
): AsyncGenerator<string> {
  yield JSON.stringify(facts, null, 2).slice(0, -'\n}'.length);
  for (const [name, batches] of Object.entries(lists)) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let separator = '';
    for await (const batch of batches)
      for (const item of batch) {
        yield `${separator}\n${JSON.stringify(item, null, 2)}`;
        separator = ',';
      }
    yield '\n  ]';
  }
  yield '\n}\n';
}

async function* exportRows(
  db: Db,
  table: Exclude<PersonTable, 'threads' | 'entries' | 'orders'>,
  ids: readonly number[],
) {
  for (const some of chunk(ids)) {
    const rows = db.selectFrom(table).selectAll();
    const found = await rows.where('id', 'in', some).orderBy('id').execute();
    yield await Promise.all(
      found.map(async ({ id, createdAt, ...row }) => ({
        reference: referenceOf(table, id),
        at: isoTime(createdAt),
        ...row,
        source: await personSource(db, table, id),
      })),
    );
  }
}

async function* exportOrders(site: Site, orders: readonly Order[]) {
  for (const order of orders) yield [await exportOrder(site, order)];
}

async function* exportElsewhere(db: Db, email: string) {
  for await (const page of findElsewhere(db, email))
    yield page.map(({ kind, reference, at, what }) => ({ kind, reference, at: isoTime(at), what }));
}

async function* exportNotices(db: Db, ids: PersonIds['ids']) {
  const toCustomers = channelsOf('customer');
  for await (const deliveries of findNotifications(db, (table) => ids[table]))
    yield deliveries
      .filter(({ channel }) => toCustomers.includes(channel))
      .map(({ about, channel, state, createdAt, settledAt, lastAnswer }) => {
        const settled = settledAt && isoTime(settledAt);
        return { about, channel, state, at: isoTime(createdAt), settledAt: settled, lastAnswer };
      });
}

/** Everything that was written, colleagues' notes included; of a flood, a thread is in parts. */
async function* exportThreads(site: Site, entries: readonly number[]) {
  const { db } = site;
  for (const some of chunk(entries)) {
    const rows = db.selectFrom('entries').selectAll().where('id', 'in', some);
    const written = await rows.orderBy('at').orderBy('id').execute();
    const byThread = Map.groupBy(written, ({ threadId }) => threadId);
    const threads = await db
      .selectFrom('threads')
      .selectAll()
      // They may have been erased since.
      .where('id', 'in', [0, ...byThread.keys()])
      .orderBy('id')
      .execute();
    const names = await accountNames(db, [
      ...threads.map(({ assigneeId }) => assigneeId),
      ...written.map(({ authorId }) => authorId),
    ]);
    // The person gets this file.
    const nameOf = (account: number | null) =>
      account === null ? null : names.publicName(account) || site.company.supportName;
    for (const thread of threads) {
      const { id, createdAt, kind } = thread;
      const part = {
        ...(kind === 'contact' && { reference: referenceOf('threads', id) }),
        ...{ at: isoTime(createdAt), kind },
        ...Object.fromEntries(STORED_FIELDS.map((field) => [field, thread[field]])),
        ...{ status: thread.status, assignee: nameOf(thread.assigneeId) },
        source: await personSource(db, 'threads', id),
        entries: (byThread.get(id) ?? []).map((entry) => ({
          ...(kind === 'chat' &&
            entry.kind === 'visitor' && { reference: referenceOf('entries', entry.id) }),
          ...{ at: isoTime(entry.at), kind: entry.kind, author: nameOf(entry.authorId) },
          text: entryText(site, thread, { ...entry, author: nameOf(entry.authorId) }),
        })),
      };
      yield [part];
    }
  }
}

/** The order with its history, plus everything else stored about its buyer. */
async function exportOrder({ db, gateway, company }: Site, order: Order) {
  const notices = await readNotices(db, [order.id]);
  return {
    reference: orderReference(order.id),
    ...(await staffOrderJson({ db, gateway, company }, order, 'publicName')),
    postalCode: order.postalCode,
    billingAddress: order.billingAddress,
    billsTo: order.billsTo,
    addendum: addendumJson(order),
    priceNotices: notices.map(({ kind, state, at, effectiveAt, from, to }) => ({
      kind,
      state,
      at: isoTime(at),
      effectiveAt: isoTime(effectiveAt),
      before: inDollars(from),
      after: inDollars(to),
    })),
    payments: order.invoices.map((invoice) => ({
      at: isoTime(invoice.createdAt),
      number: invoice.number,
      amount: toDollars(invoice.amountCents),
      paid: toDollars(invoice.amountPaidCents),
      status: invoice.status,
      card: cardInWords(order.charges, invoice.id),
      purchaseOrder: invoice.poNumber,
      payment: paymentOfMonth(invoice),
      reference: invoice.reference,
      billedTo: invoice.billedTo === null ? null : JSON.parse(invoice.billedTo),
    })),
  };
}
