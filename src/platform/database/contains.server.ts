import { sql } from 'kysely';

/** Whether the column's text holds the words, whatever their case; nothing in them is a wildcard. */
export function contains(column: string, words: string) {
  const pattern = `%${words.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '!'`;
}
