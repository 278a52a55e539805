/** Lets Kysely's own SQLite dialect, written for better-sqlite3, speak to Node's built-in `node:sqlite`. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { GroupCommitDriver } from './group-commit.server.ts';

/** What is beyond this is given back to the disk once it has been copied from the write-ahead log. */
const WAL_BYTES = 8 * 1024 * 1024;

/**
 * Opens (and makes) the file with the durability that an acknowledged order needs. What is deleted is overwritten: an
 * address that has had its day must not be read in the file.
 */
export function openSqlite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
  try {
    // Ends with what fails where the file could only be opened for reading: it would never be written to again.
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
       PRAGMA journal_size_limit = ${WAL_BYTES}; BEGIN IMMEDIATE; ROLLBACK;`,
    );
  } catch (error) {
    database.close();
    throw error;
  }
  return withLower(database);
}

/** A second connection to the same file: it sees what has been committed, and nothing else. */
export function openReader(file: string): DatabaseSync {
  return withLower(new DatabaseSync(file, { timeout: 5000, readOnly: true }));
}

/** SQLite's own knows no letters but those of English. */
function withLower(database: DatabaseSync): DatabaseSync {
  database.function('lower', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return database;
}

const NOTHING = 'SELECT 1 WHERE 0';

/** The connection that writes, and one that reads beside it. */
export interface OpenedSqlite {
  writer: DatabaseSync;
  reader: DatabaseSync;
}

/** `open` and then `opened` are asked when the first query comes. */
export function sqliteDialect(open: () => Promise<void>, opened: () => OpenedSqlite): Dialect {
  const by = (which: keyof OpenedSqlite) =>
    new SqliteDriver({
      async database() {
        await open();
        return preparing(opened()[which]);
      },
    });
  const inTransaction = () => opened().writer.isTransaction;
  return {
    createDriver: () => new GroupCommitDriver(by('writer'), by('reader'), inTransaction),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

function preparing(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const prepared = (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = forKysely(database.prepare(sql));
      // Queries are a fixed set; only those built for lists of values vary.
      if (statements.size < 500) statements.set(sql, statement);
    }
    return statement;
  };
  return {
    close: () => database.close(),
    // A full disk makes SQLite roll back by itself; a second rollback would fail and hide the reason.
    prepare: (sql) => prepared(sql === 'rollback' && !database.isTransaction ? NOTHING : sql),
  };
}

function forKysely(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...inputs(values)),
    run: (values) => statement.run(...inputs(values)),
    *iterate(values) {
      yield* statement.iterate(...inputs(values));
    },
  };
}

class TransactionalAdapter extends SqliteAdapter {
  /** Kysely forgoes transactions around SQLite's migrations, so a kill in the middle of one would leave half a schema. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The driver gives turns by itself. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function inputs(values: readonly unknown[]): SQLInputValue[] {
  return values as SQLInputValue[];
}
