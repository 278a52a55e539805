/**
 * The catalogue as pages and calls see it: that of the content until the database has taken it over, then read from
 * there and kept in memory, so that a database that is away takes neither the pages nor the lists with it.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { logEvent } from '../platform/log.server.ts';
import type { Plan } from './catalogue.ts';
import {
  type Catalogue,
  readCatalogue,
  readPlan,
  storeCatalogue,
} from './catalogue-store.server.ts';

/** How often a change that another instance or an operator has made is looked for. */
const LOOK_MS = 1_000;

export type LiveCatalogue = ReturnType<typeof liveCatalogue>;

export function liveCatalogue(
  db: Kysely<Tables>,
  { services, solutions, plans, testimonials }: Catalogue,
) {
  const content = { services, solutions, plans, testimonials };
  let catalogue: Catalogue = content;
  let version = hash(catalogue);
  let stored = false;
  let asked = 0;
  let kept = 0;
  let looking = false;
  let away = false;
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
      away = false;
    } catch (error) {
      if (!away) logEvent('warn', 'catalogue-from-memory', { message: String(error) });
      away = true;
    }
  }

  async function look(): Promise<void> {
    if (!stored || looking) return;
    looking = true;
    await read();
    looking = false;
  }

  return {
    /** Looks for changes in the database once a second from now on; returns what stops it. */
    follow() {
      const timer = setInterval(look, LOOK_MS).unref();
      return () => clearInterval(timer);
    },
    /** As it was last read. */
    current: () => catalogue,
    /** Changes whenever the catalogue does. */
    version: () => version,
    /** Makes the database follow the content, then reads it back; for the start. */
    async store(): Promise<void> {
      await storeCatalogue(db, content);
      catalogue = await readCatalogue(db);
      version = hash(catalogue);
      stored = true;
    },
    /** Reads it at once: it has just been changed. */
    async refresh(): Promise<void> {
      // What the database still holds may be an earlier content's.
      if (stored) await read();
    },
    /** As it stands in the database now, for what somebody is about to be charged. */
    async findPlan(id: number): Promise<Plan | undefined> {
      return stored ? readPlan(db, id) : content.plans.find((plan) => plan.id === id);
    },
  };
}

function hash(catalogue: Catalogue): string {
  return createHash('sha256').update(JSON.stringify(catalogue)).digest('base64url');
}
