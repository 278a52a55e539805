/** Restores a backup into a temporary place and opens it as the site does. */
import { createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { CannotStart, reason } from '../src/platform/config/cannot-start.server.ts';
import type { Env } from '../src/platform/config/env.server.ts';
import { openDatabase } from '../src/platform/database/database.server.ts';
import { SQLITE_FILE } from '../src/platform/database/sqlite.server.ts';
import { withDatabase } from './command.ts';
import { runPgProgram } from './pg-program.ts';

type Place = Pick<Env, 'databaseUrl' | 'dataDir'>;

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

/** Says what was restored; throws a CannotStart when the backup cannot be. Leaves nothing behind. */
export async function restoreDrill({ databaseUrl }: Place, file: string): Promise<string> {
  const kept = `${file}.sha256`;
  if (!existsSync(kept)) throw new CannotStart(`${kept} is missing: copy it with the backup`);
  if (!readFileSync(kept, 'utf8').startsWith(await checksum(file)))
    throw new CannotStart(`${file} is damaged: its checksum is not that of ${kept}`);
  if (file.endsWith('.sqlite')) return restoreSqlite(file);
  if (databaseUrl) return restorePostgres(databaseUrl, file);
  throw new CannotStart(`DATABASE_URL is missing: ${file} is restored on the server that it names`);
}

/** SHA-256 in hexadecimal. */
export async function checksum(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function restoreSqlite(file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'site-restore-drill-'));
  try {
    checkSqlite(file);
    copyFileSync(file, join(folder, SQLITE_FILE));
    return await openRestored({ databaseUrl: null, dataDir: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Throws a CannotStart for a file that is damaged or no database. */
export function checkSqlite(file: string): void {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    const [found] = database.prepare('PRAGMA integrity_check').all();
    database.close();
    if (found?.integrity_check !== 'ok') throw new Error(String(found?.integrity_check));
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

/** As a server opens it, which also brings the tables of an older version to this one. */
function openRestored(place: Place): Promise<string> {
  return withDatabase(openDatabase(place, { besideServer: true }), async ({ db }) => {
    const count = async (table: 'orders' | 'contactSubmissions') => {
      const counting = db.selectFrom(table).select((row) => row.fn.countAll<number>().as('rows'));
      return (await counting.executeTakeFirstOrThrow()).rows;
    };
    const [orders, messages] = [await count('orders'), await count('contactSubmissions')];
    return `restored, ${orders} orders, ${messages} messages, checksums agree`;
  });
}
