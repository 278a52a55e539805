/** Opens the database that the environment names: SQLite in a folder of ours, or PostgreSQL. */
import { Kysely, sql } from 'kysely';
import { CannotStart, reason } from '../config/cannot-start.server.ts';
import type { Env } from '../config/env.server.ts';
import { logEvent } from '../log.server.ts';
import { isDatabaseUnavailable } from './database-unavailable.server.ts';
import { createTables } from './migrations/001-tables.server.ts';
import { sqliteSource } from './sqlite.server.ts';
import type { DatabaseSource, Engine, Tables } from './tables.server.ts';

export interface Database {
  db: Kysely<Tables>;
  engine: Engine;
  close(): Promise<void>;
}

type Place = Pick<Env, 'databaseUrl' | 'dataDir'>;

/** The way to its data; nothing is opened or looked at yet. */
async function databaseSource(
  { databaseUrl, dataDir }: Place,
  alongsideServer: boolean,
): Promise<DatabaseSource> {
  return databaseUrl
    ? (await import('./postgres.server.ts')).postgresSource(databaseUrl)
    : sqliteSource(dataDir, alongsideServer);
}

/**
 * A database that is away, full or read-only is not waited for: its queries are refused until one of them finds it
 * there. One that is wrong is a CannotStart, as is one that is away for a command that may run `alongsideServer`, while a
 * server has the same data open: it can do nothing without it.
 */
export async function openDatabase(
  place: Place,
  { alongsideServer = false } = {},
): Promise<Database> {
  const source = await databaseSource(place, alongsideServer);
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

  /** Why it fails is logged, each reason once. */
  async function open(): Promise<void> {
    if (opened) return;
    try {
      await openMigrated(source);
    } catch (error) {
      const message = reason(error);
      if (logged !== message) logEvent('warn', 'database-not-open', { message });
      logged = message;
      throw error;
    }
    opened = true;
    logEvent('info', 'database-opened');
  }

  const db = new Kysely<Tables>({ dialect: source.dialect(open) });
  return { db, engine: source.engine, close: () => source.close() };
}

/** For commands that must not change what they read: opens the database without bringing its tables to this version. */
export async function openUnmigrated(
  place: Place,
  { alongsideServer = false } = {},
): Promise<Database> {
  const source = await databaseSource(place, alongsideServer);
  const close = () => source.close();
  try {
    await source.open();
  } catch (error) {
    await close();
    throw error;
  }
  const db = new Kysely<Tables>({ dialect: source.dialect(async () => undefined) });
  return { db, engine: source.engine, close };
}

async function openMigrated({ name, engine, dialect, open }: DatabaseSource): Promise<void> {
  await open().catch((error: unknown) => {
    throw isDatabaseUnavailable(error) ? error : cannotBeUsed(name, error);
  });
  try {
    const db = new Kysely<Tables>({ dialect: dialect(async () => undefined) });
    await runMigrations(db, engine);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    throw new CannotStart(`The database cannot be brought to this version: ${reason(error)}`);
  }
}

function cannotBeUsed(name: string, error: unknown): CannotStart {
  return error instanceof CannotStart
    ? error
    : new CannotStart(`${name} cannot be used: ${reason(error)}`);
}

/** Every step there has ever been, in order; one that has been shipped is never changed. */
/**
 * Until the first release the tables change in place, and this name with them: a database that was made before is then
 * refused, and not half understood.
 */
const STEPS = { '001-tables-of-2026-11-25': createTables };

/** Any number that nothing else in the database locks. */
const LOCK = 3_853_314_791;

/**
 * Brings the database to the newest step, all in one transaction; several servers may start at once. One that must not
 * be served is left as it is, and refused with CannotStart.
 */
async function runMigrations(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Ends with the transaction, also in a failover. Kysely's Migrator locks a session, and behind PgBouncer each
    // transaction may have another: that lock kept no one out, or stayed with a session that never ends.
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    const done = await appliedMigrations({ db: trx, engine });
    await sql`create table if not exists kysely_migration
      (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(trx);
    for (const [name, step] of Object.entries(STEPS)) {
      if (done.includes(name)) continue;
      await step(trx, engine);
      const now = new Date().toISOString();
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${now})`.execute(
        trx,
      );
    }
  });
}

/** None in an empty database. Throws a CannotStart for one that another version has made. Only reads. */
export async function appliedMigrations({
  db,
  engine,
}: Pick<Database, 'db' | 'engine'>): Promise<string[]> {
  // Another schema of the same PostgreSQL database may have a table of this name.
  const { rows: tables } = await (engine === 'postgres'
    ? sql`select 1 where to_regclass('kysely_migration') is not null`
    : sql`select 1 from sqlite_master where name = 'kysely_migration'`
  ).execute(db);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const unknown = rows.find(({ name }) => !Object.hasOwn(STEPS, name));
  if (unknown)
    throw new CannotStart(
      `The database was made by another version of this site (step ${unknown.name}): start that version, or name an empty DATA_DIR or DATABASE_URL`,
    );
  return rows.map(({ name }) => name);
}

/** Whether it has the tables of this version. Only reads. */
export async function isMigrated(database: Database): Promise<boolean> {
  return (await appliedMigrations(database)).length === Object.keys(STEPS).length;
}
