/** The tables that hold what people sent or bought: how their rows are found, shown, exported and deleted. */
import { type RawBuilder, sql } from 'kysely';
import { orderLinks } from '../account/lost-link.server.ts';
import { chatReceived } from '../chat/chat-message.server.ts';
import { contactReceived } from '../contact/contact-message.server.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import { deleteDeliveries, findDeliveries } from '../notifications/outbox-store.server.ts';
import { ORDER_NOTIFICATIONS } from '../orders/order-mails.server.ts';
import { chunk, sameAddress } from '../platform/database/queries.server.ts';
import type { Db, Row, Tables } from '../platform/database/tables.server.ts';
import { quoteChanged, quoteReminder, quoteSaved } from '../quotes/quote-mails.server.ts';
import { safeguardsReport } from '../safeguards/email-report.server.ts';
import type { StoredItem } from './person-api.ts';

export const STORE_NAMES = [
  'messages',
  'chatMessages',
  'quotes',
  'orders',
  'reports',
  'linkRequests',
] as const;
export type StoreName = (typeof STORE_NAMES)[number];

interface Store {
  table: keyof Tables;
  kind: StoredItem['kind'];
  /** Of what people are notified of about its rows. */
  notices: readonly NotificationKind[];
  /** What a row without words is about. */
  what?: string;
}

const STORES: Record<StoreName, Store> = {
  messages: { table: 'contactSubmissions', kind: 'message', notices: [contactReceived] },
  chatMessages: { table: 'chatMessages', kind: 'chat', notices: [chatReceived] },
  quotes: { table: 'quotes', kind: 'quote', notices: [quoteSaved, quoteChanged, quoteReminder] },
  orders: { table: 'orders', kind: 'order', notices: ORDER_NOTIFICATIONS },
  reports: {
    ...{ table: 'safeguardsReports', kind: 'request', notices: [safeguardsReport] },
    what: 'Self-check report by email',
  },
  linkRequests: {
    ...{ table: 'orderLinkRequests', kind: 'request', notices: [orderLinks] },
    what: 'Links to orders by email',
  },
};

/** The ids of the rows of each store, the oldest first. */
export type PersonRecords = Record<StoreName, number[]>;

export async function findRecords(db: Db, email: string): Promise<PersonRecords> {
  const own = sql`where ${sameAddress('email', email)} order by "id"`;
  return {
    messages: await findIds(db, 'messages', own),
    chatMessages: await findChats(db, email),
    quotes: await findIds(db, 'quotes', own),
    orders: await findIds(db, 'orders', own),
    reports: await findIds(db, 'reports', own),
    linkRequests: await findIds(db, 'linkRequests', own),
  };
}

/** Messages with the address; one without any belongs to the address that comes next in the conversation, or came last. */
async function findChats(db: Db, email: string): Promise<number[]> {
  const own = sameAddress('email', email);
  const rows = await db
    .selectFrom('chatMessages')
    .select(['id', 'conversation', 'email', own.as('own')])
    .where('conversation', 'in', db.selectFrom('chatMessages').select('conversation').where(own))
    .orderBy('id')
    .execute();
  const found: number[] = [];
  for (const messages of Map.groupBy(rows, ({ conversation }) => conversation).values()) {
    let writer = messages.findLast((row) => row.email !== null);
    for (const row of messages.toReversed()) {
      if (row.email !== null) writer = row;
      if (writer?.own) found.push(row.id);
    }
  }
  return found.sort((a, b) => a - b);
}

/** `which`: the end of the query. */
export async function findIds(
  db: Db,
  name: StoreName,
  which: RawBuilder<unknown>,
): Promise<number[]> {
  const query = sql<{ id: number }>`select "id" from ${sql.table(STORES[name].table)} ${which}`;
  return (await query.execute(db)).rows.map(({ id }) => id);
}

/** What the screen shows of a row, as far as its table has it. */
interface StoredRow {
  id: number;
  createdAt: number;
  name?: string | null;
  message?: string;
  planName?: string;
  mark?: string;
  status?: string;
  withdrawnAt?: number | null;
}

export async function readRows(db: Db, name: StoreName, ids: number[]): Promise<StoredRow[]> {
  const table = sql.table(STORES[name].table);
  const found: StoredRow[] = [];
  for (const some of chunk(ids)) {
    const query = sql<StoredRow>`select * from ${table} where "id" in (${sql.join(some)}) order by "id"`;
    found.push(...(await query.execute(db)).rows);
  }
  return found;
}

const LONGEST_EXCERPT = 300;

export function itemOf(name: StoreName, row: StoredRow): StoredItem {
  const { kind, what = '' } = STORES[name];
  return {
    ...{ kind, id: row.id, reference: referenceOf(name, row.id), name: row.name ?? null },
    at: new Date(row.createdAt).toISOString(),
    what: (row.message ?? row.planName ?? what).slice(0, LONGEST_EXCERPT).toWellFormed(),
    state: row.mark ?? row.status ?? (row.withdrawnAt ? 'withdrawn' : ''),
  };
}

/** What people were notified of about these, delivered or not, the oldest first. */
export async function noticesAbout(
  db: Db,
  records: PersonRecords,
): Promise<(Row<'outbox'> & { reference: string })[]> {
  const found = [];
  for (const name of STORE_NAMES) {
    const rows = await findDeliveries(db, STORES[name].notices, records[name]);
    found.push(...rows.map((row) => ({ ...row, reference: referenceOf(name, row.subjectId) })));
  }
  return found.sort((a, b) => a.id - b.id);
}

/** Nobody is notified of these any more; what is being delivered at this moment may still arrive. */
export function forgetNotices(trx: Db, name: StoreName, ids: readonly number[]): Promise<void> {
  return deleteDeliveries(trx, STORES[name].notices, ids);
}

/** Deletes the rows with all notifications of them. */
export async function eraseRows(trx: Db, name: StoreName, ids: readonly number[]): Promise<void> {
  await forgetNotices(trx, name, ids);
  for (const some of chunk(ids))
    await sql`delete from ${sql.table(STORES[name].table)} where "id" in (${sql.join(some)})`.execute(
      trx,
    );
}

/** The number under which people speak of the row, such as 'C-4'. */
export function referenceOf(name: StoreName, id: number): string {
  return STORES[name].notices[0]?.reference(id) ?? '';
}

const MOST_NAMED = 20;

/** 'C-4, T-9, O-12', for a record that must not grow without end. */
export function referencesIn(records: PersonRecords): string {
  const all = STORE_NAMES.flatMap((name) => records[name].map((id) => referenceOf(name, id)));
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
  return all.slice(0, MOST_NAMED).join(', ') + more;
}
