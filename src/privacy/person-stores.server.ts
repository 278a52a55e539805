/** The tables that hold what people sent or bought: how their rows are found, shown, exported and deleted. */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import { linksTopic, orderLinks } from '../account/lost-link.server.ts';
import { chatReference, chatTopic } from '../chat/chat.ts';
import { contactReference, contactTopic } from '../contact/contact.ts';
import type { Subject } from '../notifications/outbox-store.server.ts';
import { orderReference, orderTopic } from '../orders/order.ts';
import { chunk, sameAddress } from '../platform/database/queries.server.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { quoteReference, quoteTopic } from '../quotes/quote.ts';
import { reportTopic, safeguardsReport } from '../safeguards/email-report.server.ts';
import type { StoredItem } from './person-api.ts';

type Db = Kysely<Tables>;

export const STORES = {
  messages: store({
    table: 'contactSubmissions',
    reference: contactReference,
    topic: ({ id }) => contactTopic(id),
    item: ({ name, message, mark }) => ({ kind: 'message', name, what: message, state: mark }),
  }),
  chatMessages: store({
    table: 'chatMessages',
    reference: chatReference,
    topic: ({ conversation = '' }) => chatTopic(conversation),
    item: ({ name, message, mark }) => ({ kind: 'chat', name, what: message, state: mark }),
  }),
  quotes: store({
    table: 'quotes',
    reference: quoteReference,
    topic: ({ id }) => quoteTopic(id),
    item: ({ name, planName, withdrawnAt }) => ({
      ...{ kind: 'quote', name, what: planName },
      state: withdrawnAt === null ? '' : 'withdrawn',
    }),
  }),
  orders: store({
    table: 'orders',
    reference: orderReference,
    topic: ({ id }) => orderTopic(id),
    item: ({ name, planName, status }) => ({ kind: 'order', name, what: planName, state: status }),
  }),
  reports: store({
    table: 'safeguardsReports',
    reference: safeguardsReport.reference,
    topic: ({ id }) => reportTopic(id),
    item: () => ({ kind: 'request', name: null, what: 'Self-check report by email', state: '' }),
  }),
  linkRequests: store({
    table: 'orderLinkRequests',
    reference: orderLinks.reference,
    topic: ({ id }) => linksTopic(id),
    item: () => ({ kind: 'request', name: null, what: 'Links to orders by email', state: '' }),
  }),
};

export const STORE_NAMES = [
  'messages',
  'chatMessages',
  'quotes',
  'orders',
  'reports',
  'linkRequests',
] as const satisfies readonly (keyof typeof STORES)[];

/** A row as its topic is worked out from it. */
interface Found {
  id: number;
  /** Of a chat message. */
  conversation?: string;
}

interface Store<Table extends keyof Tables> {
  table: Table;
  reference(id: number): string;
  topic(row: Found): string;
  item(row: Row<Table>): Pick<StoredItem, 'kind' | 'name' | 'what' | 'state'>;
}

const LONGEST_EXCERPT = 300;

function store<Table extends keyof Tables>({ table, reference, topic, item }: Store<Table>) {
  type Stored = Row<Table> & { id: number; createdAt: number };
  const read = async (db: Db, ids: readonly number[]) => {
    if (ids.length === 0) return [];
    const query = sql<Stored>`select * from ${sql.table(table)} where "id" in (${sql.join(ids)})`;
    const { rows } = await query.execute(db);
    return rows
      .sort((a, b) => a.id - b.id)
      .map((row) => {
        const at = new Date(row.createdAt).toISOString();
        return { head: { reference: reference(row.id), at }, row };
      });
  };
  const subject = (row: Found): Subject => ({
    ...{ id: row.id, reference: reference(row.id), topic: topic(row) },
  });
  return {
    subject,
    /** `which`: the end of the query. */
    async find(db: Db, which: RawBuilder<unknown>): Promise<Subject[]> {
      const columns = sql.raw(table === 'chatMessages' ? '"id", "conversation"' : '"id"');
      const query = sql<Found>`select ${columns} from ${sql.table(table)} ${which}`;
      return (await query.execute(db)).rows.map(subject);
    },
    /** As the screen lists them. */
    items: async (db: Db, ids: readonly number[]): Promise<StoredItem[]> =>
      (await read(db, ids)).map(({ head, row }) => {
        const { what, ...shown } = item(row);
        const excerpt = what.slice(0, LONGEST_EXCERPT).toWellFormed();
        return { id: row.id, ...head, ...shown, what: excerpt };
      }),
    /** As the download holds them. */
    rows: async (db: Db, ids: readonly number[]): Promise<object[]> =>
      (await read(db, ids)).map(({ head, row: { id: _, createdAt: __, ...rest } }) => ({
        ...head,
        ...rest,
      })),
    async remove(trx: Db, rows: readonly Subject[]): Promise<void> {
      for (const some of chunk(idsOf(rows)))
        await sql`delete from ${sql.table(table)} where "id" in (${sql.join(some)})`.execute(trx);
    },
  };
}

export function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/** The rows of each store, the oldest first. */
export type PersonRecords = Record<(typeof STORE_NAMES)[number], Subject[]>;

export async function findRecords(db: Db, email: string): Promise<PersonRecords> {
  const own = sql`where ${sameAddress('email', email)} order by "id"`;
  const { messages, quotes, orders, reports, linkRequests } = STORES;
  return {
    messages: await messages.find(db, own),
    chatMessages: await findChats(db, email),
    quotes: await quotes.find(db, own),
    orders: await orders.find(db, own),
    reports: await reports.find(db, own),
    linkRequests: await linkRequests.find(db, own),
  };
}

/** Messages with the address; one without any belongs to the address that comes next in the conversation, or came last. */
async function findChats(db: Db, email: string): Promise<Subject[]> {
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
  return found.sort((a, b) => a.id - b.id).map(STORES.chatMessages.subject);
}

const MOST_NAMED = 20;

/** 'C-4, T-9, O-12', for a record that must not grow without end. */
export function referencesIn(records: PersonRecords): string {
  const all = Object.values(records).flat();
  const named = all.slice(0, MOST_NAMED).map(({ reference }) => reference);
  return named.join(', ') + (all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '');
}
