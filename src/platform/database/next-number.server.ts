/** Numbers of orders and quotes, under which people speak of them. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from './tables.server.ts';

const NUMBERS_BEGIN = Date.UTC(2020, 0, 1);
/** PostgreSQL's integers end in 2088; a clock that is wrong by decades must not use the numbers up. */
const LARGEST_NUMBER = 2 ** 31 - 1;

/** The key of the advisory lock for each table with numbers. */
const LOCKS = { orders: 2020_01, quotes: 2020_02 };

/**
 * The seconds since 2020, or the number after the last one that was given: a customer cannot read from it how many there
 * are, and a later one is still larger.
 */
export async function nextNumber(trx: Kysely<Tables>, table: 'orders' | 'quotes'): Promise<number> {
  // Without the lock, orders placed at once pick the same number, wait for each other's commit, and start over.
  if (trx.getExecutor().adapter instanceof PostgresAdapter)
    await sql`select pg_advisory_xact_lock(${LOCKS[table]})`.execute(trx);
  const [row] = await trx.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).execute();
  const last = row?.id ?? 0;
  const now = Math.floor((Date.now() - NUMBERS_BEGIN) / 1000);
  return now > LARGEST_NUMBER ? last + 1 : Math.max(now, last + 1);
}
