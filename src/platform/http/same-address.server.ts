import { type RawBuilder, sql } from 'kysely';
import { isEnglish } from '../database/contains.server.ts';

/**
 * Whether the column's email address is this one, whatever the case of its letters. Of an address in English letters
 * upper() agrees wherever lower() does, and there is an index by it; lower() decides, for upper() takes
 * some letters of other languages for English ones.
 */
export function sameAddress(column: string, email: string): RawBuilder<boolean> {
  const address = sql`cast(${email} as text)`;
  const same = sql<boolean>`lower(${sql.ref(column)}) = lower(${address})`;
  return isEnglish(email)
    ? sql<boolean>`(upper(${sql.ref(column)}) = upper(${address}) and ${same})`
    : same;
}
