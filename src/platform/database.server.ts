/** Opens the database that the environment names: SQLite in a folder of ours, or PostgreSQL. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Env } from './env.server.ts';
import { logEvent } from './log.server.ts';
import type { Engine } from './migrations/engine.server.ts';
import { runMigrations } from './migrations/run-migrations.server.ts';
import { openSqlite, sqliteDialect } from './sqlite-dialect.server.ts';
import type { Tables } from './tables.server.ts';

export interface Database {
  db: Kysely<Tables>;
  engine: Engine;
  close(): Promise<void>;
}

/** The embedded database's file in DATA_DIR. */
export const SQLITE_FILE = 'site.sqlite';
const SQLITE_BUSY = 5;

/** A reason not to start that the operator can mend; told without a stack. */
export class CannotStart extends Error {}

/** `besideServer`: for a command that may run while a server has the same data open. */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>,
  { besideServer = false } = {},
): Promise<Database> {
  const opened = databaseUrl
    ? await openPostgres(databaseUrl)
    : openEmbedded(dataDir, besideServer);
  try {
    await runMigrations(opened.db, opened.engine);
  } catch (error) {
    await opened.close();
    throw new CannotStart(`The database cannot be brought to this version: ${reason(error)}`);
  }
  return opened;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function openEmbedded(folder: string, besideServer: boolean): Database {
  const { lock, file } = openFolder(folder, besideServer);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) });
  const close = async () => {
    await db.destroy();
    lock?.close();
  };
  return { db, engine: 'sqlite', close };
}

function openFolder(folder: string, besideServer: boolean) {
  try {
    mkdirSync(folder, { recursive: true });
    const lock = besideServer ? undefined : lockFolder(folder);
    return { lock, file: openSqlite(join(folder, SQLITE_FILE)) };
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    throw new CannotStart(`The data folder ${folder} (DATA_DIR) cannot be used: ${reason(error)}`);
  }
}

/** The operating system frees this lock when the process dies, however it dies. */
function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new CannotStart(
      `Another server is using the data folder ${folder}; stop it or set DATA_DIR`,
    );
  }
  return lock;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

// PostgreSQL sends 64-bit integers as text; ours are milliseconds and counts, far below 2⁵³.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

async function openPostgres(databaseUrl: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 1500,
    query_timeout: 10_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) =>
    logEvent('warn', 'database-connection-lost', { message: error.message }),
  );
  // So would one that breaks between two queries of a transaction; here the next query is refused.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const database: Database = { db, engine: 'postgres', close: () => db.destroy() };
  try {
    await refuseUnsafeDurability(pool);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** With one of these off, the machine's failure loses what was acknowledged. */
const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'];

async function refuseUnsafeDurability(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query(`SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = 'off'`, [DURABILITY])
    .catch((error: unknown) => {
      throw new CannotStart(`The database at DATABASE_URL does not answer: ${reason(error)}`);
    });
  if (rows.length > 0) {
    const names = rows.map(({ name }) => name).join(' and ');
    throw new CannotStart(
      `The database runs with ${names} off: an acknowledged order could be lost`,
    );
  }
}
