import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { CannotStart } from '../../config/cannot-start.server.ts';
import type { Engine, Tables } from '../tables.server.ts';
import { createTables } from './001-tables.server.ts';

/** Every step there has ever been, in order; one that has been shipped is never changed. */
const STEPS = { '001-tables': createTables };

/** The table that `npm run db:move` keeps in its target until that holds everything. */
export const HALF_MOVED = 'halfMoved';

/**
 * Brings the database to the newest step, all in one transaction; several servers may start at once. One that must not
 * be served is left as it is, and refused with CannotStart; `moving` admits one that is half moved.
 */
export async function runMigrations(
  db: Kysely<Tables>,
  engine: Engine,
  moving = false,
): Promise<void> {
  await refuseUnusable(db, moving);
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(STEPS).map(([name, step]) => [
            name,
            { up: (each: Kysely<Tables>) => step(each, engine) },
          ]),
        ),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Throws a CannotStart for a database that is half moved, or holds a step unknown here. Only reads. */
export async function refuseUnusable(db: Kysely<Tables>, moving = false): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const has = (table: string) => tables.some(({ name }) => name === table);
  if (has(HALF_MOVED) && !moving)
    throw new CannotStart(
      'The database is half moved: `npm run db:move` into it has not ended. Run it again, or name an empty DATA_DIR or DATABASE_URL',
    );
  if (!has('kysely_migration')) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const unknown = rows.find(({ name }) => !Object.hasOwn(STEPS, name));
  if (unknown)
    throw new CannotStart(
      `The database was made by another version of this site (step ${unknown.name}): start that version, or name an empty DATA_DIR or DATABASE_URL`,
    );
}
