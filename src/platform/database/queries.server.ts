/** Queries that several features share, written so that SQLite and PostgreSQL answer alike. */
import {
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { newToken } from '../http/cookies.server.ts';
import type { Tables } from './tables.server.ts';

/** Either database takes so many values in one query, and finishes before other requests have waited long. */
const CHUNK_SIZE = 500;

export function* chunk<Value>(values: readonly Value[], size = CHUNK_SIZE): Generator<Value[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}

/** Printable ASCII: the upper() of both engines knows all of its letters. */
export function isEnglish(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/**
 * Whether the column's text holds the words, whatever their case; nothing in them is a wildcard. Of SQLite's own functions
 * upper() knows English letters only, and is quicker by far than lower(), which is ours and knows all.
 */
export function contains(column: string, words: string) {
  const [cased, inCase] = isEnglish(words)
    ? [words.toUpperCase(), sql`upper`]
    : [words.toLowerCase(), sql`lower`];
  const pattern = `%${cased.replace(/[!%_]/g, '!$&')}%`;
  return sql<boolean>`${inCase}(${sql.ref(column)}) like ${pattern} escape '!'`;
}

/**
 * Whether the column's email address is this one, whatever the case of its letters. Of an address in English letters
 * upper() agrees wherever lower() does, and there is an index by it; lower() decides, for upper() takes
 * some letters of other languages for English ones.
 */
export function sameEmail(column: string, email: string): RawBuilder<boolean> {
  const address = sql`cast(${email} as text)`;
  const same = sql<boolean>`lower(${sql.ref(column)}) = lower(${address})`;
  return isEnglish(email)
    ? sql<boolean>`(upper(${sql.ref(column)}) = upper(${address}) and ${same})`
    : same;
}

/**
 * The query, which locks the rows that it finds until the transaction `trx` ends, as an update of them would: other rows
 * may still be stored that refer to them. SQLite needs nothing for it, for it has one transaction at a time.
 */
export function selectForUpdate<DB, Table extends keyof DB, Output>(
  query: SelectQueryBuilder<DB, Table, Output>,
  trx: Kysely<DB>,
): SelectQueryBuilder<DB, Table, Output> {
  return trx.getExecutor().adapter instanceof PostgresAdapter ? query.forNoKeyUpdate() : query;
}

const NUMBERS_BEGIN = Date.UTC(2020, 0, 1);
/** PostgreSQL's integers end in 2088; a clock that is wrong by decades must not use the numbers up. */
const LARGEST_NUMBER = 2 ** 31 - 1;

/**
 * The number of a new order or quote, under which people speak of it: the seconds since 2020, or the one after the last.
 * A customer cannot read from it how many there are, and a later one is still larger. Another instance may store the same
 * one first: then call it again.
 */
export async function nextNumber(trx: Kysely<Tables>, table: 'orders' | 'quotes'): Promise<number> {
  const row = await trx
    .selectFrom(table)
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const next = (row?.id ?? 0) + 1;
  const now = Math.floor((Date.now() - NUMBERS_BEGIN) / 1000);
  return now > LARGEST_NUMBER ? next : Math.max(now, next);
}

/** A secret of the database's own, made when it is first needed; all instances get the same. */
export async function signingKey(db: Kysely<Tables>, name: string): Promise<string> {
  const known = await findKey(db, name);
  if (known) return known.key;
  await db
    .insertInto('signingKeys')
    .values({ name, key: newToken() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findKey(db, name))?.key ?? signingKey(db, name);
}

function findKey(db: Kysely<Tables>, name: string) {
  return db.selectFrom('signingKeys').select('key').where('name', '=', name).executeTakeFirst();
}
