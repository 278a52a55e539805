/** Finds a person's rows in every table, and erases rows with their notifications. */

import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { orderLinks } from '../account/lost-link.server.ts';
import {
  type AttributedKind,
  deleteAttributions,
  sourceOf,
} from '../attribution/attribution-store.server.ts';
import { type Order, withBilling } from '../billing/billed-order.server.ts';
import { orderReference } from '../billing/reference.ts';
import { chatReceived } from '../chat/chat-message.server.ts';
import { contactReceived } from '../contact/contact-message.server.ts';
import { threadAnswered, threadReference } from '../inbox/thread-answered.server.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import { deleteDeliveries, findDeliveries } from '../notifications/outbox-store.server.ts';
import { ORDER_NOTIFICATIONS } from '../orders/order-notifications.server.ts';
import {
  CHUNK_SIZE,
  chunk,
  inBatches,
  MAX_ID,
  sameEmail,
} from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { PRICE_NOTIFICATIONS } from '../price-changes/price-change-mails.server.ts';
import {
  quoteChanged,
  quoteMade,
  quoteMailed,
  quoteReminder,
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
  quotes: [quoteMailed, quoteMade, quoteChanged, quoteReminder],
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

/** A person's rows by table, oldest first. Entries are those of the threads. */
export type PersonRecords = { [Table in Exclude<PersonTable, 'orders'>]: Row<Table>[] } & {
  orders: Order[];
};

/** A person's rows by number, oldest first: of a flood, the rows would fill the memory. */
export interface PersonIds {
  ids: Record<PersonTable, number[]>;
  /** What staff know the rows by: a contact message, and each message of a chat. */
  named: Record<PersonTable, number[]>;
  orders: Order[];
}

interface Id {
  id: number;
}

export const idsIn = (rows: readonly Id[]): number[] => rows.map(({ id }) => id);

export async function findIds(db: Db, email: string): Promise<PersonIds> {
  const idsOf = async (table: PersonTable) => {
    const found: number[] = [];
    for await (const page of newestPages(db, table, email, sql`"id"`)) found.push(...idsIn(page));
    return found.reverse();
  };
  const orders = await withBilling(db, await newestRows(db, 'orders', email));
  const ids: PersonIds['ids'] = {
    threads: [],
    entries: [],
    quotes: await idsOf('quotes'),
    orders: idsIn(orders),
    safeguardsReports: await idsOf('safeguardsReports'),
    orderLinkRequests: await idsOf('orderLinkRequests'),
  };
  const named = { ...ids, threads: [] as number[], entries: [] as number[] };
  const threads = newestPages<Row<'threads'>>(db, 'threads', email, sql`"id", "kind"`);
  for await (const page of threads) {
    ids.threads.push(...idsIn(page));
    named.threads.push(...idsIn(page.filter(({ kind }) => kind === 'contact')));
  }
  ids.threads.reverse();
  named.threads.reverse();
  const contacts = new Set(named.threads);
  for await (const page of entriesOf(db, ids.threads)) {
    ids.entries.push(...idsIn(page));
    const chats = page.filter(
      ({ kind, threadId }) => kind === 'visitor' && !contacts.has(threadId),
    );
    named.entries.push(...idsIn(chats));
  }
  return { ids, named, orders };
}

/** `most`: rows of each table, the newest. Anyone can send messages with another's address. */
export async function findRecords(db: Db, email: string, most: number): Promise<PersonRecords> {
  const rowsOf = <Table extends PersonTable>(table: Table) =>
    newestRows<Row<Table> & Id>(db, table, email, most);
  const threads = await rowsOf('threads');
  const entries: Row<'entries'>[] = [];
  for (const ids of chunk(idsIn(threads).reverse(), THREADS_AT_ONCE)) {
    const rows = db.selectFrom('entries').selectAll().where('threadId', 'in', ids);
    const newest = rows.orderBy('id', 'desc').limit(most - entries.length);
    entries.push(...(await newest.execute()));
  }
  return {
    threads,
    entries: entries.reverse(),
    quotes: await rowsOf('quotes'),
    orders: await withBilling(db, await rowsOf('orders')),
    safeguardsReports: await rowsOf('safeguardsReports'),
    orderLinkRequests: await rowsOf('orderLinkRequests'),
  };
}

/** Oldest first. */
async function newestRows<Found extends Id>(
  db: Db,
  table: PersonTable,
  email: string,
  most = MAX_ID,
): Promise<Found[]> {
  const found: Found[] = [];
  for await (const page of newestPages<Found>(db, table, email, sql`*`, most)) found.push(...page);
  return found.reverse();
}

/** Of a flood, one statement would keep everybody waiting. */
function newestPages<Found extends Id>(
  db: Db,
  table: PersonTable,
  email: string,
  columns: RawBuilder<unknown>,
  most = MAX_ID,
): AsyncGenerator<Found[]> {
  let wanted = most;
  return inBatches<Found>(async (last) => {
    const page = sql<Found>`select ${columns} from ${sql.table(table)}
      where ${sameEmail('email', email)} and "id" < ${last?.id ?? MAX_ID}
      order by "id" desc limit ${Math.min(CHUNK_SIZE, wanted)}`;
    const { rows } = await page.execute(db);
    wanted -= rows.length;
    return rows;
  });
}

/** What the rows of others have of a person, some at a time: where bills go, too, and emails. */
export async function* findElsewhere(db: Db, email: string) {
  const isOthers = (column: string) =>
    sql<boolean>`(${sql.ref(column)} is null or not ${sameEmail(column, email)})`;
  const bills = await db
    .selectFrom('orders')
    .select(['id', 'createdAt as at', 'planName as what'])
    .where(sameEmail('billsTo', email))
    .where(isOthers('email'))
    .execute();
  yield bills.map((row) => ({
    ...row,
    kind: 'billing' as const,
    reference: orderReference(row.id),
  }));
  for (const column of ['sender', 'recipient'] as const) {
    const entries = db
      .selectFrom('entries')
      .innerJoin('threads', 'threads.id', 'threadId')
      .select(['threads.id', 'entries.id as entry', 'threads.kind', 'at', 'text as what'])
      .where(isOthers('email'))
      .where(column, 'is not', null)
      .where(sameEmail(column, email))
      .orderBy('entries.id', 'desc')
      .limit(CHUNK_SIZE);
    const pages = inBatches<Awaited<ReturnType<typeof entries.execute>>[number]>((last) =>
      entries.where('entries.id', '<', last?.entry ?? MAX_ID).execute(),
    );
    for await (const page of pages) {
      const last = await lastMessages(db, [...new Set(idsIn(page))]);
      yield page.map(({ kind, entry: _, ...row }) => {
        const reference = threadReference({ ...row, kind }, last.get(row.id)?.first);
        return { ...row, kind: 'email' as const, reference };
      });
    }
  }
}

/** Entries by who wrote them or got them by mail; orders, with their version, by where bills go. */
export async function findIdsElsewhere(db: Db, email: string) {
  const entries: number[] = [];
  for (const column of ['sender', 'recipient'] as const) {
    const rows = db.selectFrom('entries').select('id').where(column, 'is not', null);
    entries.push(...idsIn(await rows.where(sameEmail(column, email)).execute()));
  }
  const orders = db.selectFrom('orders').select(['id', 'version']);
  const bills = await orders.where(sameEmail('billsTo', email)).execute();
  return { entries, bills: bills.map(({ id, version }) => [id, version] as const) };
}

/** What staff know them by. */
export async function referencesElsewhere(db: Db, email: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const page of findElsewhere(db, email))
    for (const { reference } of page) found.add(reference);
  return found;
}

/** A long conversation has hundreds of messages, a megabyte. */
const THREADS_AT_ONCE = 5;

/** Which entries these threads have, some threads at a time. */
export async function* entriesOf(db: Db, threads: readonly number[]) {
  for (const ids of chunk(threads, THREADS_AT_ONCE)) {
    const rows = db.selectFrom('entries').select(['id', 'kind', 'threadId']);
    yield await rows.where('threadId', 'in', ids).orderBy('id').execute();
    await setImmediate();
  }
}

/** The row's number as people see it, for example 'C-4'. */
export function referenceOf(table: PersonTable, id: number): string {
  return NOTIFICATIONS[table][0]?.reference(id) ?? '';
}

export function referencesOf({ named }: PersonIds, table: PersonTable): string[] {
  return named[table].map((id) => referenceOf(table, id));
}

/** Where the person came from who sent the row. */
export async function personSource(db: Db, table: PersonTable, id: number): Promise<string | null> {
  const kind = ATTRIBUTED[table];
  return kind ? sourceOf(db, kind, id) : null;
}

const MAX_NAMED = 20;

/** The references of all rows, such as 'C-4, T-9, O-12'; after 20 their number. */
export function referencesIn(records: PersonIds, elsewhere: Iterable<string>): string {
  const { named } = records;
  const others = new Set(elsewhere);
  for (const order of referencesOf(records, 'orders')) others.delete(order);
  const first = TABLES.flatMap((table) =>
    named[table].slice(0, MAX_NAMED).map((id) => referenceOf(table, id)),
  );
  const shown = [...first, ...others].slice(0, MAX_NAMED);
  const own = TABLES.reduce((sum, table) => sum + named[table].length, 0);
  const more = own + others.size - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A delivery about one of a person's rows, in any state. `about`: the row's reference. */
export type PersonDelivery = Row<'outbox'> & { about: string };

/** Of some rows at a time, so that a long list is never whole in memory. */
export async function* findNotifications(
  db: Db,
  idsOf: (table: PersonTable) => readonly number[],
): AsyncGenerator<PersonDelivery[]> {
  for (const table of TABLES)
    for (const ids of chunk(idsOf(table))) {
      const deliveries = await findDeliveries(db, NOTIFICATIONS[table], ids);
      const reference = ({ kind, subjectId }: Row<'outbox'>) =>
        NOTIFICATIONS[table].find((sent) => sent.kind === kind)?.reference(subjectId) ?? '';
      yield deliveries.map((row) => ({ ...row, about: reference(row) }));
      await setImmediate();
    }
}

/** Deletes the rows' notifications and sources. One that is being sent may still arrive. */
export async function deleteTraces(
  trx: Db,
  table: PersonTable,
  ids: readonly number[],
): Promise<void> {
  const kind = ATTRIBUTED[table];
  if (kind) await deleteAttributions(trx, kind, ids);
  return deleteDeliveries(trx, NOTIFICATIONS[table], ids);
}

/**
 * Deletes the rows with all notifications about them and where they came from. A flood has left
 * thousands: on SQLite, what needs no database is answered in between.
 */
export async function eraseRows(
  trx: Db,
  table: PersonTable,
  ids: readonly number[],
): Promise<void> {
  for (const some of chunk(ids)) {
    await deleteTraces(trx, table, some);
    await trx.deleteFrom(table).where('id', 'in', some).execute();
    await setImmediate();
  }
}
