import { sql } from 'kysely';

const ENGLISH = /^[\x20-\x7e]*$/;

/**
 * Whether the column's text holds the words, whatever their case; nothing in them is a wildcard. Of SQLite's own functions
 * upper() knows English letters only, and is quicker by far than lower(), which is ours and knows all.
 */
export function contains(column: string, words: string) {
  const upper = ENGLISH.test(words);
  const cased = upper ? words.toUpperCase() : words.toLowerCase();
  const pattern = `%${cased.replace(/[!%_]/g, '!$&')}%`;
  const text = upper ? sql`upper(${sql.ref(column)})` : sql`lower(${sql.ref(column)})`;
  return sql<boolean>`${text} like ${pattern} escape '!'`;
}
