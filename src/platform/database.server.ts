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
    throw error;
  }
  return opened;
}

function openEmbedded(folder: string, besideServer: boolean): Database {
  mkdirSync(folder, { recursive: true });
  const lock = besideServer ? undefined : lockFolder(folder);
  const db = new Kysely<Tables>({
    dialect: sqliteDialect(openSqlite(join(folder, 'site.sqlite'))),
  });
  const close = async () => {
    await db.destroy();
    lock?.close();
  };
  return { db, engine: 'sqlite', close };
}

/** The operating system frees this lock when the process dies, however it dies. */
function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch {
    lock.close();
    throw new CannotStart(
      `Another server is using the data folder ${folder}; stop it or set DATA_DIR`,
    );
  }
  return lock;
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

async function refuseUnsafeDurability(pool: pg.Pool): Promise<void> {
  let fsync: unknown;
  try {
    fsync = (await pool.query('SHOW fsync')).rows[0]?.fsync;
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new CannotStart(`The database at DATABASE_URL does not answer: ${reason}`);
  }
  if (fsync !== 'on') {
    throw new CannotStart('The database runs with fsync off: an acknowledged order could be lost');
  }
}
