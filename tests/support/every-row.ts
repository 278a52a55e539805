/** Searches the whole database for text that must not be in it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.server.ts';

/** Names of the tables that contain the text, ignoring case. */
export async function tablesWith({ db }: Database, text: string): Promise<string[]> {
  const tables = await db.introspection.getTables();
  if (tables.length < 20) throw new Error('some tables are missing from the list');
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    if (JSON.stringify(rows).toLowerCase().includes(text.toLowerCase())) found.push(name);
  }
  return found.sort();
}

/** Names of SQLite's files that contain the text, ignoring case; none on PostgreSQL. */
export async function filesWith({ db, engine }: Database, text: string): Promise<string[]> {
  if (engine !== 'sqlite') return [];
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(db);
  const folder = dirname(rows[0]?.file ?? '');
  return readdirSync(folder).filter((name) =>
    readFileSync(join(folder, name), 'latin1').toLowerCase().includes(text.toLowerCase()),
  );
}
