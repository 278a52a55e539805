/** Finds a person's rows in every table, and erases rows with their notifications. */

import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
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
import { orderLinks } from '../own-page/lost-link.server.ts';
import {
  CHUNK_SIZE,
  chunk,
  inBatches,
  MAX_ID,
  sameEmail,
} from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { parseJson } from '../platform/schema.ts';
import { PRICE_NOTIFICATIONS } from '../price-changes/deliver-notice.server.ts';
import { quotesFeature } from '../quotes/quotes-feature.server.ts';
import { safeguardsReport } from '../safeguards/email-report.server.ts';
import { visitorMessages } from '../threads/thread-store.server.ts';

const TABLES = [
  'threads',
  'entries',
  'quotes',
  'orders',
  'safeguardsReports',
  'orderLinkRequests',
] as const;
export type PersonTable = (typeof TABLES)[number];

/** The kinds of notification about the rows of each table, first that whose number people know. */
export const NOTIFICATIONS: Record<PersonTable, readonly NotificationKind[]> = {
  threads: [contactReceived],
  entries: [chatReceived, threadAnswered],
  quotes: quotesFeature.notifications ?? [],
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

/** A person's rows by number, oldest first: of a flood, the rows would fill the memory. */
export interface PersonIds {
  /** Entries are those of the threads. */
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
  const idsOf = async (table: PersonTable) => idsIn(await newestRows(db, table, email, sql`"id"`));
  const orders = await withBilling(db, await newestRows(db, 'orders', email));
  type Thread = Pick<Row<'threads'>, 'id' | 'kind'>;
  const threads = await newestRows<Thread>(db, 'threads', email, sql`"id", "kind"`);
  const ids = {
    threads: idsIn(threads),
    entries: [] as number[],
    quotes: await idsOf('quotes'),
    orders: idsIn(orders),
    safeguardsReports: await idsOf('safeguardsReports'),
    orderLinkRequests: await idsOf('orderLinkRequests'),
  };
  const contacts = new Set(idsIn(threads.filter(({ kind }) => kind === 'contact')));
  const named = { ...ids, threads: [...contacts], entries: [] as number[] };
  for await (const page of entriesOf(db, ids.threads)) {
    ids.entries.push(...idsIn(page));
    const chats = page.filter(
      ({ kind, threadId }) => kind === 'visitor' && !contacts.has(threadId),
    );
    named.entries.push(...idsIn(chats));
  }
  return { ids, named, orders };
}

/** Oldest first. */
async function newestRows<Found extends Id>(
  db: Db,
  table: PersonTable,
  email: string,
  columns = sql`*`,
): Promise<Found[]> {
  const found: Found[] = [];
  // Of a flood, one statement would keep everybody waiting.
  const pages = inBatches<Found>(async (last) => {
    const page = sql<Found>`select ${columns} from ${sql.table(table)}
      where ${sameEmail('email', email)} and "id" < ${last?.id ?? MAX_ID}
      order by "id" desc limit ${CHUNK_SIZE}`;
    return (await page.execute(db)).rows;
  });
  for await (const page of pages) found.push(...page);
  return found.reverse();
}

/** What the rows of others have of a person, some at a time: papers of orders, and emails. */
export async function* findElsewhere(db: Db, email: string) {
  const isOthers = sql<boolean>`("email" is null or not ${sameEmail('email', email)})`;
  const bills = await db
    .selectFrom('orders')
    .select(['id', 'version', 'createdAt as at', 'planName as what'])
    .where(sameEmail('billsTo', email))
    .where(isOthers)
    .execute();
  yield bills.map((row) => ({
    ...row,
    kind: 'billing' as const,
    reference: orderReference(row.id),
  }));
  yield* findPapers(db, email);
  for (const column of ['sender', 'recipient'] as const) {
    const entries = db
      .selectFrom('entries')
      .innerJoin('threads', 'threads.id', 'threadId')
      .select(['threads.id', 'entries.id as entry', 'threads.kind', 'at', 'text as what'])
      .where(isOthers)
      .where(column, 'is not', null)
      .where(sameEmail(column, email))
      .orderBy('entries.id', 'desc')
      .limit(CHUNK_SIZE);
    const pages = inBatches<Awaited<ReturnType<typeof entries.execute>>[number]>((last) =>
      entries.where('entries.id', '<', last?.entry ?? MAX_ID).execute(),
    );
    for await (const page of pages) {
      const last = await visitorMessages(db, [...new Set(idsIn(page))]);
      yield page.map((row) => {
        const reference = threadReference(row, last.get(row.id)?.first);
        return { ...row, kind: 'email' as const, reference };
      });
    }
  }
}

const INVOICES_AT_ONCE = 5_000;

/** Invoices of orders that the person has passed on, by what they say. */
async function* findPapers(db: Db, email: string) {
  const isPerson = (other?: string) => other?.toLowerCase() === email.toLowerCase();
  const some = db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'orderId')
    .select(['invoices.id', 'orderId', 'invoices.createdAt as at', 'billedTo', 'email']);
  const pages = inBatches<Awaited<ReturnType<typeof some.execute>>[number]>((last) => {
    const next = some.where('invoices.id', '>', last?.id ?? '');
    return next.orderBy('invoices.id').limit(INVOICES_AT_ONCE).execute();
  });
  for await (const page of pages)
    yield page.flatMap(({ id: invoice, orderId: id, at, ...row }) => {
      const party: Partial<Order> = Object(parseJson(row.billedTo ?? ''));
      if (!isPerson(party.email) || isPerson(row.email)) return [];
      const what = Object.values(party).filter(Boolean).join(', ');
      return { id, at, what, invoice, kind: 'billing' as const, reference: orderReference(id) };
    });
}

export type Elsewhere = Awaited<ReturnType<typeof findIdsElsewhere>>;

/** The same by number, bills with the version of their order, and by what staff know it by. */
export async function findIdsElsewhere(db: Db, email: string) {
  const entries: number[] = [];
  const bills: [id: number, version: number][] = [];
  const invoices: string[] = [];
  const references = new Set<string>();
  for await (const page of findElsewhere(db, email))
    for (const row of page) {
      references.add(row.reference);
      if ('entry' in row) entries.push(row.entry);
      else if ('invoice' in row) invoices.push(row.invoice);
      else bills.push([row.id, row.version]);
    }
  return { entries, bills, invoices, references };
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
export function referencesIn(records: PersonIds, elsewhere: ReadonlySet<string>): string {
  const { named } = records;
  const first = TABLES.flatMap((table) =>
    named[table].slice(0, MAX_NAMED).map((id) => referenceOf(table, id)),
  );
  const shown = [...first, ...elsewhere].slice(0, MAX_NAMED);
  const own = TABLES.reduce((sum, table) => sum + named[table].length, 0);
  const more = own + elsewhere.size - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Deliveries about a person's rows, some rows at a time. `about`: the row's reference. */
export async function* findNotifications(
  db: Db,
  idsOf: (table: PersonTable) => readonly number[],
): AsyncGenerator<(Row<'outbox'> & { about: string })[]> {
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
