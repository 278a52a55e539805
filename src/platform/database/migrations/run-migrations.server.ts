import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { CannotStart } from '../../config/cannot-start.server.ts';
import type { Engine, Tables } from '../tables.server.ts';
import { createTables } from './001-tables.server.ts';

/** Every step there has ever been, in order; one that has been shipped is never changed. */
const STEPS = { '001-tables': createTables };

/**
 * Brings the database to the newest step, all in one transaction; several servers may start at once. One that holds a
 * step unknown here is left as it is, and refused with CannotStart.
 */
export async function runMigrations(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const unknown = (await executedSteps(db)).find((name) => !Object.hasOwn(STEPS, name));
  if (unknown)
    throw new CannotStart(
      `The database was made by another version of this site (step ${unknown}): start that version, or name an empty DATA_DIR or DATABASE_URL`,
    );
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

async function executedSteps(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}
