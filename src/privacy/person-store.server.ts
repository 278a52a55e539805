/** Finds the rows that belong to a person: those that hold their address, and what was said beside it. */
import type { Kysely } from 'kysely';
import { chunk } from '../platform/chunk.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';
import {
  type ChatRow,
  chatTrace,
  idsOf,
  messageTrace,
  orderTrace,
  quoteTrace,
  type Trace,
  type Traces,
} from './traces.server.ts';

type Db = Kysely<Tables>;

/** The oldest first. */
export async function tracesOf(db: Db, email: string): Promise<Traces> {
  const rowsIn = (table: 'contactSubmissions' | 'quotes' | 'orders') =>
    db.selectFrom(table).select('id').where(sameAddress('email', email)).orderBy('id').execute();
  return {
    messages: (await rowsIn('contactSubmissions')).map(messageTrace),
    chatMessages: (await chatsOf(db, email)).map(chatTrace),
    quotes: (await rowsIn('quotes')).map(quoteTrace),
    orders: (await rowsIn('orders')).map(orderTrace),
  };
}

/** Messages with the address; one without any belongs to the address that comes next in the conversation, or came last. */
async function chatsOf(db: Db, email: string): Promise<ChatRow[]> {
  const own = sameAddress('email', email);
  const rows = await db
    .selectFrom('chatMessages')
    .select(['id', 'conversation', 'email', own.as('own')])
    .where('conversation', 'in', db.selectFrom('chatMessages').select('conversation').where(own))
    .orderBy('id')
    .execute();
  const found: typeof rows = [];
  for (const said of Map.groupBy(rows, ({ conversation }) => conversation).values()) {
    let speaker = said.findLast((row) => row.email !== null);
    for (const row of said.toReversed()) {
      if (row.email !== null) speaker = row;
      if (speaker?.own) found.push(row);
    }
  }
  return found.sort((a, b) => a.id - b.id);
}

/** So many rows are read at once: a message has up to 5,000 characters. */
const ROWS = 100;

export async function* messagesOf(
  db: Db,
  traces: readonly Trace[],
): AsyncGenerator<Row<'contactSubmissions'>[]> {
  const rows = db.selectFrom('contactSubmissions').selectAll().orderBy('id');
  for (const some of chunk(idsOf(traces), ROWS)) yield rows.where('id', 'in', some).execute();
}

export async function* chatMessagesOf(
  db: Db,
  traces: readonly Trace[],
): AsyncGenerator<Row<'chatMessages'>[]> {
  const rows = db.selectFrom('chatMessages').selectAll().orderBy('id');
  for (const some of chunk(idsOf(traces), ROWS)) yield rows.where('id', 'in', some).execute();
}

export async function* quotesOf(db: Db, traces: readonly Trace[]): AsyncGenerator<Row<'quotes'>[]> {
  const rows = db.selectFrom('quotes').selectAll().orderBy('id');
  for (const some of chunk(idsOf(traces), ROWS)) yield rows.where('id', 'in', some).execute();
}

export async function* ordersOf(db: Db, traces: readonly Trace[]): AsyncGenerator<Row<'orders'>[]> {
  const rows = db.selectFrom('orders').selectAll().orderBy('id');
  for (const some of chunk(idsOf(traces), ROWS)) yield rows.where('id', 'in', some).execute();
}

export function ordersAt(db: Db, email: string): Promise<Row<'orders'>[]> {
  return db.selectFrom('orders').selectAll().where(sameAddress('email', email)).execute();
}

/** The ids of the person's customers at Stripe, which are erased there. */
export async function customersOf(db: Db, email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('customerId')
    .distinct()
    .where(sameAddress('email', email))
    .execute();
  return rows.flatMap(({ customerId }) => customerId ?? []);
}
