/** Lets Kysely's own SQLite dialect, written for better-sqlite3, speak to Node's built-in `node:sqlite`. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect } from 'kysely';

/** Opens (and makes) the file with the durability that an acknowledged order needs. */
export function openSqlite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  // SQLite's own knows no letters but those of English.
  database.function('lower', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return database;
}

const NOTHING = 'SELECT 1 WHERE 0';

export function sqliteDialect(database: DatabaseSync): SqliteDialect {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      // Queries are a fixed set; only those built for lists of values vary.
      if (statements.size < 500) statements.set(sql, statement);
    }
    return statement;
  };
  return new TransactionalSqlite({
    database: {
      close: () => database.close(),
      prepare(sql) {
        // A full disk makes SQLite roll back by itself; a second rollback would fail and hide the reason.
        const statement = prepared(sql === 'rollback' && !database.isTransaction ? NOTHING : sql);
        return {
          reader: statement.columns().length > 0,
          all: (values) => statement.all(...inputs(values)),
          run: (values) => statement.run(...inputs(values)),
          iterate: (values) => statement.iterate(...inputs(values)) as IterableIterator<unknown>,
        };
      },
    },
  });
}

/** Kysely forgoes transactions around SQLite's migrations, so a kill in the middle of one would leave half a schema. */
class TransactionalSqlite extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function inputs(values: readonly unknown[]): SQLInputValue[] {
  return values as SQLInputValue[];
}
