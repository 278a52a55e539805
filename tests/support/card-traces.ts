/** Searches for card data in places that must never contain any. */
import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/tables.server.ts';

/** All digits; the expiry as MMYY. The CVC begins with 0, so that no JSON number can look like it. */
export interface TypedCard {
  number: string;
  expiry: string;
  cvc: string;
}

/** Returns every piece of the card's data that the text contains, as written there. */
export function cardTraces({ number, expiry, cvc }: TypedCard, text: string): string[] {
  const [month, year] = [String(Number(expiry.slice(0, 2))), expiry.slice(2)];
  const patterns = [
    [...number.slice(0, 12)].join('(?:[\\s+.-]|%20)?'),
    alone(cvc),
    alone(`20${year}`),
    alone(`0?${month}(?:\\s|%20)?(?:/|%2F|-|)(?:\\s|%20)?(?:20)?${year}`),
    alone(`20${year}-?0?${month}`),
  ];
  return patterns.flatMap((pattern) => text.match(new RegExp(pattern, 'gi')) ?? []);
}

/** Matches the pattern only where it is not part of an id, an amount or a time of day. */
function alone(pattern: string): string {
  return `(?<![\\w.-]|\\d:)(?:${pattern})(?![\\w-]|[.:]\\d)`;
}

/** Every text in the database, prefixed with its table and column. */
export async function textsIn(db: Db): Promise<string[]> {
  const texts: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      db,
    );
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (typeof value === 'string') texts.push(`${name}.${column}: ${value}`);
      }
    }
  }
  return texts;
}
