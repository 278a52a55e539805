/** The tables and queries of quotes, their links and their reminders. */

import { createHmac, hash, randomBytes } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import { kindsWith } from '../billing/event-kinds.server.ts';
import { ALL_TIMES, type Times } from '../company/days.ts';
import { LIST_PAGE_SIZE, MAX_LISTED } from '../limits.ts';
import {
  inBatches,
  isFoundBy,
  nextNumber,
  olderThan,
  sameEmail,
  selectForUpdate,
  signingKey,
} from '../platform/database/queries.server.ts';
import type { Db, NewRow, Row } from '../platform/database/tables.server.ts';
import type { ListFilter } from '../platform/list-query.ts';
import type { Cents } from '../platform/money.ts';
import { MINUTE_MS } from '../platform/time.ts';
import { CHECKOUT_PAGES, fillPath } from '../routes.ts';
import { type QuoteState, quoteState } from './quote.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    quotes: {
      id: number;
      name: string;
      email: string;
      company: string | null;
      note: string | null;
      planId: number;
      /** The plan's name when the quote was made. */
      planName: string;
      ms365Option: string;
      ms365Users: number;
      includeCloudBackup: Flag;
      /** JSON of `PriceLine[]`, per month; the plan's line includes the discount. */
      priceLines: string;
      amountCents: Cents;
      /** What is charged once: JSON of `PriceLine[]`. */
      once: Generated<string>;
      /** The company's day on which the plan starts; null for the day of its acceptance. */
      startsOn: string | null;
      /** Null without a discount, or if it was given in dollars. */
      discountPercent: number | null;
      discountCents: Cents;
      discountReason: string | null;
      /** The member of staff; null if a visitor made it. */
      madeById: number | null;
      createdAt: number;
      changedAt: number;
      expiresAt: number;
      withdrawnAt: number | null;
      /** When a visitor last viewed it, and how many times. */
      lastOpenedAt: number | null;
      opened: Generated<number>;
      /** When the next reminder is due; null when none is left. */
      remindAt: number | null;
      remindersStopped: Generated<Flag>;
      /** How many days an invoice may be paid in; null when the quote is paid by card. */
      dueDays: number | null;
      /** Whether the Safeguards addendum is accepted with it. */
      addendum: Generated<Flag>;
    };
    /** Under which a visitor may repeat the request for a quote. */
    quoteKeys: {
      key: string;
      requestHash: string;
      quoteId: number;
      /** Whether its link was mailed. */
      emailed: Flag;
    };
    /** The URL contains the token, the database only its hash. Each email has its own token. */
    quoteLinks: {
      tokenHash: string;
      quoteId: number;
    };
  }
}

/** A quote with the time it was paid or accepted, and the newest order placed with it. */
export interface Quote extends Row<'quotes'> {
  acceptedAt: number | null;
  orderId: number | null;
  /** Who accepted it, as typed. */
  acceptedBy: string | null;
  /** What the maker is called today; null for a visitor, or if the account is gone. */
  madeBy: string | null;
  /** The same, for customers. */
  preparedBy: string | null;
}

function allQuotes(db: Db, listed = db.selectFrom('quotes').selectAll()) {
  return db
    .selectFrom(listed.as('quotes'))
    .selectAll('quotes')
    .select(({ selectFrom }) => [
      selectFrom('orders')
        .innerJoin('orderEvents', 'orderEvents.orderId', 'orders.id')
        .select(({ fn }) => fn.min<number>('orderEvents.at').as('at'))
        .whereRef('orders.quoteId', '=', 'quotes.id')
        .where('orderEvents.kind', 'in', kindsWith('acceptance'))
        .as('acceptedAt'),
      selectFrom('orders')
        .select(({ fn }) => fn.max<number>('orders.id').as('id'))
        .whereRef('orders.quoteId', '=', 'quotes.id')
        .as('orderId'),
      selectFrom('orders')
        .select('acceptedName')
        .whereRef('orders.quoteId', '=', 'quotes.id')
        .orderBy('orders.id', 'desc')
        .limit(1)
        .as('acceptedBy'),
      selectFrom('accounts')
        .select('accounts.name')
        .whereRef('accounts.id', '=', 'quotes.madeById')
        .as('madeBy'),
      selectFrom('accounts')
        .select('accounts.publicName')
        .whereRef('accounts.id', '=', 'quotes.madeById')
        .as('preparedBy'),
    ]);
}

export function findQuote(db: Db, id: number): Promise<Quote | undefined> {
  return allQuotes(db).where('quotes.id', '=', id).executeTakeFirst();
}

export function findQuotesOf(db: Db, email: string, limit: number): Promise<Quote[]> {
  const ofPerson = db.selectFrom('quotes').selectAll().where(sameEmail('email', email));
  return allQuotes(db, ofPerson.orderBy('id', 'desc').limit(limit)).execute();
}

export function findLinkedQuote(db: Db, token: string): Promise<Quote | undefined> {
  return allQuotes(db)
    .innerJoin('quoteLinks', 'quoteLinks.quoteId', 'quotes.id')
    .where('quoteLinks.tokenHash', '=', hash('sha256', token))
    .executeTakeFirst();
}

export async function findQuoteByKey(db: Db, key: string) {
  return db
    .selectFrom('quoteKeys')
    .innerJoin('quotes', 'quotes.id', 'quoteKeys.quoteId')
    .select(['quotes.id', 'amountCents', 'expiresAt', 'requestHash', 'emailed'])
    .where('key', '=', key)
    .executeTakeFirst();
}

/** False if another quote has the key. */
export async function insertQuoteKey(trx: Db, key: NewRow<'quoteKeys'>): Promise<boolean> {
  const inserted = trx.insertInto('quoteKeys').values(key);
  const { numInsertedOrUpdatedRows: saved } = await inserted
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return Boolean(saved);
}

export async function deleteQuote(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('quotes').where('id', '=', id).execute();
}

/** A URL of the quote with 128 bits. Earlier ones keep working. Repeats of a `key` get the same. */
export async function addQuoteLink(
  { db, publicUrl }: { db: Db; publicUrl: string },
  quoteId: number,
  key: string | null = null,
): Promise<string> {
  const bits =
    key === null
      ? randomBytes(16)
      : createHmac('sha256', await signingKey(db, 'quote'))
          .update(`${quoteId} ${key}`)
          .digest();
  const token = bits.toString('base64url', 0, 16);
  const link = db.insertInto('quoteLinks').values({ quoteId, tokenHash: hash('sha256', token) });
  await link.onConflict((conflict) => conflict.doNothing()).execute();
  return publicUrl + fillPath(CHECKOUT_PAGES.quote.path, token);
}

/** Saves the quote under a number that does not reveal how many there are. */
export async function insertQuote(trx: Db, quote: Omit<NewRow<'quotes'>, 'id'>): Promise<number> {
  for (;;) {
    const id = await nextNumber(trx, 'quotes');
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('quotes')
      .values({ ...quote, id })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows) return id;
    // Another instance took the number: try the next.
  }
}

/** Locks the quote until the transaction ends; false if it has been changed since it was read. */
export async function lockQuote(trx: Db, { id, changedAt }: Quote): Promise<boolean> {
  const unchanged = trx
    .selectFrom('quotes')
    .select('id')
    .where('id', '=', id)
    .where('changedAt', '=', changedAt);
  return (await selectForUpdate(unchanged, trx).executeTakeFirst()) !== undefined;
}

export async function updateQuote(
  trx: Db,
  id: number,
  changed: Partial<NewRow<'quotes'>>,
): Promise<void> {
  await trx.updateTable('quotes').set(changed).where('id', '=', id).execute();
}

export async function countOpening(db: Db, id: number, now: number): Promise<void> {
  await db
    .updateTable('quotes')
    .set(({ eb }) => ({ opened: eb('opened', '+', 1), lastOpenedAt: now }))
    .where('id', '=', id)
    .where(({ or, eb }) =>
      or([eb('lastOpenedAt', 'is', null), eb('lastOpenedAt', '<=', now - MINUTE_MS)]),
    )
    .execute();
}

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

/** Saves when the next reminder is due. Returns false if another server was first. */
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

const BATCH_SIZE = 100;

interface Filter {
  search: string;
  times: Times | undefined;
}

export function listQuotes(
  db: Db,
  filter: Filter & ListFilter<QuoteState>,
  now: number,
): Promise<Quote[]> {
  const { status, page } = filter;
  const found = searchQuotes(db, filter, now).select('quote.id');
  const listed = (status ? found.where('state', '=', status) : found)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(LIST_PAGE_SIZE)
    .offset((page - 1) * LIST_PAGE_SIZE);
  return allQuotes(db)
    .where('quotes.id', 'in', listed)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** All quotes of the days, or those that a search finds, newest first, in batches. */
export async function* quoteBatches(
  db: Db,
  filter: Filter & Pick<ListFilter<QuoteState>, 'status'>,
  now: number,
) {
  const { from, to } = filter.times ?? ALL_TIMES;
  const found = filter.search
    ? searchQuotes(db, filter, now)
    : db.selectFrom(allQuotes(db).where('quotes.createdAt', '>=', from).as('quote'));
  const newestFirst = found
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(BATCH_SIZE);
  const batches = inBatches<Quote>((last) =>
    newestFirst.where(olderThan(last, to, 'quote')).execute(),
  );
  for await (const quotes of batches) {
    const rows = quotes.map((quote) => ({ ...quote, state: quoteState(quote, now) }));
    yield filter.status ? rows.filter(({ state }) => state === filter.status) : rows;
  }
}

export async function countQuotes(
  db: Db,
  filter: Filter,
  now: number,
): Promise<Partial<Record<QuoteState, number>>> {
  const rows = await searchQuotes(db, filter, now)
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** The SQL of `state` must match quoteState. */
function searchQuotes(db: Db, { search, times }: Filter, now: number) {
  const { from, to } = times ?? ALL_TIMES;
  const newest = db
    .selectFrom('quotes')
    .selectAll()
    .where('createdAt', '>=', from)
    .where('createdAt', '<=', to)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED);
  const texts = ['name', 'company', 'email', 'planName'];
  const query = allQuotes(db, newest).where(isFoundBy(search, texts, 'q'));
  const state = sql<QuoteState>`case when "acceptedAt" is not null then 'accepted' when "withdrawnAt" is not null then 'withdrawn' when "expiresAt" <= ${now} then 'expired' else 'open' end`;
  const quotes = db.selectFrom(query.as('found')).selectAll().select(state.as('state'));
  return db.selectFrom(quotes.as('quote'));
}
