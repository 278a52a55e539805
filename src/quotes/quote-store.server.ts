/** The queries of quotes, of the links that lead to them, and of the reminders that are due. */
import { createHash, randomBytes } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import type { Ms365Option } from '../catalogue/pricing.ts';
import { contains, nextNumber, selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db, Flag, NewRow, Row } from '../platform/database/tables.server.ts';
import { QUOTE_PAGE, type QuoteState } from './quote.ts';
import { QUOTES_PAGE, type QuoteFilter } from './quote-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    quotes: QuoteTable;
    quoteLinks: QuoteLinkTable;
  }
}

interface QuoteTable {
  id: number;
  name: string;
  email: string;
  company: string | null;
  /** Printed on the quote. */
  note: string | null;
  planId: number;
  /** As it was then. */
  planName: string;
  ms365Option: Ms365Option;
  ms365Users: number;
  includeCloudBackup: Flag;
  /** What is charged a month, the discount taken off the plan: JSON of `PriceLine[]`. */
  priceLines: string;
  amountCents: number;
  /** Null also where the discount was given in dollars. */
  discountPercent: number | null;
  discountCents: number;
  discountReason: string | null;
  /** Who of staff made it; null for a visitor's own. */
  madeBy: string | null;
  createdAt: number;
  changedAt: number;
  expiresAt: number;
  withdrawnAt: number | null;
  /** When its page was last opened by a visitor, and how often. */
  lastOpenedAt: number | null;
  opened: Generated<number>;
  /** When the next reminder is due; null when none is left. */
  remindAt: number | null;
  remindersStopped: Generated<Flag>;
}

/** The quote's address holds the token, the database its hash; each email brings a token of its own. */
interface QuoteLinkTable {
  tokenHash: string;
  quoteId: number;
}

/** With when it was paid, and the newest order that came of it. */
export interface Quote extends Row<'quotes'> {
  acceptedAt: number | null;
  orderId: number | null;
}

function allQuotes(db: Db) {
  return db
    .selectFrom('quotes')
    .selectAll('quotes')
    .select(({ selectFrom }) => [
      selectFrom('orders')
        .innerJoin('orderHistory', 'orderHistory.orderId', 'orders.id')
        .select(({ fn }) => fn.min<number>('orderHistory.at').as('at'))
        .whereRef('orders.quoteId', '=', 'quotes.id')
        .where('orderHistory.status', '=', 'paid')
        .as('acceptedAt'),
      selectFrom('orders')
        .select(({ fn }) => fn.max<number>('orders.id').as('id'))
        .whereRef('orders.quoteId', '=', 'quotes.id')
        .as('orderId'),
    ]);
}

export function findQuote(db: Db, id: number): Promise<Quote | undefined> {
  return allQuotes(db).where('quotes.id', '=', id).executeTakeFirst();
}

/** The quote that the token of a link leads to; undefined for one that is cut, forged or gone. */
export async function findLinkedQuote(db: Db, token: string): Promise<Quote | undefined> {
  if (!/^[\w-]{22}$/.test(token)) return undefined;
  return allQuotes(db)
    .innerJoin('quoteLinks', 'quoteLinks.quoteId', 'quotes.id')
    .where('quoteLinks.tokenHash', '=', hashOf(token))
    .executeTakeFirst();
}

/** A new address of the quote, which holds 128 random bits; earlier ones stay good. */
export async function addQuoteLink(db: Db, publicUrl: string, quoteId: number): Promise<string> {
  const token = randomBytes(16).toString('base64url');
  const link = { quoteId, tokenHash: hashOf(token) };
  await db.insertInto('quoteLinks').values(link).execute();
  return publicUrl + QUOTE_PAGE.path.replace(':token', token);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Saves it under a number that does not tell how many there are. */
export async function insertQuote(trx: Db, quote: Omit<NewRow<'quotes'>, 'id'>): Promise<number> {
  for (;;) {
    const id = await nextNumber(trx, 'quotes');
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('quotes')
      .values({ ...quote, id })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows) return id;
    // Another instance has the number.
  }
}

/** Locks the quote until the transaction ends; false when it has been changed or withdrawn since it was read. */
export async function lockQuote(trx: Db, { id, changedAt }: Quote): Promise<boolean> {
  const unchanged = trx
    .selectFrom('quotes')
    .select('id')
    .where('id', '=', id)
    .where('changedAt', '=', changedAt)
    .where('withdrawnAt', 'is', null);
  return (await selectForUpdate(unchanged, trx).executeTakeFirst()) !== undefined;
}

export async function updateQuote(
  trx: Db,
  id: number,
  changed: Partial<NewRow<'quotes'>>,
): Promise<void> {
  await trx.updateTable('quotes').set(changed).where('id', '=', id).execute();
}

/** Loading a page again and again is one visit. */
const ONE_VISIT_MS = 60_000;

export async function countOpening(db: Db, id: number, now: number): Promise<void> {
  await db
    .updateTable('quotes')
    .set(({ eb }) => ({ opened: eb('opened', '+', 1), lastOpenedAt: now }))
    .where('id', '=', id)
    .where(({ or, eb }) =>
      or([eb('lastOpenedAt', 'is', null), eb('lastOpenedAt', '<=', now - ONE_VISIT_MS)]),
    )
    .execute();
}

/** Open ones of which a reminder is due, the longest due first. */
export function findDueForReminder(db: Db, now: number, limit: number): Promise<Quote[]> {
  return allQuotes(db)
    .where('remindAt', '<=', now)
    .where('expiresAt', '>', now)
    .where('remindersStopped', '=', 0)
    .where('withdrawnAt', 'is', null)
    .orderBy('remindAt')
    .limit(limit)
    .execute();
}

/** Keeps when the next reminder is due; false when another server has done so. */
export async function setNextReminder(
  trx: Db,
  { id, remindAt }: Quote,
  next: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('quotes')
    .set({ remindAt: next })
    .where('id', '=', id)
    .where('remindAt', '=', remindAt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function listQuotes(db: Db, filter: QuoteFilter, now: number): Promise<Quote[]> {
  const { words, state, page } = filter;
  const found = searchQuotes(db, words, now).selectAll();
  return (state ? found.where('state', '=', state) : found)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(QUOTES_PAGE)
    .offset((page - 1) * QUOTES_PAGE)
    .execute();
}

export async function countQuotes(
  db: Db,
  words: string,
  now: number,
): Promise<Partial<Record<QuoteState, number>>> {
  const rows = await searchQuotes(db, words, now)
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

/** Every word must stand in the name, the company, the address, the plan or the number. The state as by quoteState. */
function searchQuotes(db: Db, words: string, now: number) {
  let found = allQuotes(db);
  for (const word of words.toLowerCase().match(/\S+/g) ?? []) {
    const columns = ['name', 'company', 'email', 'planName'].map((each) => contains(each, word));
    const number = /^(?:q-)?(\d{1,9})$/.exec(word)?.[1];
    found = found.where(({ or, eb }) =>
      or(number ? [...columns, eb('id', '=', Number(number))] : columns),
    );
  }
  const state = sql<QuoteState>`case when "acceptedAt" is not null then 'accepted' when "withdrawnAt" is not null then 'withdrawn' when "expiresAt" <= ${now} then 'expired' else 'open' end`;
  const quotes = db.selectFrom(found.as('found')).selectAll().select(state.as('state'));
  return db.selectFrom(quotes.as('quote'));
}
