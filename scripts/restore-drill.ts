/** Restores a backup into a temporary place, compares it with the file, and opens it as the site does. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { CannotStart, reason } from '../src/platform/config/cannot-start.server.ts';
import type { Env } from '../src/platform/config/env.server.ts';
import { openDatabase } from '../src/platform/database/database.server.ts';
import { SQLITE_FILE } from '../src/platform/database/sqlite.server.ts';
import { Checksum } from './checksum.ts';
import { runPgProgram } from './pg-program.ts';

type Place = Pick<Env, 'databaseUrl' | 'dataDir'>;
type Checksums = Record<string, string>;

/** The named backup, or the newest of this database's kind in the named folder. */
export function findBackup({ databaseUrl }: Place, place: string): string | undefined {
  if (!existsSync(place)) return undefined;
  if (statSync(place).isFile()) return place;
  const ending = databaseUrl ? '.dump' : '.sqlite';
  // Their names begin with the time.
  const newest = readdirSync(place)
    .filter((name) => name.startsWith('site-') && name.endsWith(ending))
    .sort()
    .at(-1);
  return newest && join(place, newest);
}

/** Says what was restored; throws a CannotStart when it is not what the backup holds. Leaves nothing behind. */
export function restoreDrill({ databaseUrl }: Place, file: string): Promise<string> {
  if (file.endsWith('.sqlite')) return restoreSqlite(file);
  if (databaseUrl) return restorePostgres(databaseUrl, file);
  throw new CannotStart(`DATABASE_URL is missing: ${file} is restored on the server that it names`);
}

async function restoreSqlite(file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'site-restore-drill-'));
  try {
    const restored = join(folder, SQLITE_FILE);
    copyFileSync(file, restored);
    compare(sqliteChecksums(file), sqliteChecksums(restored));
    return await openRestored({ databaseUrl: null, dataDir: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sqliteChecksums(file: string): Checksums {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    const [found] = database.prepare('PRAGMA integrity_check').all();
    if (found?.integrity_check !== 'ok') throw new Error(String(found?.integrity_check));
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
    const checksums = tables.map(({ name }) => {
      const sum = new Checksum();
      for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate())
        sum.add(JSON.stringify(row));
      return [name, `${sum}`];
    });
    database.close();
    return Object.fromEntries(checksums);
  } catch (error) {
    throw new CannotStart(`${file} cannot be read: ${reason(error)}`);
  }
}

async function restorePostgres(databaseUrl: string, file: string): Promise<string> {
  const name = `restore_drill_${randomBytes(6).toString('hex')}`;
  const restored = new URL(databaseUrl);
  restored.pathname = `/${name}`;
  await maintain(databaseUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  try {
    const whole = ['--no-owner', '--no-privileges', '--exit-on-error'];
    await runPgProgram(restored.href, 'pg_restore', (url) => [...whole, `--dbname=${url}`, file]);
    compare(
      await postgresChecksums(restored.href, 'pg_restore', () => ['--file=-', file]),
      await postgresChecksums(restored.href, 'pg_dump', (url) => [`--dbname=${url}`]),
    );
    return await openRestored({ databaseUrl: restored.href, dataDir: '' });
  } finally {
    await maintain(databaseUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** A database is made and dropped from another one of its server, here the site's own. */
async function maintain(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    await client.query(statement);
  } catch (error) {
    throw new CannotStart(`The server refuses '${statement}': ${reason(error)}`);
  } finally {
    await client.end();
  }
}

/** Of the rows as either program writes them, in PostgreSQL's own format of text, and of the sequences. */
async function postgresChecksums(
  databaseUrl: string,
  program: string,
  args: (address: string) => string[],
): Promise<Checksums> {
  const checksums: Record<string, Checksum> = { sequences: new Checksum() };
  let table: Checksum | undefined;
  const read = (line: string) => {
    const [, name] = /^COPY (.+) FROM stdin;$/.exec(line) ?? [];
    if (table) {
      if (line === '\\.') table = undefined;
      else table.add(line);
    } else if (name) {
      table = new Checksum();
      checksums[name] = table;
    } else if (/^SELECT pg_catalog\.setval/.test(line)) checksums.sequences?.add(line);
  };
  await runPgProgram(databaseUrl, program, (url) => ['--data-only', ...args(url)], read);
  return Object.fromEntries(Object.entries(checksums).map(([name, sum]) => [name, `${sum}`]));
}

function compare(kept: Checksums, restored: Checksums): void {
  const names = [...new Set([...Object.keys(kept), ...Object.keys(restored)])];
  const faults = names
    .filter((name) => kept[name] !== restored[name])
    .map(
      (name) => `${name}: ${kept[name] ?? 'nothing'} in it, ${restored[name] ?? 'nothing'} here`,
    );
  if (faults.length > 0)
    throw new CannotStart('What was restored is not what the backup holds:', faults);
  if (names.length < 2) throw new CannotStart('The backup holds no tables');
}

/** As a server opens it, which also brings the tables of an older version to this one. */
async function openRestored(place: Place): Promise<string> {
  const { db, close } = await openDatabase(place, { besideServer: true });
  try {
    const count = async (table: 'orders' | 'contactSubmissions') => {
      const counting = db.selectFrom(table).select((row) => row.fn.countAll<number>().as('rows'));
      return (await counting.executeTakeFirstOrThrow()).rows;
    };
    const [orders, messages] = [await count('orders'), await count('contactSubmissions')];
    return `restored, ${orders} orders, ${messages} messages, checksums agree`;
  } finally {
    await close();
  }
}
