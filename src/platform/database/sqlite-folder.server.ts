/** The folder of the embedded database: one server's alone, and closed to other users of the machine. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotStart, reason } from '../config/cannot-start.server.ts';
import { logEvent } from '../log.server.ts';
import type { DatabaseSource } from './database-opening.server.ts';
import {
  type OpenedSqlite,
  openReader,
  openSqlite,
  sqliteDialect,
} from './sqlite-dialect.server.ts';

/** The embedded database's file in DATA_DIR. */
export const SQLITE_FILE = 'site.sqlite';
const LOCK_FILE = 'lock.sqlite';
const SQLITE_BUSY = 5;

export function sqliteSource(folder: string, besideServer: boolean): DatabaseSource {
  let lock: DatabaseSync | undefined;
  let database: OpenedSqlite | undefined;
  return {
    engine: 'sqlite',
    name: `The data folder ${folder} (DATA_DIR)`,
    dialect: (open) =>
      sqliteDialect(open, () => {
        if (!database) throw new Error('the database has not been opened');
        return database;
      }),
    async reach() {
      if (database) return;
      closeToOthers(folder);
      if (!besideServer) lock ??= lockFolder(folder);
      const file = join(folder, SQLITE_FILE);
      const writer = openSqlite(file);
      database = { writer, reader: openReader(file) };
    },
    async close() {
      database?.reader.close();
      database?.writer.close();
      lock?.close();
    },
  };
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
/** Of a folder such as /tmp, which is everybody's and must stay so. */
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
