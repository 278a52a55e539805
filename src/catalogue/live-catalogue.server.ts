/**
 * The catalogue as pages and calls see it: read from the database, kept in memory, so that a database that is
 * away takes neither the pages nor the lists with it.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { logEvent } from '../platform/log.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { type Catalogue, readCatalogue, storeCatalogue } from './catalogue-store.server.ts';

const FRESH_MS = 400;

export interface LiveCatalogue {
  /** As it was last read. */
  current(): Catalogue;
  /** As it stands in the database now, or as last read when the database does not answer at once. */
  fresh(): Promise<Catalogue>;
  /** Changes whenever the catalogue does. */
  version(): string;
}

/** Makes the database follow the content, then reads it back. */
export async function startCatalogue(
  db: Kysely<Tables>,
  content: Catalogue,
): Promise<LiveCatalogue> {
  await storeCatalogue(db, content);
  let catalogue = await readCatalogue(db);
  let version = hash(catalogue);
  let asked = 0;
  let kept = 0;
  async function read(): Promise<void> {
    asked += 1;
    const turn = asked;
    try {
      const found = await readCatalogue(db);
      // A look that nobody waits for any more may end after a later one.
      if (turn < kept) return;
      kept = turn;
      catalogue = found;
      version = hash(catalogue);
    } catch (error) {
      logEvent('warn', 'catalogue-from-memory', { message: String(error) });
    }
  }

  return {
    current: () => catalogue,
    version: () => version,
    async fresh() {
      const giveUp = new AbortController();
      const late = pause(FRESH_MS, undefined, { signal: giveUp.signal }).catch(() => undefined);
      await Promise.race([read(), late]);
      giveUp.abort();
      return catalogue;
    },
  };
}

function hash(catalogue: Catalogue): string {
  return createHash('sha256').update(JSON.stringify(catalogue)).digest('base64url');
}
