/** The kinds of rows that belong to a person, how each is found by an email address, and what of it is shown. */
import type { Kysely } from 'kysely';
import { linksTopic, orderLinks } from '../account/lost-link.server.ts';
import { chatReference, chatTopic } from '../chat/chat.ts';
import { contactReference, contactTopic } from '../contact/contact.ts';
import type { Subject } from '../notifications/outbox-store.server.ts';
import { orderReference, orderTopic } from '../orders/order.ts';
import { chunk, sameAddress } from '../platform/database/queries.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { quoteReference, quoteTopic } from '../quotes/quote.ts';
import { safeguardsReport } from '../safeguards/email-report.server.ts';
import type { StoredItem } from './person-api.ts';

type Db = Kysely<Tables>;
type Ids = readonly number[];

export const KINDS = {
  messages: kind({
    reference: contactReference,
    read: (db, ids) =>
      db.selectFrom('contactSubmissions').selectAll().where('id', 'in', ids).execute(),
    item: ({ name, message, mark }) => ({ kind: 'message', name, what: message, state: mark }),
  }),
  chatMessages: kind({
    reference: chatReference,
    read: (db, ids) => db.selectFrom('chatMessages').selectAll().where('id', 'in', ids).execute(),
    item: ({ name, message, mark }) => ({ kind: 'chat', name, what: message, state: mark }),
  }),
  quotes: kind({
    reference: quoteReference,
    read: (db, ids) => db.selectFrom('quotes').selectAll().where('id', 'in', ids).execute(),
    item: ({ name, planName, withdrawnAt }) => ({
      ...{ kind: 'quote', name, what: planName },
      state: withdrawnAt === null ? '' : 'withdrawn',
    }),
  }),
  orders: kind({
    reference: orderReference,
    read: (db, ids) => db.selectFrom('orders').selectAll().where('id', 'in', ids).execute(),
    item: ({ name, planName, status }) => ({ kind: 'order', name, what: planName, state: status }),
  }),
  reports: kind({
    reference: safeguardsReport.reference,
    read: (db, ids) =>
      db
        .selectFrom('safeguardsReports')
        .select(['id', 'email', 'report', 'at as createdAt'])
        .where('id', 'in', ids)
        .execute(),
    item: () => ({ kind: 'request', name: null, what: 'Self-check report by email', state: '' }),
  }),
  linkRequests: kind({
    reference: orderLinks.reference,
    read: (db, ids) =>
      db
        .selectFrom('orderLinkRequests')
        .select(['id', 'email', 'at as createdAt'])
        .where('id', 'in', ids)
        .execute(),
    item: () => ({ kind: 'request', name: null, what: 'Links to orders by email', state: '' }),
  }),
};

export const LISTS = [
  'messages',
  'chatMessages',
  'quotes',
  'orders',
  'reports',
  'linkRequests',
] as const;

/** Numbers and notification topics of a person's rows, the oldest first. */
export type PersonRecords = Record<(typeof LISTS)[number], Subject[]>;

interface Kind<Stored> {
  reference(id: number): string;
  read(db: Db, ids: Ids): Promise<Stored[]>;
  item(row: Stored): Pick<StoredItem, 'kind' | 'name' | 'what' | 'state'>;
}

const LONGEST_EXCERPT = 300;

function kind<Stored extends { id: number; createdAt: number }>(each: Kind<Stored>) {
  const { reference, read, item } = each;
  const named = ({ id, createdAt }: Stored) => ({
    reference: reference(id),
    at: new Date(createdAt).toISOString(),
  });
  return {
    /** As the screen lists them. */
    items: async (db: Db, ids: Ids): Promise<StoredItem[]> =>
      (await read(db, ids)).map((row) => {
        const { what, ...shown } = item(row);
        const excerpt = what.slice(0, LONGEST_EXCERPT).toWellFormed();
        return { id: row.id, ...named(row), ...shown, what: excerpt };
      }),
    /** As the download holds them. */
    rows: async (db: Db, ids: Ids): Promise<object[]> =>
      (await read(db, ids))
        .sort((a, b) => a.id - b.id)
        .map((row) => {
          const { id: _, createdAt: __, ...rest } = row;
          return { ...named(row), ...rest };
        }),
  };
}

export async function findRecords(db: Db, email: string): Promise<PersonRecords> {
  const rowsIn = (table: 'contactSubmissions' | 'quotes' | 'orders' | 'orderLinkRequests') =>
    db.selectFrom(table).select('id').where(sameAddress('email', email)).orderBy('id').execute();
  const reports = db.selectFrom('safeguardsReports').selectAll().orderBy('id');
  return {
    messages: (await rowsIn('contactSubmissions')).map(messageRecord),
    chatMessages: (await findChats(db, email)).map(chatRecord),
    quotes: (await rowsIn('quotes')).map(quoteRecord),
    orders: (await rowsIn('orders')).map(({ id }) =>
      record(orderReference(id), id, orderTopic(id)),
    ),
    reports: (await reports.where(sameAddress('email', email)).execute()).map((row) =>
      record(safeguardsReport.reference(row.id), row.id, safeguardsReport.topic(row)),
    ),
    linkRequests: (await rowsIn('orderLinkRequests')).map(({ id }) =>
      record(orderLinks.reference(id), id, linksTopic(id)),
    ),
  };
}

function record(reference: string, id: number, topic: string): Subject {
  return { id, reference, topic };
}

export function messageRecord({ id }: { id: number }): Subject {
  return record(contactReference(id), id, contactTopic(id));
}

export function chatRecord({ id, conversation }: { id: number; conversation: string }): Subject {
  return record(chatReference(id), id, chatTopic(conversation));
}

export function quoteRecord({ id }: { id: number }): Subject {
  return record(quoteReference(id), id, quoteTopic(id));
}

/** Messages with the address; one without any belongs to the address that comes next in the conversation, or came last. */
async function findChats(db: Db, email: string) {
  const own = sameAddress('email', email);
  const rows = await db
    .selectFrom('chatMessages')
    .select(['id', 'conversation', 'email', own.as('own')])
    .where('conversation', 'in', db.selectFrom('chatMessages').select('conversation').where(own))
    .orderBy('id')
    .execute();
  const found: typeof rows = [];
  for (const messages of Map.groupBy(rows, ({ conversation }) => conversation).values()) {
    let writer = messages.findLast((row) => row.email !== null);
    for (const row of messages.toReversed()) {
      if (row.email !== null) writer = row;
      if (writer?.own) found.push(row);
    }
  }
  return found.sort((a, b) => a.id - b.id);
}

export function allOf(records: Partial<PersonRecords>): Subject[] {
  return Object.values(records).flat();
}

const MOST_NAMED = 20;

/** 'C-4, T-9, O-12', for a record that must not grow without end. */
export function referencesIn(records: readonly Subject[]): string {
  const named = records.slice(0, MOST_NAMED).map(({ reference }) => reference);
  const more = records.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The newest of each kind, in no order. */
export async function newestItems(
  db: Db,
  records: PersonRecords,
  most: number,
): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for (const name of LISTS) {
    const ids = idsOf(records[name].slice(-most));
    if (ids.length > 0) items.push(...(await KINDS[name].items(db, ids)));
  }
  return items;
}

/** So many rows are read at once: a message has up to 5,000 characters. */
const ROWS = 100;

/** What `read` makes of some ids at a time, row by row. */
export async function* eachRow<Made>(
  records: readonly Subject[],
  read: (ids: Ids) => Promise<Made[]>,
): AsyncGenerator<Made> {
  for (const ids of chunk(idsOf(records), ROWS)) yield* await read(ids);
}

/** Orders are not among them: their rows stay for the books. */
export async function deleteRecords(
  trx: Db,
  { quotes = [], ...records }: Partial<Omit<PersonRecords, 'orders'>>,
): Promise<void> {
  for (const some of chunk(idsOf(quotes)))
    await trx.deleteFrom('quoteLinks').where('quoteId', 'in', some).execute();
  const tables = [
    ['contactSubmissions', records.messages],
    ['chatMessages', records.chatMessages],
    ['quotes', quotes],
    ['safeguardsReports', records.reports],
    ['orderLinkRequests', records.linkRequests],
  ] as const;
  for (const [table, rows = []] of tables)
    for (const some of chunk(idsOf(rows)))
      await trx.deleteFrom(table).where('id', 'in', some).execute();
}

function idsOf(records: readonly Subject[]): number[] {
  return records.map(({ id }) => id);
}
