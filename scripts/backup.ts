/**
 * `npm run backup [-- folder]`: makes a consistent copy of the database while the server runs. The
 * copy gets its final name only after it has been checked, so every file with that name can be
 * restored (docs/operations.md).
 * `--restore-drill` restores a backup to a temporary place and opens it like the site does.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Env, readEnv } from '../src/env.server.ts';
import { CannotStart, reason } from '../src/platform/config/cannot-start.server.ts';
import { openDatabase } from '../src/platform/database/database.server.ts';
import { SQLITE_FILE } from '../src/platform/database/sqlite.server.ts';
import { runCommand, withDatabase } from './command.ts';

type Place = Pick<Env, 'databaseUrl' | 'dataDir'>;

void runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { 'restore-drill': { type: 'boolean' } },
    allowPositionals: true,
  });
  const env = readEnv(process.env);
  const [named] = positionals;
  const place = named ?? 'backups';
  if (!values['restore-drill']) console.log(`Backed up to ${await makeBackup(env, place)}`);
  else {
    if (named !== undefined && !existsSync(named))
      throw new CannotStart(`There is no backup at ${named}`);
    const file = findBackup(env, place) ?? (await makeBackup(env, place));
    console.log(`Restoring ${file} …`);
    console.log(await drill(env, file));
  }
});

async function makeBackup({ databaseUrl, dataDir }: Place, folder: string): Promise<string> {
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `site-${time}.${databaseUrl ? 'dump' : 'sqlite'}`);
  const partial = `${file}.partial`;
  try {
    // Created first with 0600, whatever the umask; VACUUM and pg_dump write into an existing file.
    closeSync(openSync(partial, 'wx', 0o600));
    if (databaseUrl) dumpPostgres(databaseUrl, partial);
    else copySqlite(join(dataDir, SQLITE_FILE), partial);
    await keep(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  return file;
}

/** VACUUM INTO copies a consistent snapshot, even during writes. */
function copySqlite(source: string, target: string): void {
  if (!existsSync(source)) throw new CannotStart(`There is no database at ${source} (DATA_DIR)`);
  try {
    const database = new DatabaseSync(source, { timeout: 10_000 });
    database.prepare('VACUUM INTO ?').run(target);
    database.close();
  } catch (error) {
    throw new CannotStart(`${source} cannot be copied: ${reason(error)}`);
  }
  checkSqlite(target);
}

/** Throws CannotStart if the file is damaged or not a database. */
function checkSqlite(file: string): void {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    const [firstRow] = database.prepare('PRAGMA integrity_check').all();
    database.close();
    if (firstRow?.integrity_check !== 'ok') throw new Error(String(firstRow?.integrity_check));
  } catch (error) {
    throw new CannotStart(`${file} cannot be read: ${reason(error)}`);
  }
}

function dumpPostgres(databaseUrl: string, target: string): void {
  runPgProgram('pg_dump', databaseUrl, ['--format=custom', '--no-owner', `--file=${target}`]);
  runPgProgram('pg_restore', null, ['--list', target]);
}

/** Passes the password in the environment, because every user of the machine can see arguments. */
function runPgProgram(program: string, databaseUrl: string | null, args: string[]): void {
  const url = databaseUrl ? new URL(databaseUrl) : null;
  const env = { ...process.env };
  if (url?.password) env.PGPASSWORD = decodeURIComponent(url.password);
  if (url) url.password = '';
  const { error, status, stderr } = spawnSync(
    program,
    [...(url ? [`--dbname=${url}`] : []), ...args],
    {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  if (error)
    throw new CannotStart(
      `${program} is needed, of PostgreSQL's client programs: ${error.message}`,
    );
  if (status !== 0) throw new CannotStart(`${program} failed: ${stderr.trim()}`);
}

/** Writes the checksum (for `sha256sum --check`) and gives the file its name and syncs both. */
async function keep(partial: string, file: string): Promise<void> {
  sync(partial);
  const line = `${await checksum(partial)}  ${basename(file)}\n`;
  writeFileSync(`${file}.sha256`, line, { mode: 0o600 });
  sync(`${file}.sha256`);
  renameSync(partial, file);
  sync(join(file, '..'));
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** SHA-256, in hexadecimal. */
async function checksum(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Returns the named backup, or the newest one for this kind of database in the named folder. */
function findBackup({ databaseUrl }: Place, place: string): string | undefined {
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

/** Returns what was restored, and removes it; throws CannotStart if the backup cannot be. */
async function drill({ databaseUrl }: Place, file: string): Promise<string> {
  const checksumFile = `${file}.sha256`;
  if (!existsSync(checksumFile))
    throw new CannotStart(`${checksumFile} is missing: copy it with the backup`);
  if (!readFileSync(checksumFile, 'utf8').startsWith(await checksum(file)))
    throw new CannotStart(`${file} is damaged: its checksum is not that of ${checksumFile}`);
  if (file.endsWith('.sqlite')) return restoreSqlite(file);
  if (databaseUrl) return restorePostgres(databaseUrl, file);
  throw new CannotStart(`DATABASE_URL is missing: ${file} is restored on the server that it names`);
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

async function restorePostgres(databaseUrl: string, file: string): Promise<string> {
  const name = `restore_drill_${randomBytes(6).toString('hex')}`;
  const restored = new URL(databaseUrl);
  restored.pathname = `/${name}`;
  await maintain(databaseUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  try {
    const restoreOptions = ['--no-owner', '--no-privileges', '--exit-on-error', file];
    runPgProgram('pg_restore', restored.href, restoreOptions);
    return await openRestored({ databaseUrl: restored.href, dataDir: '' });
  } finally {
    await maintain(databaseUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** Runs a statement in the site's own database (CREATE DATABASE needs another one). */
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

/** Opens the copy like a server does, with migrations. */
function openRestored(place: Place): Promise<string> {
  return withDatabase(openDatabase(place, { alongsideServer: true }), async ({ db }) => {
    const count = async (table: 'orders' | 'threads') => {
      const counting = db.selectFrom(table).select((row) => row.fn.countAll<number>().as('rows'));
      return (await counting.executeTakeFirstOrThrow()).rows;
    };
    const [orders, messages] = [await count('orders'), await count('threads')];
    return `restored, ${orders} orders, ${messages} messages, checksums agree`;
  });
}
