/** Finds and erases the rows that belong to a person: those that hold their address, and what was said beside it. */
import type { Kysely } from 'kysely';
import { chatReference, chatTopic } from '../chat/chat-message.ts';
import { contactReference, contactTopic } from '../contact/contact-message.ts';
import type { Subject } from '../notify/deliveries-about.server.ts';
import { ERASED_BUYER, orderReference, orderTopic } from '../orders/order.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';
import { inPieces } from '../platform/in-pieces.ts';
import { quoteReference, quoteTopic } from '../quotes/quote-reference.ts';

type Db = Kysely<Tables>;

/** One row of a table. */
export type Trace = Subject;

export interface Traces {
  messages: Trace[];
  chatMessages: Trace[];
  quotes: Trace[];
  orders: Trace[];
}

export function allOf({ messages, chatMessages, quotes, orders }: Traces): Trace[] {
  return [...messages, ...chatMessages, ...quotes, ...orders];
}

const MOST_NAMED = 20;

/** 'C-4, T-9, O-12', for a record that must not grow without end. */
export function referencesIn(traces: readonly Trace[]): string {
  const named = traces.slice(0, MOST_NAMED).map(({ reference }) => reference);
  const more = traces.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

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

export function messageTrace({ id }: { id: number }): Trace {
  return { id, reference: contactReference(id), topic: contactTopic(id) };
}

interface ChatRow {
  id: number;
  conversation: string;
}

export function chatTrace({ id, conversation }: ChatRow): Trace {
  return { id, reference: chatReference(id), topic: chatTopic(conversation) };
}

export function quoteTrace({ id }: { id: number }): Trace {
  return { id, reference: quoteReference(id), topic: quoteTopic(id) };
}

function orderTrace({ id }: { id: number }): Trace {
  return { id, reference: orderReference(id), topic: orderTopic(id) };
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
  for (const some of inPieces(idsOf(traces), ROWS)) yield rows.where('id', 'in', some).execute();
}

export async function* chatMessagesOf(
  db: Db,
  traces: readonly Trace[],
): AsyncGenerator<Row<'chatMessages'>[]> {
  const rows = db.selectFrom('chatMessages').selectAll().orderBy('id');
  for (const some of inPieces(idsOf(traces), ROWS)) yield rows.where('id', 'in', some).execute();
}

export async function* quotesOf(db: Db, traces: readonly Trace[]): AsyncGenerator<Row<'quotes'>[]> {
  const rows = db.selectFrom('quotes').selectAll().orderBy('id');
  for (const some of inPieces(idsOf(traces), ROWS)) yield rows.where('id', 'in', some).execute();
}

export async function* ordersOf(db: Db, traces: readonly Trace[]): AsyncGenerator<Row<'orders'>[]> {
  const rows = db.selectFrom('orders').selectAll().orderBy('id');
  for (const some of inPieces(idsOf(traces), ROWS)) yield rows.where('id', 'in', some).execute();
}

function idsOf(traces: readonly Trace[]): number[] {
  return traces.map(({ id }) => id);
}

export async function forgetMessages(
  trx: Db,
  { messages, chatMessages, quotes }: Omit<Traces, 'orders'>,
): Promise<void> {
  for (const some of inPieces(idsOf(quotes))) {
    await trx.deleteFrom('quoteLinks').where('quoteId', 'in', some).execute();
  }
  const tables = { contactSubmissions: messages, chatMessages, quotes };
  for (const table of ['contactSubmissions', 'chatMessages', 'quotes'] as const) {
    for (const some of inPieces(idsOf(tables[table]))) {
      await trx.deleteFrom(table).where('id', 'in', some).execute();
    }
  }
}

export function ordersAt(db: Db, email: string): Promise<Row<'orders'>[]> {
  return db.selectFrom('orders').selectAll().where(sameAddress('email', email)).execute();
}

/** Nobody else erases or changes these rows until the transaction ends. */
export async function lockPerson(trx: Db, email: string): Promise<void> {
  for (const table of ['orders', 'quotes', 'contactSubmissions', 'chatMessages'] as const) {
    await trx
      .updateTable(table)
      .set(({ ref }) => ({ email: ref('email') }))
      .where(sameAddress('email', email))
      .execute();
  }
}

/**
 * Leaves of the orders what the books need. The browsers and links that could see them can no longer, and no key or
 * hash is left by which somebody could try whose they were.
 */
export async function forgetBuyer(trx: Db, orders: readonly Trace[], note: string): Promise<void> {
  const at = Date.now();
  for (const some of inPieces(idsOf(orders))) {
    await trx
      .updateTable('orders')
      .set({
        ...ERASED_BUYER,
        postalCode: null,
        billingAddress: null,
        idempotencyKey: null,
        requestHash: '',
      })
      .where('id', 'in', some)
      .execute();
    await trx.deleteFrom('orderAccess').where('orderId', 'in', some).execute();
    await trx
      .insertInto('orderNotes')
      .values(some.map((orderId) => ({ orderId, at, note })))
      .execute();
  }
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

/** So many go at once. */
const RESTING = 200;

/** Those received before `time`, the oldest first. */
export function restingMessages(db: Db, time: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('contactSubmissions')
    .select('id')
    .where('createdAt', '<', time)
    .orderBy('createdAt')
    .limit(RESTING)
    .execute();
}

/** Those that ended before `time`, paid or not: the order has all that was bought. */
export function restingQuotes(db: Db, time: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('quotes')
    .select('id')
    .where('expiresAt', '<', time)
    .orderBy('expiresAt')
    .limit(RESTING)
    .execute();
}

/** Those of conversations in which nothing has been said since `time`. */
export function restingChats(db: Db, time: number): Promise<ChatRow[]> {
  return db
    .selectFrom('chatMessages')
    .select(['id', 'conversation'])
    .where('createdAt', '<', time)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chatMessages as later')
            .select('later.id')
            .whereRef('later.conversation', '=', 'chatMessages.conversation')
            .where('later.createdAt', '>=', time),
        ),
      ),
    )
    .orderBy('createdAt')
    .limit(RESTING)
    .execute();
}
