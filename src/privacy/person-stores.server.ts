/** Finds a person's rows in every table, and erases rows with their notifications. */

import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { orderLinks } from '../account/lost-link.server.ts';
import {
  type AttributedKind,
  deleteAttributions,
  sourceOf,
} from '../attribution/attribution-store.server.ts';
import { withBilling } from '../billing/billed-order.server.ts';
import type { Order } from '../billing/order-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import { chatReceived } from '../chat/chat-message.server.ts';
import { contactReceived } from '../contact/contact-message.server.ts';
import { threadAnswered, threadReference } from '../inbox/thread-answered.server.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import { deleteDeliveries, findDeliveries } from '../notifications/outbox-store.server.ts';
import { ORDER_NOTIFICATIONS } from '../orders/order-mails.server.ts';
import { chunk, sameEmail } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { PRICE_NOTIFICATIONS } from '../price-changes/price-change-mails.server.ts';
import {
  quoteChanged,
  quoteReminder,
  quoteSaved,
  quoteStored,
} from '../quotes/quote-mails.server.ts';
import { safeguardsReport } from '../safeguards/email-report.server.ts';
import { lastMessages } from '../threads/thread-store.server.ts';

const TABLES = [
  'threads',
  'entries',
  'quotes',
  'orders',
  'safeguardsReports',
  'orderLinkRequests',
] as const;
export type PersonTable = (typeof TABLES)[number];

/** The kinds of notification about the rows of each table. */
const NOTIFICATIONS: Record<PersonTable, readonly NotificationKind[]> = {
  threads: [contactReceived],
  entries: [chatReceived, threadAnswered],
  quotes: [quoteSaved, quoteStored, quoteChanged, quoteReminder],
  orders: [...ORDER_NOTIFICATIONS, ...PRICE_NOTIFICATIONS],
  safeguardsReports: [safeguardsReport],
  orderLinkRequests: [orderLinks],
};

/** The kinds of sources that are stored beside the rows. */
const ATTRIBUTED: Partial<Record<PersonTable, AttributedKind>> = {
  threads: 'thread',
  quotes: 'quote',
  orders: 'order',
};

interface Id {
  id: number;
}

/** A person's rows by table, oldest first. Entries are those of the threads. */
export type PersonRecords = { [Table in Exclude<PersonTable, 'orders'>]: Row<Table>[] } & {
  orders: Order[];
};

/** Which rows these are, without their texts: of a flood, the texts alone fill the memory. */
export interface PersonIds
  extends Record<Exclude<PersonTable, 'threads' | 'entries' | 'orders'>, Id[]> {
  threads: Pick<Row<'threads'>, 'id' | 'kind'>[];
  entries: Pick<Row<'entries'>, 'id' | 'kind' | 'threadId'>[];
  orders: Order[];
}

const ALL = sql`*`;
const IDS: Partial<Record<PersonTable, RawBuilder<unknown>>> = {
  threads: sql`"id", "kind"`,
  orders: ALL,
};

export async function findIds(db: Db, email: string): Promise<PersonIds> {
  const rowsOf = <Table extends PersonTable>(table: Table) =>
    newestRows<Row<Table>>(db, table, email, IDS[table] ?? sql`"id"`);
  const threads = await rowsOf('threads');
  return { ...(await restOf(db, rowsOf)), threads, entries: await entryIdsOf(db, threads) };
}

/** `most`: rows of each table, the newest. Anyone can send messages with another's address. */
export async function findRecords(db: Db, email: string, most: number): Promise<PersonRecords> {
  const rowsOf = <Table extends PersonTable>(table: Table) =>
    newestRows<Row<Table>>(db, table, email, ALL, most);
  const threads = await rowsOf('threads');
  const entries: Row<'entries'>[] = [];
  for (const ids of chunk(threads.map(({ id }) => id).reverse())) {
    const rows = db.selectFrom('entries').selectAll().where('threadId', 'in', ids);
    const newest = rows.orderBy('id', 'desc').limit(most - entries.length);
    entries.push(...(await newest.execute()));
  }
  return { ...(await restOf(db, rowsOf)), threads, entries: entries.reverse() };
}

async function restOf(
  db: Db,
  rowsOf: <Table extends PersonTable>(table: Table) => Promise<Row<Table>[]>,
) {
  return {
    quotes: await rowsOf('quotes'),
    orders: await withBilling(db, await rowsOf('orders')),
    safeguardsReports: await rowsOf('safeguardsReports'),
    orderLinkRequests: await rowsOf('orderLinkRequests'),
  };
}

async function newestRows<Found>(
  db: Db,
  table: PersonTable,
  email: string,
  columns: RawBuilder<unknown>,
  most = Number.MAX_SAFE_INTEGER,
): Promise<Found[]> {
  const newest = sql<Found>`select ${columns} from ${sql.table(table)}
    where ${sameEmail('email', email)} order by "id" desc limit ${most}`;
  return (await newest.execute(db)).rows.reverse();
}

/** What the rows of others have of a person: where bills go, too, and emails. */
export async function findElsewhere(db: Db, email: string) {
  const isOthers = (column: string) =>
    sql<boolean>`(${sql.ref(column)} is null or not ${sameEmail(column, email)})`;
  const bills = await db
    .selectFrom('orders')
    .select(['id', 'createdAt as at', 'planName as what'])
    .where(sameEmail('billsTo', email))
    .where(isOthers('email'))
    .execute();
  const entries = (column: 'sender' | 'recipient') =>
    db
      .selectFrom('entries')
      .innerJoin('threads', 'threads.id', 'threadId')
      .select(['threads.id', 'threads.kind', 'at', 'text as what'])
      .where(isOthers('email'))
      .where(column, 'is not', null)
      .where(sameEmail(column, email))
      .execute();
  const emails = [...(await entries('sender')), ...(await entries('recipient'))];
  const ids = emails.map(({ id }) => id);
  const last = await lastMessages(db, ids);
  return [
    ...bills.map((row) => ({
      ...row,
      kind: 'billing' as const,
      reference: orderReference(row.id),
    })),
    ...emails.map(({ kind, ...row }) => {
      const reference = threadReference({ ...row, kind }, last.get(row.id)?.first);
      return { ...row, kind: 'email' as const, reference };
    }),
  ];
}

/** Oldest first. */
export async function entryIdsOf(db: Db, threads: readonly Id[]): Promise<PersonIds['entries']> {
  const entries: PersonIds['entries'] = [];
  for (const ids of chunk(threads.map(({ id }) => id))) {
    const rows = db.selectFrom('entries').select(['id', 'kind', 'threadId']);
    entries.push(...(await rows.where('threadId', 'in', ids).orderBy('id').execute()));
    await setImmediate();
  }
  return entries;
}

/** The row's number as people see it, for example 'C-4'. */
export function referenceOf(table: PersonTable, id: number): string {
  return NOTIFICATIONS[table][0]?.reference(id) ?? '';
}

/** What staff know the rows by: a contact message, and each message of a chat. */
export function referencesOf(records: PersonIds, table: PersonTable): string[] {
  const ids = (rows: readonly Id[]) => rows.map(({ id }) => id);
  const { threads, entries } = records;
  const contacts = new Set(ids(threads.filter(({ kind }) => kind === 'contact')));
  const numbered: Partial<Record<PersonTable, number[]>> = {
    threads: [...contacts],
    entries: ids(
      entries.filter(({ kind, threadId }) => kind === 'visitor' && !contacts.has(threadId)),
    ),
  };
  return (numbered[table] ?? ids(records[table])).map((id) => referenceOf(table, id));
}

/** Where the person came from who sent the row. */
export async function personSource(db: Db, table: PersonTable, id: number): Promise<string | null> {
  const kind = ATTRIBUTED[table];
  return kind ? sourceOf(db, kind, id) : null;
}

const MAX_NAMED = 20;

/** The references of all rows, such as 'C-4, T-9, O-12'; after 20 their number. */
export function referencesIn(records: PersonIds, elsewhere: readonly string[]): string {
  const own = TABLES.flatMap((table) => referencesOf(records, table));
  const all = [...new Set([...own, ...elsewhere])];
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return all.slice(0, MAX_NAMED).join(', ') + more;
}

/** A delivery about one of a person's rows, in any state. `about`: the row's reference. */
export type PersonDelivery = Row<'outbox'> & { about: string };

/** Of some rows at a time, so that a long list is never whole in memory. */
export async function* findNotifications(
  db: Db,
  records: PersonIds,
): AsyncGenerator<PersonDelivery[]> {
  for (const table of TABLES)
    for (const rows of chunk<Id>(records[table])) {
      const ids = rows.map(({ id }) => id);
      const deliveries = await findDeliveries(db, NOTIFICATIONS[table], ids);
      const reference = ({ kind, subjectId }: Row<'outbox'>) =>
        NOTIFICATIONS[table].find((sent) => sent.kind === kind)?.reference(subjectId) ?? '';
      yield deliveries.map((row) => ({ ...row, about: reference(row) }));
    }
}

/** Deletes the rows' notifications and sources. One that is being sent may still arrive. */
export async function deleteTraces(
  trx: Db,
  table: PersonTable,
  rows: readonly Id[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const kind = ATTRIBUTED[table];
  if (kind) await deleteAttributions(trx, kind, ids);
  return deleteDeliveries(trx, NOTIFICATIONS[table], ids);
}

/**
 * Deletes the rows with all notifications about them and where they came from. A flood has left
 * thousands: on SQLite, what needs no database is answered in between.
 */
export async function eraseRows(trx: Db, table: PersonTable, rows: readonly Id[]): Promise<void> {
  for (const some of chunk(rows)) {
    await deleteTraces(trx, table, some);
    const ids = some.map(({ id }) => id);
    await trx.deleteFrom(table).where('id', 'in', ids).execute();
    await setImmediate();
  }
}
