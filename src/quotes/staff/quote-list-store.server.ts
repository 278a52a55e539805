/** The quotes that staff look for, a page at a time, and how many there are of each state. */
import { type Kysely, sql } from 'kysely';
import { contains } from '../../platform/database/contains.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { QUOTE_STATES, type QuoteState } from '../quote-states.ts';
import { allQuotes, type Quote } from '../quote-store.server.ts';
import { QUOTES_PAGE, type QuoteFilter } from './quote-list.ts';

type Db = Kysely<Tables>;

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
  const told = db.selectFrom(found.as('told')).selectAll().select(state.as('state'));
  return db.selectFrom(told.as('quote'));
}
