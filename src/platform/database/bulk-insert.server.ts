/** Thousands of rows at once: some 2 µs a row, where a query builder that compiles each value takes ten times that. */
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { Engine } from './migrations/engine.server.ts';
import type { Tables } from './tables.server.ts';

export interface BulkTarget {
  table: keyof Tables;
  columns: Readonly<Record<string, 'bigint' | 'bytea' | 'integer' | 'text'>>;
  /** What follows the rows, such as ON CONFLICT …; the same words on both engines. */
  ending?: string;
}

type Values = readonly (string | number | Uint8Array)[];

/** Few sizes, so that few statements are prepared. */
const SQLITE_ROWS = [128, 16, 1];

/** Inserts the rows in their order; several servers that upsert must sort them alike, or they lock each other out. */
export async function bulkInsert(
  db: Kysely<Tables> | Transaction<Tables>,
  engine: Engine,
  { table, columns, ending = '' }: BulkTarget,
  rows: readonly Values[],
): Promise<void> {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const into = `insert into "${table}" (${names.join(', ')})`;
  if (engine === 'postgres') {
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
    const text = `${into} select * from unnest(${arrays.join(', ')}) ${ending}`;
    await db.executeQuery(
      CompiledQuery.raw(
        text,
        names.map((_, index) => rows.map((row) => row[index])),
      ),
    );
    return;
  }
  const places = `(${names.map(() => '?').join(', ')})`;
  for (let done = 0; done < rows.length; ) {
    const size = SQLITE_ROWS.find((each) => each <= rows.length - done) ?? 1;
    const text = `${into} values ${Array(size).fill(places).join(', ')} ${ending}`;
    await db.executeQuery(CompiledQuery.raw(text, rows.slice(done, done + size).flat()));
    done += size;
  }
}
