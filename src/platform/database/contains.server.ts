import { sql } from 'kysely';

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
