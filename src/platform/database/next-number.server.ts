/** Numbers of orders and quotes, under which people speak of them. */
import type { DialectAdapter, Kysely } from 'kysely';
import type { Tables } from './tables.server.ts';

const NUMBERS_BEGIN = Date.UTC(2020, 0, 1);
/** PostgreSQL's integers end in 2088; a clock that is wrong by decades must not use the numbers up. */
const LARGEST_NUMBER = 2 ** 31 - 1;

type Numbered = 'orders' | 'quotes';

/** The last numbers that this process has thought of, by database: those that are asked for at once differ. */
const thought = new WeakMap<DialectAdapter, Map<Numbered, number>>();

/**
 * The seconds since 2020, or the number after the last one that was given: a customer cannot read from it how many there
 * are, and a later one is still larger. Nobody is kept waiting for it, so another instance may be faster to store the same
 * one: then ask again, as `taken`.
 */
export async function nextNumber(
  trx: Kysely<Tables>,
  table: Numbered,
  taken = false,
): Promise<number> {
  const { adapter } = trx.getExecutor();
  const known = thought.get(adapter) ?? new Map<Numbered, number>();
  thought.set(adapter, known);
  const stored = taken || !known.has(table) ? await lastStored(trx, table) : 0;
  const last = Math.max(stored, known.get(table) ?? 0);
  const now = Math.floor((Date.now() - NUMBERS_BEGIN) / 1000);
  const number = now > LARGEST_NUMBER ? last + 1 : Math.max(now, last + 1);
  known.set(table, number);
  return number;
}

async function lastStored(trx: Kysely<Tables>, table: Numbered): Promise<number> {
  const [row] = await trx.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).execute();
  return row?.id ?? 0;
}
