/** What else a person has: other threads, orders and quotes. */

import { type Order, withBilling } from '../billing/billed-order.server.ts';
import { isRunning } from '../billing/order-status.ts';
import { findOrder } from '../billing/order-store.server.ts';
import { orderReference, quoteReference } from '../billing/reference.ts';
import { orderJson } from '../orders/order-json.server.ts';
import { wordsOf } from '../orders/status-words.ts';
import { readNumber, sameEmail } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { toDollars } from '../platform/money.ts';
import { isoTime } from '../platform/time.ts';
import { QUOTE_LABELS, quoteState } from '../quotes/quote.ts';
import { findQuote, findQuotesOf, type Quote } from '../quotes/quote-store.server.ts';
import { recordPath } from '../routes.ts';
import { type VisitorMessages, visitorMessages } from '../threads/thread-store.server.ts';
import { type RelatedJson, STATUS_LABELS } from './inbox-api.ts';
import { threadReference } from './thread-answered.server.ts';

const MAX_RELATED = 20;
const MAX_EXCERPT = 200;

/** The newest of everything else with the thread's address. */
export async function findRelated(db: Db, { id, email }: Row<'threads'>): Promise<RelatedJson[]> {
  if (email === null) return [];
  const ofPerson = sameEmail('email', email);
  const threads = db.selectFrom('threads').selectAll().where(ofPerson).where('id', '!=', id);
  const orders = db.selectFrom('orders').selectAll().where(ofPerson);
  const others = await threads.orderBy('id', 'desc').limit(MAX_RELATED).execute();
  const newest = await orders.orderBy('id', 'desc').limit(MAX_RELATED).execute();
  const ids = others.map((thread) => thread.id);
  const messages = await visitorMessages(db, ids);
  const related = [
    ...others.map((thread) => threadOfPerson(thread, messages.get(thread.id))),
    ...(await findQuotesOf(db, email, MAX_RELATED)).map(quoteOfPerson),
    ...(await withBilling(db, newest)).map(orderOfPerson),
  ];
  return related.sort((one, other) => other.at.localeCompare(one.at));
}

const TONES = { new: 'primary', waiting: 'amber', answered: 'neutral', spam: 'danger' } as const;

function threadOfPerson(thread: Row<'threads'>, messages: VisitorMessages | undefined) {
  return {
    reference: threadReference(thread, messages?.first),
    path: recordPath('inbox', thread.id),
    about: (messages?.text ?? '').slice(0, MAX_EXCERPT).toWellFormed(),
    at: isoTime(thread.lastAt),
    badge: { label: STATUS_LABELS[thread.status], tone: TONES[thread.status] },
  };
}

function quoteOfPerson(quote: Quote) {
  const state = quoteState(quote, Date.now());
  return {
    reference: quoteReference(quote.id),
    path: recordPath('quotes', quote.id),
    about: quote.planName,
    at: isoTime(quote.createdAt),
    amount: toDollars(quote.amountCents),
    badge: { label: QUOTE_LABELS[state], tone: state === 'accepted' ? 'primary' : 'neutral' },
  } as const;
}

function orderOfPerson(order: Order) {
  const json = orderJson(order);
  const { amount, planName, createdAt, status } = json;
  const words = wordsOf(json);
  return {
    reference: orderReference(order.id),
    path: recordPath('orders', order.id),
    about: planName,
    at: createdAt,
    amount,
    badge: words && { label: words.staff, tone: words.tone },
    runs: isRunning(status),
  };
}

/** The order or quote with this number. Without a letter it may be either. */
export async function findSale(
  db: Db,
  words: string,
): Promise<{ email: string; json: RelatedJson } | undefined> {
  const { letter, id } = readNumber(words);
  const order = id && letter !== 'q' ? await findOrder(db, id) : undefined;
  if (order) return named(order, orderOfPerson(order));
  const quote = id && letter !== 'o' ? await findQuote(db, id) : undefined;
  return quote && named(quote, quoteOfPerson(quote));
}

function named({ name, email }: Pick<Order, 'name' | 'email'>, json: RelatedJson) {
  return { email, json: { ...json, about: `${name}, ${json.about}` } };
}
