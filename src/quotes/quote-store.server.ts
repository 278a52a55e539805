/** The queries of a quote and of the links that lead to it. */
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { selectForUpdate } from '../platform/database/select-for-update.server.ts';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';

type Db = Kysely<Tables>;

/** With when it was paid, and the newest order that came of it. */
export interface Quote extends Row<'quotes'> {
  acceptedAt: number | null;
  orderId: number | null;
}

export function findQuote(db: Db, id: number): Promise<Quote | undefined> {
  return allQuotes(db).where('quotes.id', '=', id).executeTakeFirst();
}

/** The quote that a link with this hash leads to. */
export function findLinkedQuote(db: Db, tokenHash: string): Promise<Quote | undefined> {
  return allQuotes(db)
    .innerJoin('quoteLinks', 'quoteLinks.quoteId', 'quotes.id')
    .where('quoteLinks.tokenHash', '=', tokenHash)
    .executeTakeFirst();
}

export function allQuotes(db: Db): SelectQueryBuilder<Tables, 'quotes', Quote> {
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

export async function insertLink(db: Db, quoteId: number, tokenHash: string): Promise<void> {
  await db.insertInto('quoteLinks').values({ quoteId, tokenHash }).execute();
}

/** How many were made for the address, in capitals or not, after `time`. */
export async function countQuotesSince(db: Db, email: string, time: number): Promise<number> {
  const { count } = await db
    .selectFrom('quotes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sameAddress('email', email))
    .where('createdAt', '>', time)
    .executeTakeFirstOrThrow();
  return Number(count);
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
