/** Opens the database that the environment names: SQLite in a folder of ours, or PostgreSQL. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { CannotStart, reason } from './cannot-start.server.ts';
import type { Env } from './env.server.ts';
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

/** `besideServer`: for a command that may run while a server has the same data open. */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>,
  { besideServer = false } = {},
): Promise<Database> {
  const opened = databaseUrl
    ? await (await import('./postgres.server.ts')).openPostgres(databaseUrl)
    : openEmbedded(dataDir, besideServer);
  try {
    await runMigrations(opened.db, opened.engine);
  } catch (error) {
    await opened.close();
    throw new CannotStart(`The database cannot be brought to this version: ${reason(error)}`);
  }
  return opened;
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
