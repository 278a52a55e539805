/**
 * SQLite in a folder that is one server's alone and closed to other users of the machine: Kysely's own dialect on Node's
 * built-in `node:sqlite`, with one connection that all queries take in turn.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { CannotStart, reason } from '../config/cannot-start.server.ts';
import { logEvent } from '../log.server.ts';
import { DatabaseUnavailable, isFolderUnavailable } from './database-unavailable.server.ts';
import type { DatabaseSource, Engine, Tables } from './tables.server.ts';

/** The embedded database's file in DATA_DIR. */
export const SQLITE_FILE = 'site.sqlite';
const LOCK_FILE = 'lock.sqlite';
const SQLITE_BUSY = 5;
/** For how long a query waits for a command that writes beside the server, which blocks the thread. */
const BUSY_TIMEOUT_MS = 5000;
/** How often, and after which pause, the write-ahead log is emptied again while a backup reads. */
const EMPTY_TRIES = 20;
const EMPTY_PAUSE_MS = 250;
/** What is beyond this is given back to the disk once it has been copied from the write-ahead log. */
const WAL_BYTES = 8 * 1024 * 1024;

export function sqliteSource(folder: string, alongsideServer: boolean): DatabaseSource {
  let lock: DatabaseSync | undefined;
  let database: DatabaseSync | undefined;
  return {
    engine: 'sqlite',
    name: `The data folder ${folder} (DATA_DIR)`,
    async open() {
      if (database) return;
      try {
        closeToOthers(folder);
        if (!alongsideServer) lock ??= lockFolder(folder);
        database = openSqlite(join(folder, SQLITE_FILE));
      } catch (error) {
        throw isFolderUnavailable(error) ? new DatabaseUnavailable(reason(error)) : error;
      }
    },
    dialect: (opened) =>
      sqliteDialect(opened, () => {
        if (!database) throw new Error('the database has not been opened');
        return database;
      }),
    async close() {
      database?.close();
      lock?.close();
    },
  };
}

/**
 * Opens (and makes) the file with the durability that an acknowledged order needs. What is deleted is overwritten: an
 * address that has had its day must not be read in the file.
 */
export function openSqlite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, {
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  });
  try {
    // The last statements fail if the file was opened for reading only, which would make every later write fail.
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
       PRAGMA journal_size_limit = ${WAL_BYTES}; BEGIN IMMEDIATE; ROLLBACK;`,
    );
  } catch (error) {
    database.close();
    throw error;
  }
  // SQLite's own knows no letters but those of English.
  database.function('lower', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return database;
}

function sqliteDialect(opened: () => Promise<void>, database: () => DatabaseSync): Dialect {
  return {
    createDriver: () => new NodeSqliteDriver(opened, database),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #database: () => DatabaseSync;

  constructor(opened: () => Promise<void>, database: () => DatabaseSync) {
    super({ database: () => opened().then(() => forKysely(database())) });
    this.#database = database;
  }

  /** One that has read already could not write any more once a command beside the server has. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** On a full disk SQLite has rolled back by itself; a second time would fail, and hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database().isTransaction) await super.rollbackTransaction(connection);
  }
}

/** What Kysely expects of better-sqlite3. */
function forKysely(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(text) {
      const statement = database.prepare(text);
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...inputs(values)),
        run: (values) => statement.run(...inputs(values)),
        iterate: (values) => statement.iterate(...inputs(values)),
      };
    },
  };
}

function inputs(values: readonly unknown[]): SQLInputValue[] {
  return values as SQLInputValue[];
}
/**
 * Overwrites what SQLite's write-ahead log still holds of deleted rows. While a backup reads the database this cannot
 * be done, so it is tried again for some seconds; PostgreSQL has no need of it.
 */
export async function emptyWriteAheadLog({
  db,
  engine,
}: {
  db: Kysely<Tables>;
  engine: Engine;
}): Promise<void> {
  if (engine !== 'sqlite') return;
  for (let tries = 0; tries < EMPTY_TRIES; tries += 1) {
    if (await truncateWriteAheadLog(db)) return;
    await setTimeout(EMPTY_PAUSE_MS);
  }
  logEvent('warn', 'write-ahead-log-not-emptied');
}

/** False when another process reads or writes; it is not waited for, since that would block the thread. */
function truncateWriteAheadLog(db: Kysely<Tables>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    await sql`PRAGMA busy_timeout = 0`.execute(connection);
    try {
      const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(
        connection,
      );
      return rows[0]?.busy === 0;
    } finally {
      await sql`PRAGMA busy_timeout = ${sql.lit(BUSY_TIMEOUT_MS)}`.execute(connection);
    }
  });
}

/** The operating system frees this lock when the process dies, however it dies. */
function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
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

const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
/** Whether the folder is shared by everybody, as /tmp is, and must stay so. */
const SHARED_FOLDER = 0o1000;

/** What customers wrote is in these files, and the key of the links to their orders. */
function closeToOthers(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWN_FOLDER });
  if ((statSync(folder).mode & SHARED_FOLDER) === 0) setMode(folder, OWN_FOLDER);
  for (const name of [LOCK_FILE, SQLITE_FILE]) {
    const file = join(folder, name);
    // SQLite gives the files that it makes beside this one the same mode.
    if (!existsSync(file)) closeSync(openSync(file, 'a', OWN_FILE));
    for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
      if (existsSync(each)) setMode(each, OWN_FILE);
  }
}

/** Whatever the umask was, and only when it differs: a read-only disk refuses even that. */
function setMode(path: string, mode: number): void {
  if ((statSync(path).mode & 0o777) === mode) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    logEvent('warn', 'data-open-to-others', { path, message: reason(error) });
  }
}
