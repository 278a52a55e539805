import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { CannotStart } from '../../config/cannot-start.server.ts';
import type { Engine, Tables } from '../tables.server.ts';
import { createTables } from './001-tables.server.ts';

/** Every step there has ever been, in order; one that has been shipped is never changed. */
const STEPS = { '001-tables': createTables };

/**
 * Brings the database to the newest step, all in one transaction; several servers may start at once. One that must not
 * be served is left as it is, and refused with CannotStart.
 */
export async function runMigrations(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await refuseUnknownStep(db);
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

/** Throws a CannotStart for a database that another version has made. Only reads. */
export async function refuseUnknownStep(db: Kysely<Tables>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const unknown = rows.find(({ name }) => !Object.hasOwn(STEPS, name));
  if (unknown)
    throw new CannotStart(
      `The database was made by another version of this site (step ${unknown.name}): start that version, or name an empty DATA_DIR or DATABASE_URL`,
    );
}
