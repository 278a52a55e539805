/** Opens the database that the environment names: SQLite in a folder of ours, or PostgreSQL. */
import { Kysely } from 'kysely';
import { CannotStart } from '../config/cannot-start.server.ts';
import type { Env } from '../config/env.server.ts';
import { cannotBeUsed, DatabaseOpening } from './database-opening.server.ts';
import { sqliteSource } from './sqlite-folder.server.ts';
import type { Engine, Tables } from './tables.server.ts';

export interface Database {
  db: Kysely<Tables>;
  engine: Engine;
  close(): Promise<void>;
}

/**
 * A database that is away, full or read-only is not waited for: its queries are refused until one of them finds it
 * there. One that is wrong is a CannotStart. `besideServer`: for a command that may run while a server has the same
 * data open, and that can do nothing without it.
 */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>,
  { besideServer = false } = {},
): Promise<Database> {
  const source = databaseUrl
    ? (await import('./postgres.server.ts')).postgresSource(databaseUrl)
    : sqliteSource(dataDir, besideServer);
  const opening = new DatabaseOpening(source);
  try {
    await opening.attempt();
  } catch (error) {
    if (error instanceof CannotStart || besideServer) {
      await source.close();
      throw cannotBeUsed(source.name, error);
    }
  }
  const db = new Kysely<Tables>({ dialect: source.dialect(() => opening.soon()) });
  return { db, engine: source.engine, close: () => source.close() };
}
