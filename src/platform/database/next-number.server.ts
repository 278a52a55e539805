import type { Kysely } from 'kysely';
import type { Tables } from './tables.server.ts';

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
