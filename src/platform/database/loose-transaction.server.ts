/**
 * A transaction that does not wait for the disk: a killed process loses nothing of it, a power cut may lose the last
 * moment. The access log is worth no more, and must not hold up those who wait for an answer.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './database.server.ts';
import type { Tables } from './tables.server.ts';

export function looseTransaction(
  { db, engine }: Database,
  work: (transaction: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  if (engine === 'sqlite') return onSqlite(db, work);
  return db.transaction().execute(async (transaction) => {
    await sql`set local synchronous_commit = off`.execute(transaction);
    await work(transaction);
  });
}

/** The connection is ours meanwhile, so nothing that must be on disk can slip in between. */
function onSqlite(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  return db.connection().execute(async (connection) => {
    await sql`PRAGMA synchronous = NORMAL`.execute(connection);
    try {
      await connection.transaction().execute(work);
    } finally {
      await sql`PRAGMA synchronous = FULL`.execute(connection);
    }
  });
}
