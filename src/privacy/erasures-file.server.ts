/**
 * What was erased is also written beside the copies of the database, by numbers alone: a restored
 * copy has those persons again, and `npm run erase-again` finds and erases them.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { CannotStart } from '../platform/config/cannot-start.server.ts';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { logFault } from '../platform/log.server.ts';
import type { Elsewhere, PersonIds } from './person-stores.server.ts';

const FILE = 'erasures.jsonl';

/** Those with an address and a day. */
const TABLES = ['threads', 'quotes', 'orders', 'safeguardsReports', 'orderLinkRequests'] as const;

const erasure = z.object({
  at: z.number(),
  rows: z.partialRecord(z.enum(TABLES), z.array(z.int())),
  elsewhere: z._default(
    z.object({
      entries: z.array(z.int()),
      bills: z.array(z.tuple([z.int(), z.int()])),
      invoices: z._default(z.array(z.string()), []),
    }),
    { entries: [], bills: [], invoices: [] },
  ),
});

/** Whether the list can be written. */
export function canNote(folder: string): boolean {
  try {
    append(folder, '');
    return true;
  } catch (error) {
    logFault('erasures-not-writable', error);
    return false;
  }
}

export function noteErasure(
  folder: string,
  { ids }: PersonIds,
  { references: _, ...elsewhere }: Elsewhere,
): void {
  const rows = Object.fromEntries(TABLES.map((table) => [table, ids[table]]));
  append(folder, `${JSON.stringify({ at: Date.now(), rows, elsewhere })}\n`);
}

function append(folder: string, line: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  appendFileSync(join(folder, FILE), line, { mode: 0o600, flush: true });
}

/** The addresses of persons who were erased and are in this database again. */
export async function findErasedAgain(db: Db, folder: string): Promise<string[]> {
  const file = join(folder, FILE);
  if (!existsSync(file)) return [];
  const found = new Set<string>();
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    // A refused erasure may have made the file.
    if (line === '') continue;
    const { at, rows, elsewhere } = readErasure(line, `${file}: line ${index + 1}`);
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
    for (const ids of chunk(elsewhere.entries)) {
      const entries = db.selectFrom('entries').select(['sender', 'recipient']);
      const people = await entries.where('id', 'in', ids).where('at', '<=', at).execute();
      for (const { sender, recipient } of people) found.add(sender ?? recipient ?? '');
    }
    for (const [id, version] of elsewhere.bills) {
      // A later version has the address of somebody else.
      const orders = db.selectFrom('orders').select('billsTo').where('id', '=', id);
      const order = await orders.where('version', '<=', version).executeTakeFirst();
      found.add(order?.billsTo ?? '');
    }
    for (const ids of chunk(elsewhere.invoices)) {
      const orders = db.selectFrom('orders').innerJoin('invoices', 'orderId', 'orders.id');
      const papers = orders.select(['email', 'billedTo']).where('invoices.id', 'in', ids);
      // A copy from before the order was passed on has the person as its buyer.
      for (const { email, billedTo } of await papers.execute())
        found.add(billedTo === null ? email : JSON.parse(billedTo).email);
    }
  }
  found.delete('');
  return [...found];
}

function readErasure(line: string, place: string): z.output<typeof erasure> {
  try {
    return erasure.parse(JSON.parse(line));
  } catch {
    throw new CannotStart(`${place} cannot be read: mend it, or take it out`);
  }
}
