/** Opens and migrates the configured database: PostgreSQL, or SQLite in DATA_DIR. */
import { createHash } from 'node:crypto';
import { DummyDriver, Kysely, type Logger, sql } from 'kysely';
import { CannotStart, reason } from '../config/cannot-start.server.ts';
import { logEvent } from '../log.server.ts';
import { DatabaseUnavailable, isDatabaseUnavailable } from './database-unavailable.server.ts';
import { createTables } from './migrations/001-tables.server.ts';
import { LATER_MIGRATIONS } from './migrations/later-migrations.server.ts';
import { sqliteDialect, sqliteSource } from './sqlite.server.ts';
import type { DatabaseSource, Db, Engine, Tables } from './tables.server.ts';

export interface Database {
  db: Db;
  engine: Engine;
  close(): Promise<void>;
}

interface DatabaseLocation {
  /** Of PostgreSQL; null: SQLite in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
}

async function databaseSource(
  { databaseUrl, dataDir }: DatabaseLocation,
  alongsideServer: boolean,
): Promise<DatabaseSource> {
  return databaseUrl
    ? (await import('./postgres.server.ts')).postgresSource(databaseUrl)
    : sqliteSource(dataDir, alongsideServer);
}

/**
 * Does not wait for a database that is unavailable, full or read-only: each query opens it again.
 * Throws CannotStart for one that must not be used. `alongsideServer`: for commands beside a
 * server, which get CannotStart for an unavailable database too.
 */
export async function openDatabase(
  location: DatabaseLocation,
  { alongsideServer = false, log }: { alongsideServer?: boolean; log?: Logger | undefined } = {},
): Promise<Database> {
  const source = await databaseSource(location, alongsideServer);
  let opened = false;
  let logged = '';
  try {
    await openMigrated(source);
    opened = true;
  } catch (error) {
    if (error instanceof CannotStart || alongsideServer) {
      await source.close();
      throw cannotBeUsed(source.name, error);
    }
  }

  /** Logs each new reason for a failure once. */
  async function open(): Promise<void> {
    if (opened) return;
    try {
      await openMigrated(source);
    } catch (error) {
      const message = reason(error);
      if (logged !== message) logEvent('warn', 'database-open-failed', { message });
      logged = message;
      // Also for a CannotStart: the database came back in a state that the operator has to fix.
      throw new DatabaseUnavailable(error);
    }
    opened = true;
    logEvent('info', 'database-opened');
  }

  const db = new Kysely<Tables>({ dialect: source.dialect(open), ...(log && { log }) });
  return { db, engine: source.engine, close: () => source.close() };
}

/** For commands that only read: opens the database without migrating it. */
export async function openUnmigrated(
  location: DatabaseLocation,
  { alongsideServer = false } = {},
): Promise<Database> {
  const source = await databaseSource(location, alongsideServer);
  try {
    await source.open();
  } catch (error) {
    await source.close();
    throw cannotBeUsed(source.name, error);
  }
  const db = new Kysely<Tables>({ dialect: source.dialect(async () => undefined) });
  return { db, engine: source.engine, close: () => source.close() };
}

async function openMigrated({ name, engine, dialect, open }: DatabaseSource): Promise<void> {
  await open().catch((error: unknown) => {
    throw isDatabaseUnavailable(error) ? error : cannotBeUsed(name, error);
  });
  try {
    const db = new Kysely<Tables>({ dialect: dialect(async () => undefined) });
    await runMigrations(db, engine);
  } catch (error) {
    if (isDatabaseUnavailable(error) || error instanceof CannotStart) throw error;
    const cure = NO_SCHEMA.test(Object(error).code)
      ? '; let the user of DATABASE_URL own the tables, and create them in the first schema of its search_path'
      : '';
    throw new CannotStart(
      `The database cannot be brought to this version: ${reason(error)}${cure}`,
    );
  }
}

/** PostgreSQL's codes where no schema is found, or the user may not create tables in it. */
const NO_SCHEMA = /^(3F000|42501)$/;

function cannotBeUsed(name: string, error: unknown): CannotStart {
  return error instanceof CannotStart
    ? error
    : new CannotStart(`${name} cannot be used: ${reason(error)}`);
}

const FIRST = '001-tables-of-1.0';

/** All migrations, in order. Once released they never change. */
export const MIGRATIONS = {
  [FIRST]: createTables,
  ...LATER_MIGRATIONS,
};

/** Any number that nothing else uses as an advisory lock. */
const LOCK = 3_853_314_791;

/** Applies all missing migrations in one transaction. Throws CannotStart for another version's. */
async function runMigrations(db: Db, engine: Engine): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Released with the transaction. Kysely's Migrator locks the session, lost behind PgBouncer.
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    const applied = await appliedMigrations({ db: trx, engine });
    await sql`create table if not exists kysely_migration
      (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(trx);
    await sql`create table if not exists applied_migrations
      (name text primary key, timestamp text not null, digest text not null)`.execute(trx);
    for (const [name, migrate] of Object.entries(MIGRATIONS)) {
      if (!applied.includes(name)) await migrate(trx, engine);
      const digest = await digestOf(migrate, engine);
      const now = new Date().toISOString();
      await sql`insert into applied_migrations (name, timestamp, digest)
        values (${name}, ${now}, ${digest}) on conflict do nothing`.execute(trx);
      if (name === FIRST)
        await sql`insert into kysely_migration (name, timestamp) values (${name}, ${now})
          on conflict do nothing`.execute(trx);
    }
  });
}

/**
 * Their names; none for an empty database. Throws CannotStart for another version's. 1.0 refuses
 * what it does not know in kysely_migration. What only adds to the tables is not recorded there, so
 * that the version before can start again.
 */
export async function appliedMigrations({
  db,
  engine,
}: Pick<Database, 'db' | 'engine'>): Promise<string[]> {
  const read = async (table: string, digest: string) => {
    // to_regclass follows the search path: another schema may have a table of this name.
    const { rows: tables } = await (engine === 'postgres'
      ? sql`select 1 where to_regclass(${table}) is not null`
      : sql`select 1 from sqlite_master where name = ${table}`
    ).execute(db);
    if (tables.length === 0) return [];
    const reading = sql<{ name: string; digest: string }>`
      select name, ${sql.raw(digest)} as digest from ${sql.table(table)}`;
    return (await reading.execute(db)).rows;
  };
  const isKnown = ({ name }: { name: string }) => Object.hasOwn(MIGRATIONS, name);
  const binding = await read('kysely_migration', "''");
  const unknown = binding.find((row) => !isKnown(row));
  if (unknown) throw ofAnotherVersion(`later than this one or before 1.0 (step ${unknown.name})`);
  const recorded = (await read('applied_migrations', 'digest')).filter(isKnown);
  const migrations: Readonly<Record<string, Migration>> = MIGRATIONS;
  for (const { name, digest } of recorded) {
    const migrate = migrations[name];
    if (migrate && digest !== (await digestOf(migrate, engine)))
      throw ofAnotherVersion(`whose step ${name} was another one`);
  }
  // 1.0 recorded no digests.
  return [...new Set([...binding, ...recorded].map(({ name }) => name))];
}

type Migration = (db: Db, engine: Engine) => Promise<void>;

/** SHA-256 of the statements that a migration would run on empty tables; none is run. */
export async function digestOf(migrate: Migration, engine: Engine): Promise<string> {
  const hash = createHash('sha256');
  const db = new Kysely<Tables>({
    // Only the way in which parameters are written is SQLite's for both engines.
    dialect: sqliteDialect(() => new DummyDriver()),
    log: ({ query }) => void hash.update(`${query.sql}\n`),
  });
  await migrate(db, engine);
  return hash.digest('hex');
}

function ofAnotherVersion(which: string): CannotStart {
  return new CannotStart(
    `The database was made by another version of this site, ${which}: start that version, restore a copy made with this one, or name an empty DATA_DIR or DATABASE_URL`,
  );
}

/** Whether all migrations have been applied. Only reads. */
export async function isMigrated(database: Database): Promise<boolean> {
  return (await appliedMigrations(database)).length === Object.keys(MIGRATIONS).length;
}
