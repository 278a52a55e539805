/**
 * What was erased is also written beside the copies of the database, by numbers alone: a restored
 * copy has those persons again, and `npm run erase-again` finds and erases them.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import type { PersonIds } from './person-stores.server.ts';

const FILE = 'erasures.jsonl';

/** Those with an address and a day. */
const TABLES = ['threads', 'quotes', 'orders', 'safeguardsReports', 'orderLinkRequests'] as const;

const erasure = z.object({
  at: z.number(),
  rows: z.partialRecord(z.enum(TABLES), z.array(z.int())),
});

export function noteErasure(folder: string, { ids }: PersonIds): void {
  const rows = Object.fromEntries(TABLES.map((table) => [table, ids[table]]));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = openSync(join(folder, FILE), 'a', 0o600);
  writeSync(file, `${JSON.stringify({ at: Date.now(), rows })}\n`);
  fsyncSync(file);
  closeSync(file);
}

/** The addresses of persons who were erased and are in this database again. */
export async function findErasedAgain(db: Db, folder: string): Promise<string[]> {
  const file = join(folder, FILE);
  if (!existsSync(file)) return [];
  const found = new Set<string>();
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const { at, rows } = erasure.parse(JSON.parse(line));
    for (const table of TABLES) {
      for (const ids of chunk(rows[table] ?? [])) {
        // A restored database gives numbers again: what is younger than the erasure is another's.
        const people = await db
          .selectFrom(table)
          .select('email')
          .where('id', 'in', ids)
          .where('createdAt', '<=', at)
          .where('email', '!=', '')
          .execute();
        for (const { email } of people) if (email !== null) found.add(email);
      }
    }
  }
  return [...found];
}
