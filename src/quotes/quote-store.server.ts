/** The queries of quotes, of the links that lead to them, and of the reminders that are due. */
import { createHash, randomBytes } from 'node:crypto';
import { type Generated, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Ms365Option } from '../catalogue/pricing.ts';
import { contains, selectForUpdate } from '../platform/database/queries.server.ts';
import type { Flag, NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import { QUOTE_PAGE, QUOTE_STATES, type QuoteState } from './quote.ts';
import { QUOTES_PAGE, type QuoteFilter } from './quote-api.ts';

type Db = Kysely<Tables>;

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
  /** When its page was opened by somebody who is not staff: first, last, and how often. */
  openedAt: number | null;
  lastOpenedAt: number | null;
  opened: Generated<number>;
  /** How many of the reminders have been sent, or will not be. */
  reminded: Generated<number>;
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

export function findQuote(db: Db, id: number): Promise<Quote | undefined> {
  return allQuotes(db).where('quotes.id', '=', id).executeTakeFirst();
}

const TOKEN = /^[\w-]{22}$/;

/** The quote that the token of a link leads to; undefined for one that is cut, forged or gone. */
export async function findLinkedQuote(db: Db, token: string): Promise<Quote | undefined> {
  if (!TOKEN.test(token)) return undefined;
  return allQuotes(db)
    .innerJoin('quoteLinks', 'quoteLinks.quoteId', 'quotes.id')
    .where('quoteLinks.tokenHash', '=', hashOf(token))
    .executeTakeFirst();
}

/** A new address of the quote, which holds 128 random bits; earlier ones stay good. */
export async function addQuoteLink(db: Db, publicUrl: string, quoteId: number): Promise<string> {
  const token = randomBytes(16).toString('base64url');
  await db
    .insertInto('quoteLinks')
    .values({ quoteId, tokenHash: hashOf(token) })
    .execute();
  return publicUrl + QUOTE_PAGE.path.replace(':token', token);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function allQuotes(db: Db): SelectQueryBuilder<Tables, 'quotes', Quote> {
  return db
    .selectFrom('quotes')
    .selectAll('quotes')
    .select(({ selectFrom }) => [
      selectFrom('orders')
        .innerJoin('orderStatuses', 'orderStatuses.orderId', 'orders.id')
        .select(({ fn }) => fn.min<number>('orderStatuses.at').as('at'))
        .whereRef('orders.quoteId', '=', 'quotes.id')
        .where('orderStatuses.status', '=', 'paid')
        .as('acceptedAt'),
      selectFrom('orders')
        .select(({ fn }) => fn.max<number>('orders.id').as('id'))
        .whereRef('orders.quoteId', '=', 'quotes.id')
        .as('orderId'),
    ]);
}

/** Undefined when the number was taken in the meantime. */
export function insertQuote(trx: Db, quote: NewRow<'quotes'>): Promise<Row<'quotes'> | undefined> {
  return trx
    .insertInto('quotes')
    .values(quote)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * Nobody else changes the quote until the transaction ends; false when it has been changed or withdrawn since it was
 * read.
 */
export async function holdQuote(
  trx: Db,
  { id, changedAt }: Pick<Quote, 'id' | 'changedAt'>,
): Promise<boolean> {
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
    .set(({ ref, fn }) => ({
      opened: sql<number>`${ref('opened')} + 1`,
      openedAt: fn.coalesce('openedAt', sql<number>`cast(${now} as bigint)`),
      lastOpenedAt: now,
    }))
    .where('id', '=', id)
    .where(({ or, eb }) =>
      or([eb('lastOpenedAt', 'is', null), eb('lastOpenedAt', '<=', now - ONE_VISIT_MS)]),
    )
    .execute();
}

/** Open ones that end before `until` and have been reminded of fewer than `most` times, the first to end first. */
export function endingQuotes(
  db: Db,
  { now, until, most, limit }: { now: number; until: number; most: number; limit: number },
): Promise<Quote[]> {
  return allQuotes(db)
    .where('expiresAt', '>', now)
    .where('expiresAt', '<=', until)
    .where('reminded', '<', most)
    .where('remindersStopped', '=', 0)
    .where('withdrawnAt', 'is', null)
    .orderBy('expiresAt')
    .limit(limit)
    .execute();
}

/** Keeps that a reminder is sent; false when somebody else has done so. */
export async function countReminder(
  trx: Db,
  { id, reminded }: Pick<Quote, 'id' | 'reminded'>,
  due: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('quotes')
    .set({ reminded: due })
    .where('id', '=', id)
    .where('reminded', '=', reminded)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The quotes that staff look for, newest first, a page at a time. */
export function listQuotes(db: Db, filter: QuoteFilter, now: number): Promise<Quote[]> {
  const { words, state, page } = filter;
  const found = searched(db, words);
  const from = (page - 1) * QUOTES_PAGE;
  if (!state) {
    const newest = found.orderBy('createdAt', 'desc').orderBy('id', 'desc');
    return newest.limit(QUOTES_PAGE).offset(from).execute();
  }
  const newest = withState(db, found, now)
    .where('state', '=', state)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc');
  return newest.limit(QUOTES_PAGE).offset(from).execute();
}

export async function countQuotes(
  db: Db,
  words: string,
  now: number,
): Promise<Partial<Record<QuoteState, number>>> {
  const rows = await withState(db, searched(db, words), now)
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  return Object.fromEntries(
    QUOTE_STATES.flatMap((state) =>
      rows.filter((row) => row.state === state).map(({ count }) => [state, Number(count)]),
    ),
  );
}

/** Every word must stand in the name, the company, the address, the plan or the number. */
function searched(db: Db, words: string) {
  let found = allQuotes(db);
  for (const word of words.toLowerCase().match(/\S+/g) ?? []) {
    const numbers = [...word.matchAll(/^(?:q-)?(\d{1,9})$/g)];
    found = found.where((where) =>
      where.or([
        ...['name', 'company', 'email', 'planName'].map((column) => contains(column, word)),
        ...numbers.map(([, number]) => where('id', '=', Number(number))),
      ]),
    );
  }
  return found;
}

/** The same as quoteState. */
function withState(db: Db, found: ReturnType<typeof searched>, now: number) {
  const state = sql<QuoteState>`case when ${sql.ref('acceptedAt')} is not null then 'accepted' when ${sql.ref('withdrawnAt')} is not null then 'withdrawn' when ${sql.ref('expiresAt')} <= ${now} then 'expired' else 'open' end`;
  const quotes = db.selectFrom(found.as('found')).selectAll().select(state.as('state'));
  return db.selectFrom(quotes.as('quote'));
}
