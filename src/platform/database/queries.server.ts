/** Queries that several features share, written to behave alike on SQLite and PostgreSQL. */
import { setImmediate } from 'node:timers/promises';
import { PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { newToken } from '../http/cookies.server.ts';
import type { Db, Tables } from './tables.server.ts';

/** Both databases accept this many values in one query, and delay no other request noticeably. */
export const CHUNK_SIZE = 500;
/** Of a row; PostgreSQL's integers end here. */
export const MAX_ID = 2 ** 31 - 1;

export function* chunk<Value>(values: readonly Value[], size = CHUNK_SIZE): Generator<Value[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}

/** Reads or changes rows until none are left: `next` gets the last one. Requests run in between. */
export async function* inBatches<Row>(
  next: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let rows = await next(undefined); rows.length > 0; rows = await next(rows.at(-1))) {
    yield rows;
    await setImmediate();
  }
}

/** Deletes what is older, some at a time: what a flood has left would keep everybody waiting. */
export async function deleteOlder(
  db: Db,
  table: keyof Tables,
  than: number,
  { key = 'id', time = 'createdAt' } = {},
): Promise<void> {
  const [rows, keys] = [sql.table(table), sql.ref(key)];
  const some = sql<object>`delete from ${rows} where ${keys} in (select ${keys} from ${rows} where ${sql.ref(time)} < ${than} limit ${CHUNK_SIZE}) returning ${keys}`;
  for await (const _ of inBatches(async () => (await some.execute(db)).rows));
}

/**
 * Rows older than the last one, or up to a time: one upper bound, or SQLite would begin each batch
 * at the wrong one. `table`: what the columns of the time and the id are of.
 */
export function olderThan(
  last: { createdAt: number; id: number | string } | undefined,
  to: number,
  table: string,
  column = 'createdAt',
): RawBuilder<boolean> {
  const [time, id] = [sql.ref(`${table}.${column}`), sql.ref(`${table}.id`)];
  return last ? sql`(${time}, ${id}) < (${last.createdAt}, ${last.id})` : sql`${time} <= ${to}`;
}

/** Reads a number as people write it: 'O-217981339', 'q 217 981 339', '#217.981.339'. */
export function readNumber(search: string): { letter: string; id: number } {
  const plain = search.toLowerCase().replace(/[\s.,()\p{Pd}]/gu, '');
  const [, letter = '', digits] = /^#?([oq]?)(\d{1,9})$/.exec(plain) ?? [];
  return { letter, id: Number(digits ?? 0) };
}

/** Whether the search is the row's number, or each of its words is in one of the columns. */
export function isFoundBy(search: string, columns: readonly string[], ownLetter: 'o' | 'q') {
  const { letter, id } = readNumber(search);
  const inTexts = search.split(/\s+/).map((word) =>
    sql.join(
      columns.map((column) => contains(column, word)),
      sql` or `,
    ),
  );
  const isNumber = sql`id = ${(letter || ownLetter) === ownLetter ? id : 0}`;
  return sql<boolean>`(${isNumber} or ((${sql.join(inTexts, sql`) and (`)})))`;
}

/** Whether the column contains the words in any case. SQLite's upper() is fast, for ASCII alone. */
export function contains(column: string, words: string) {
  const [cased, inCase] = /^[\x20-\x7e]*$/.test(words)
    ? [words.toUpperCase(), sql`upper`]
    : [words.toLowerCase(), sql`lower`];
  const pattern = `%${cased.replace(/[!%_]/g, '!$&')}%`;
  return sql<boolean>`${inCase}(${sql.ref(column)}) like ${pattern} escape '!'`;
}

/**
 * Whether the column is this address in any case. upper() has an index; lower() decides, since
 * PostgreSQL's upper() maps letters such as 'ı' to ASCII.
 */
export function sameEmail(column: string, email: string): RawBuilder<boolean> {
  const address = sql`cast(${email} as text)`;
  const stored = sql.ref(column);
  return sql<boolean>`(upper(${stored}) = upper(${address}) and lower(${stored}) = lower(${address}))`;
}

/** Makes the query lock the rows it finds until `trx` ends. SQLite needs no lock. */
export function selectForUpdate<Table extends keyof Tables, Output>(
  query: SelectQueryBuilder<Tables, Table, Output>,
  trx: Db,
): SelectQueryBuilder<Tables, Table, Output> {
  return isPostgres(trx) ? query.forNoKeyUpdate() : query;
}

/** The same, without the rows that another transaction has locked. */
export function selectUnlocked<Table extends keyof Tables, Output>(
  query: SelectQueryBuilder<Tables, Table, Output>,
  trx: Db,
): SelectQueryBuilder<Tables, Table, Output> {
  return isPostgres(trx) ? query.forNoKeyUpdate().skipLocked() : query;
}

function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

const NUMBERING_EPOCH = Date.UTC(2020, 0, 1);

/**
 * The number of a new order or quote: seconds since 2020, or the next. If taken, call it again.
 * Orders have odd numbers and quotes even ones, so that none is both on the telephone.
 */
export async function nextNumber(trx: Db, table: 'orders' | 'quotes'): Promise<number> {
  const row = await trx
    .selectFrom(table)
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const now = Math.floor((Date.now() - NUMBERING_EPOCH) / 1000);
  const number = Math.max(now, (row?.id ?? 0) + 1);
  return number % 2 === (table === 'orders' ? 1 : 0) ? number : number + 1;
}

/** A secret stored in the database and created on first use; all instances get the same one. */
export async function signingKey(db: Db, name: string): Promise<string> {
  const stored = await findKey(db, name);
  if (stored) return stored.key;
  await db
    .insertInto('signingKeys')
    .values({ name, key: newToken() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findKey(db, name))?.key ?? signingKey(db, name);
}

function findKey(db: Db, name: string) {
  return db.selectFrom('signingKeys').select('key').where('name', '=', name).executeTakeFirst();
}

/** Whether the row would change; undefined columns keep their values. */
export function differs(row: object | undefined, changes: object): boolean {
  return Object.entries(changes).some(
    ([column, value]) => value !== undefined && (!row || value !== Reflect.get(row, column)),
  );
}
