/** SQLite in a folder of one server: Kysely's dialect on `node:sqlite`, with one connection. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { CannotStart, CannotStartYet, reason } from '../config/cannot-start.server.ts';
import { logEvent } from '../log.server.ts';
import { DatabaseUnavailable, markErrors } from './database-unavailable.server.ts';
import type { DatabaseSource, Db, Engine } from './tables.server.ts';

export const SQLITE_FILE = 'site.sqlite';
const LOCK_FILE = 'lock.sqlite';
const SQLITE_BUSY = 5;
/** How long a query waits, blocking the thread, for a command that writes alongside the server. */
const BUSY_TIMEOUT_MS = 5000;
/** Attempts to empty the write-ahead log while a backup reads, and the pause between them. */
const EMPTY_TRIES = 20;
const EMPTY_PAUSE_MS = 250;
/** The write-ahead log is truncated to this size after a checkpoint. */
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
        restrictPermissions(folder);
        if (!alongsideServer) lock ??= lockFolder(folder);
        database = openSqlite(join(folder, SQLITE_FILE));
      } catch (error) {
        rethrow(error);
      }
    },
    dialect: (opened) =>
      sqliteDialect(
        () =>
          new NodeSqliteDriver(opened, () => {
            if (!database) throw new Error('the database has not been opened');
            return database;
          }),
      ),
    async close() {
      database?.close();
      lock?.close();
    },
  };
}

/** Opens or creates the file, durably. Deleted data, such as an IP address, is overwritten. */
function openSqlite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, {
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  });
  try {
    // The last two statements fail now if the file is read-only, rather than at the first write.
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
       PRAGMA journal_size_limit = ${WAL_BYTES}; BEGIN IMMEDIATE; ROLLBACK;`,
    );
  } catch (error) {
    database.close();
    throw error;
  }
  // SQLite's own lower() knows ASCII letters only.
  database.function('lower', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return database;
}

export function sqliteDialect(createDriver: () => Driver): Dialect {
  return {
    createDriver,
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #database: () => DatabaseSync;

  constructor(opened: () => Promise<void>, database: () => DatabaseSync) {
    super({
      database: () => opened().then(() => forKysely(database())),
      onCreateConnection: (connection) => markErrors(connection, rethrow),
    });
    this.#database = database;
  }

  /** A transaction that begins with a read cannot write after a command's write. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** On a full disk SQLite rolls back by itself. A second rollback would hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database().isTransaction) await super.rollbackTransaction(connection);
  }
}

/** Adapts `node:sqlite` to the better-sqlite3 interface that Kysely expects. */
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

/** Removes deleted rows from SQLite's write-ahead log; retries while a backup reads. */
export async function emptyWriteAheadLog({
  db,
  engine,
}: {
  db: Db;
  engine: Engine;
}): Promise<void> {
  if (engine !== 'sqlite') return;
  for (let tries = 0; tries < EMPTY_TRIES; tries += 1) {
    if (await truncateWriteAheadLog(db)) return;
    await setTimeout(EMPTY_PAUSE_MS);
  }
  logEvent('warn', 'wal-checkpoint-failed');
}

/** False when another process reads or writes. Waiting for it would block the thread. */
function truncateWriteAheadLog(db: Db): Promise<boolean> {
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

/** SQLITE_PERM, _BUSY, _READONLY, _IOERR, _FULL, _CANTOPEN and _PROTOCOL. */
const UNAVAILABLE = new Set([3, 5, 8, 10, 13, 14, 15]);
/** File system errors that can go away without a change of configuration. */
const FOLDER_UNAVAILABLE = /^(EACCES|EDQUOT|EIO|EMFILE|ENFILE|ENOENT|ENOSPC|EPERM|EROFS)$/;

function rethrow(error: unknown): never {
  throw isUnavailable(error) ? new DatabaseUnavailable(error) : error;
}

/** For errors of SQLite and of its folder. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return 'errcode' in error
    ? UNAVAILABLE.has(Number(error.errcode) & 0xff)
    : FOLDER_UNAVAILABLE.test(String(error.code));
}

/** Keeps a second server off the folder. The lock ends however the process dies. */
function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (!isBusy) throw error;
    throw new CannotStartYet(
      `Another server is using the data folder ${folder}; stop it or set DATA_DIR`,
    );
  }
  return lock;
}

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** Set on folders that all users share, such as /tmp; their mode must stay. */
const STICKY_BIT = 0o1000;

/** The files contain customers' messages and the key that signs the links to their orders. */
function restrictPermissions(folder: string): void {
  makeFolder(folder);
  if ((statSync(folder).mode & STICKY_BIT) === 0) setMode(folder, OWNER_ONLY_FOLDER);
  refuseForeign(folder);
  for (const name of [LOCK_FILE, SQLITE_FILE]) {
    const file = join(folder, name);
    // SQLite creates the files beside this one with the same mode.
    if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY_FILE));
    for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
      if (existsSync(path)) {
        setMode(path, OWNER_ONLY_FILE);
        refuseForeign(path);
      }
  }
}

/** As where root made the folder or restored the file. */
function refuseForeign(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    // A read-only disk may become writable.
    if (Object(error).code !== 'EACCES') return;
    throw new CannotStart(
      `This user may not read and write ${path}: chown it to the user of the server, or name another folder in DATA_DIR`,
    );
  }
}

/** Unlike a full disk, this does not pass by itself. */
function makeFolder(folder: string): void {
  try {
    // Refuses a file, whose mode would be changed next.
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  } catch (error) {
    throw new CannotStart(
      `The data folder ${folder} cannot be made (${reason(error)}): make it, or name another in DATA_DIR`,
    );
  }
}

/** Not affected by the umask. Skips what has the mode: a read-only disk refuses chmod. */
function setMode(path: string, mode: number): void {
  if ((statSync(path).mode & 0o777) === mode) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    logEvent('warn', 'data-permissions-insecure', { path, message: reason(error) });
  }
}
