/** What a migration does, by which a database made by another one of the same name is found out. */
import { createHash } from 'node:crypto';
import { DummyDriver, Kysely, sql } from 'kysely';
import { memoryDatabase, sqliteDialect } from './sqlite.server.ts';
import type { Db, Engine, Tables } from './tables.server.ts';

export type Migration = (db: Db, engine: Engine) => Promise<void>;

/** SHA-256 of the statements that it would run on empty tables; none is run. */
export async function digestOf(migrate: Migration, engine: Engine): Promise<string> {
  const hash = createHash('sha256');
  const db = new Kysely<Tables>({
    // Only the way in which parameters are written is SQLite's for both engines.
    dialect: sqliteDialect(() => new DummyDriver()),
    log: ({ query }) => void hash.update(`${query.sql}\n`),
  });
  await migrate(db, engine);
  return hash.digest('hex');
}

/** Columns, as 'orders.name', that these migrations make and the database lacks. */
export async function missingColumns(
  db: Db,
  engine: Engine,
  migrations: readonly Migration[],
): Promise<string[]> {
  const memory = memoryDatabase();
  for (const migrate of migrations) await migrate(memory, 'sqlite');
  const [made, found] = await Promise.all([columns(memory, 'sqlite'), columns(db, engine)]);
  await memory.destroy();
  return made.filter((name) => !found.includes(name));
}

/** Of the tables that a query finds by their name alone. */
async function columns(db: Db, engine: Engine): Promise<string[]> {
  const { rows } = await (engine === 'sqlite'
    ? sql<{ name: string }>`select t.name || '.' || c.name as name
        from sqlite_master t join pragma_table_info(t.name) c
        where t.type = 'table' and t.name not like 'sqlite%'`
    : sql<{ name: string }>`select t.relname || '.' || c.attname as name
        from pg_class t join pg_attribute c on c.attrelid = t.oid
        where t.relkind = 'r' and pg_table_is_visible(t.oid) and c.attnum > 0 and not c.attisdropped`
  ).execute(db);
  return rows.map(({ name }) => name);
}
