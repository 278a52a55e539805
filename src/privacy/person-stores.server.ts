/** Finds a person's rows in every table with personal data, and erases rows with their notifications. */

import { orderLinks } from '../account/lost-link.server.ts';
import { chatReceived } from '../chat/chat-message.server.ts';
import { contactReceived } from '../contact/contact-message.server.ts';
import { deleteLeads, type LeadKind, sourceOf } from '../leads/lead-store.server.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import { deleteDeliveries, findDeliveries } from '../notifications/outbox-store.server.ts';
import { ORDER_NOTIFICATIONS } from '../orders/order-mails.server.ts';
import { chunk, sameEmail } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import {
  quoteChanged,
  quoteReminder,
  quoteSaved,
  quoteStored,
} from '../quotes/quote-mails.server.ts';
import { safeguardsReport } from '../safeguards/email-report.server.ts';

const TABLES = [
  'contactSubmissions',
  'chatMessages',
  'quotes',
  'orders',
  'safeguardsReports',
  'orderLinkRequests',
] as const;
export type PersonTable = (typeof TABLES)[number];

/** The kinds of notification about the rows of each table. */
const NOTIFICATIONS: Record<PersonTable, readonly NotificationKind[]> = {
  contactSubmissions: [contactReceived],
  chatMessages: [chatReceived],
  quotes: [quoteSaved, quoteStored, quoteChanged, quoteReminder],
  orders: ORDER_NOTIFICATIONS,
  safeguardsReports: [safeguardsReport],
  orderLinkRequests: [orderLinks],
};

/** The kinds of sources that are stored beside the rows. */
const LEADS: Partial<Record<PersonTable, LeadKind>> = {
  contactSubmissions: 'message',
  chatMessages: 'chat',
  quotes: 'quote',
  orders: 'order',
};

interface Id {
  id: number;
}

/** A person's rows by table, oldest first. */
export type PersonRecords = { [Table in PersonTable]: Row<Table>[] };

/** `most`: rows of each table, the newest. Anyone can send any number of messages with someone's address. */
export async function findRecords(
  db: Db,
  email: string,
  most = Number.MAX_SAFE_INTEGER,
): Promise<PersonRecords> {
  const ofPerson = sameEmail('email', email);
  const messages = db
    .selectFrom('contactSubmissions')
    .selectAll()
    .where(ofPerson)
    .orderBy('id', 'desc');
  const quotes = db.selectFrom('quotes').selectAll().where(ofPerson).orderBy('id', 'desc');
  const orders = db.selectFrom('orders').selectAll().where(ofPerson).orderBy('id', 'desc');
  const reports = db
    .selectFrom('safeguardsReports')
    .selectAll()
    .where(ofPerson)
    .orderBy('id', 'desc');
  const links = db
    .selectFrom('orderLinkRequests')
    .selectAll()
    .where(ofPerson)
    .orderBy('id', 'desc');
  return {
    contactSubmissions: (await messages.limit(most).execute()).reverse(),
    chatMessages: await findChats(db, email, most),
    quotes: (await quotes.limit(most).execute()).reverse(),
    orders: (await orders.limit(most).execute()).reverse(),
    safeguardsReports: (await reports.limit(most).execute()).reverse(),
    orderLinkRequests: (await links.limit(most).execute()).reverse(),
  };
}

/**
 * Finds the chat messages sent with the address. A message sent without one belongs to the next address in its
 * conversation, or to the last if none follows.
 */
async function findChats(db: Db, email: string, most: number): Promise<Row<'chatMessages'>[]> {
  const ofPerson = sameEmail('email', email);
  const newestFirst = await db
    .selectFrom('chatMessages')
    .selectAll()
    .select(ofPerson.as('own'))
    .where(
      'conversation',
      'in',
      db.selectFrom('chatMessages').select('conversation').where(ofPerson),
    )
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  const rows = newestFirst.reverse();
  const ownMessages: Row<'chatMessages'>[] = [];
  for (const messages of Map.groupBy(rows, ({ conversation }) => conversation).values()) {
    let isOwn = messages.findLast(({ email }) => email !== null)?.own;
    for (const { own, ...message } of messages.toReversed()) {
      if (message.email !== null) isOwn = own;
      if (isOwn) ownMessages.push(message);
    }
  }
  return ownMessages.sort((one, other) => one.id - other.id);
}

/** The row's number as people see it, for example 'C-4'. */
export function referenceOf(table: PersonTable, id: number): string {
  return NOTIFICATIONS[table][0]?.reference(id) ?? '';
}

/** Where the person came from who sent the row. */
export async function personSource(db: Db, table: PersonTable, id: number): Promise<string | null> {
  const kind = LEADS[table];
  return kind ? sourceOf(db, kind, id) : null;
}

const MAX_NAMED = 20;

/** Lists the references of all rows, for example 'C-4, T-9, O-12', and counts those after the first 20. */
export function referencesIn(records: PersonRecords): string {
  const all = TABLES.flatMap((table) => records[table].map(({ id }) => referenceOf(table, id)));
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return all.slice(0, MAX_NAMED).join(', ') + more;
}

/** A delivery about one of a person's rows, in any state. `about`: the row's reference. */
export type PersonDelivery = Row<'outbox'> & { about: string };

/** All deliveries about the person's rows, oldest first. */
export async function findNotifications(db: Db, records: PersonRecords): Promise<PersonDelivery[]> {
  const deliveries: PersonDelivery[] = [];
  for (const table of TABLES) {
    const ids = records[table].map(({ id }) => id);
    const rows = await findDeliveries(db, NOTIFICATIONS[table], ids);
    deliveries.push(...rows.map((row) => ({ ...row, about: referenceOf(table, row.subjectId) })));
  }
  return deliveries.sort((one, other) => one.id - other.id);
}

/** Deletes all notifications about the rows, and where they came from. One that is being sent at this moment may still arrive. */
export async function deleteTraces(
  trx: Db,
  table: PersonTable,
  rows: readonly Id[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const kind = LEADS[table];
  if (kind) await deleteLeads(trx, kind, ids);
  return deleteDeliveries(trx, NOTIFICATIONS[table], ids);
}

/** Deletes the rows with all notifications about them and where they came from. */
export async function eraseRows(trx: Db, table: PersonTable, rows: readonly Id[]): Promise<void> {
  await deleteTraces(trx, table, rows);
  for (const ids of chunk(rows.map(({ id }) => id)))
    await trx.deleteFrom(table).where('id', 'in', ids).execute();
}
