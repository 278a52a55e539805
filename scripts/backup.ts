/**
 * `npm run backup [-- folder]`: makes a consistent copy of the database while the server runs. The
 * copy gets its final name only after it has been checked, so every file with that name can be
 * restored (docs/operations.md).
 * `--restore-drill` restores a backup to a temporary place and opens it like the site does.
 * `--nightly` makes one in BACKUP_DIR, does so with it, and keeps the newest BACKUP_KEEP.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
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
import { sql } from 'kysely';
import pg from 'pg';
import { type Env, readEnv } from '../src/env.server.ts';
import { CannotStart, reason } from '../src/platform/config/cannot-start.server.ts';
import { copyName, findCopies } from '../src/platform/database/copies.server.ts';
import {
  appliedMigrations,
  openDatabase,
  openUnmigrated,
} from '../src/platform/database/database.server.ts';
import { forDriver } from '../src/platform/database/postgres.server.ts';
import { SQLITE_FILE } from '../src/platform/database/sqlite.server.ts';
import { DAY_MS } from '../src/platform/time.ts';
import { runCommand, withDatabase } from './command.ts';

type Place = Pick<Env, 'databaseUrl' | 'dataDir'>;

/** What is older was left by a program that was cut off, as by a stop of the site. */
const CUT_OFF_MS = DAY_MS;

/** Others in an address are for drivers, such as uselibpqcompat and pgbouncer. */
const LIBPQ_WORD =
  /^(host|hostaddr|port|user|password|dbname|passfile|options|application_name|connect_timeout|channel_binding|target_session_attrs|(ssl|gss|krb|require).+|keepalives.*)$/;

void runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { 'restore-drill': { type: 'boolean' }, nightly: { type: 'boolean' } },
    allowPositionals: true,
  });
  const env = readEnv(process.env);
  const [named] = positionals;
  const place = named ?? env.backups?.folder ?? 'backups';
  if (values.nightly && env.backups) {
    await makeBackup(env, env.backups.folder, async (partial) =>
      console.log(await prove(env, partial)),
    );
    forgetOld(env, env.backups);
  } else if (!values['restore-drill']) console.log(`Backed up to ${await makeBackup(env, place)}`);
  else {
    if (named !== undefined && !existsSync(named))
      throw new CannotStart(`There is no backup at ${named}`);
    const file = findBackup(env, place) ?? (await makeBackup(env, place));
    console.log(`Restoring ${file} …`);
    console.log(await drill(env, file));
  }
});

/** `prove`: what it throws, or is cut off in, must not pass for a copy. */
async function makeBackup(
  { databaseUrl, dataDir }: Place,
  folder: string,
  prove?: (partial: string) => Promise<void>,
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = copyName(databaseUrl);
  const file = join(folder, name);
  const partial = join(folder, `partial-${name}`);
  try {
    // Created first with 0600, whatever the umask; VACUUM and pg_dump write into an existing file.
    closeSync(openSync(partial, 'wx', 0o600));
    if (databaseUrl) dumpPostgres(databaseUrl, partial);
    else copySqlite(join(dataDir, SQLITE_FILE), partial);
    await prove?.(partial);
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
    throw new CannotStart(`${source} cannot be copied to ${target}: ${reason(error)}`);
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

/** Without what the administrator added to the database: our role could not restore it. */
function dumpPostgres(databaseUrl: string, target: string): void {
  runPgProgram('pg_dump', databaseUrl, [
    ...['--format=custom', '--no-owner', '--no-privileges', '--encoding=UTF8'],
    // None but the one that every database has.
    '--extension=plpgsql',
    `--file=${target}`,
  ]);
  runPgProgram('pg_restore', null, ['--list', target]);
}

/** Every user can see arguments: the address is in a file, its password in the environment. */
function runPgProgram(program: string, databaseUrl: string | null, args: string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'site-pg-'));
  try {
    const env = { ...process.env };
    if (databaseUrl) {
      const { password, ...parameters } = connectionParameters(new URL(databaseUrl));
      const lines = Object.entries(parameters).map(([name, value]) => `${name}=${value}\n`);
      env.PGSERVICEFILE = join(folder, 'service');
      writeFileSync(env.PGSERVICEFILE, `[site]\n${lines.join('')}`, { mode: 0o600 });
      if (password) env.PGPASSWORD = password;
    }
    const { error, status, stderr } = spawnSync(
      program,
      [...(databaseUrl ? ['--dbname=service=site'] : []), ...args],
      { env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
    );
    if (error)
      throw new CannotStart(
        `${program} is needed, of PostgreSQL's client programs: ${error.message}`,
      );
    if (status !== 0) throw new CannotStart(`${program} failed: ${stderr.trim()}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** In libpq's words; what follows the question mark comes before the rest, as there. */
function connectionParameters(url: URL): Record<string, string> {
  const parts = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    user: url.username,
    password: url.password,
    dbname: url.pathname.slice(1),
  };
  const given = Object.entries(parts).filter(([, value]) => value !== '');
  const decoded = given.map(([name, value]) => [name, decodeURIComponent(value)]);
  const asked = [...url.searchParams].filter(([name]) => LIBPQ_WORD.test(name));
  const parameters = { ...Object.fromEntries(decoded), ...Object.fromEntries(asked) };
  // The driver's own: libpq does not verify where it only requires encryption.
  if (parameters.sslmode === 'no-verify') parameters.sslmode = 'require';
  return parameters;
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
function findBackup(place: Place, named: string): string | undefined {
  if (existsSync(named) && statSync(named).isFile()) return named;
  return findCopies(place, named).at(-1)?.file;
}

function forgetOld(place: Place, { folder, keep }: { folder: string; keep: number }): void {
  for (const { file } of findCopies(place, folder).slice(0, -keep))
    for (const each of [file, `${file}.sha256`]) rmSync(each, { force: true });
  const partials = globSync('partial-*', { cwd: folder }).map((name) => join(folder, name));
  for (const file of partials)
    if (statSync(file).mtimeMs < Date.now() - CUT_OFF_MS)
      rmSync(file, { force: true, recursive: true });
}

/** Returns what was restored, and removes it; throws CannotStart if the backup cannot be. */
async function drill(source: Place, file: string): Promise<string> {
  const checksumFile = `${file}.sha256`;
  if (!existsSync(checksumFile))
    throw new CannotStart(`${checksumFile} is missing: copy it with the backup`);
  if (!readFileSync(checksumFile, 'utf8').startsWith(await checksum(file)))
    throw new CannotStart(`${file} is damaged: its checksum is not that of ${checksumFile}`);
  return `${await tryRestore(source, file)}; checksums agree`;
}

async function tryRestore(source: Place, file: string): Promise<string> {
  if (file.endsWith('.sqlite')) return tryInFolder(source, file);
  const { databaseUrl } = source;
  if (databaseUrl) return tryInDatabase({ ...source, databaseUrl }, file);
  throw new CannotStart(`DATABASE_URL is missing: ${file} is restored on the server that it names`);
}

/** In the folder of the copies: one in memory, such as /tmp, may be too small for a second one. */
async function prove(source: Place, partial: string): Promise<string> {
  if (!partial.endsWith('.sqlite')) return tryRestore(source, partial);
  const folder = mkdtempSync(`${partial}-`);
  const file = join(folder, SQLITE_FILE);
  renameSync(partial, file);
  try {
    return await openRestored({ databaseUrl: null, dataDir: folder }, source);
  } finally {
    renameSync(file, partial);
    rmSync(folder, { recursive: true });
  }
}

async function tryInFolder(source: Place, file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'site-restore-drill-'));
  try {
    checkSqlite(file);
    copyFileSync(file, join(folder, SQLITE_FILE));
    return await openRestored({ databaseUrl: null, dataDir: folder }, source);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function tryInDatabase(
  source: Place & { databaseUrl: string },
  file: string,
): Promise<string> {
  const { databaseUrl } = source;
  await dropCutOff(databaseUrl);
  const name = `restore_drill_${Date.now()}_${randomBytes(6).toString('hex')}`;
  const restored = new URL(databaseUrl);
  restored.pathname = `/${name}`;
  await maintain(databaseUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  try {
    // Copies of 1.1.16 and earlier have the rights of other roles.
    const restoreOptions = ['--no-owner', '--no-privileges', '--exit-on-error', file];
    runPgProgram('pg_restore', restored.href, restoreOptions);
    return await openRestored({ databaseUrl: restored.href, dataDir: '' }, source);
  } finally {
    await maintain(databaseUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** They hold all that the site stores. */
async function dropCutOff(databaseUrl: string): Promise<void> {
  const drills = await maintain(
    databaseUrl,
    "SELECT datname FROM pg_database WHERE datname ~ '^restore_drill_[0-9]{13}_' AND datdba = current_user::regrole",
  );
  for (const { datname } of drills)
    if (Number(datname.split('_')[2]) < Date.now() - CUT_OFF_MS)
      await maintain(databaseUrl, `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}

/** Runs a statement in the site's own database (CREATE DATABASE needs another one). */
async function maintain(databaseUrl: string, statement: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: forDriver(databaseUrl) });
  try {
    await client.connect();
    return (await client.query<{ datname: string }>(statement)).rows;
  } catch (error) {
    throw new CannotStart(`The server refuses '${statement}': ${reason(error)}`);
  } finally {
    await client.end();
  }
}

interface Counts {
  orders: number;
  messages: number;
  /** Where PostgreSQL finds the tables. */
  schema?: string;
}

/** Counts before anything migrates; undefined without tables of ours. */
async function countRows(place: Place): Promise<Counts | undefined> {
  if (!place.databaseUrl && !existsSync(join(place.dataDir, SQLITE_FILE))) return undefined;
  const opening = openUnmigrated(place, { alongsideServer: true });
  return withDatabase(opening, async ({ db, engine }) => {
    if ((await appliedMigrations({ db, engine })).length === 0) return undefined;
    const count = async (table: 'orders' | 'threads') => {
      const all = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'));
      return (await all.executeTakeFirstOrThrow()).rows;
    };
    const counts = { orders: await count('orders'), messages: await count('threads') };
    if (engine === 'sqlite') return counts;
    const { rows } = await sql<{ schema: string }>`select relnamespace::regnamespace as schema
      from pg_class where oid = to_regclass('orders')`.execute(db);
    return { ...counts, ...rows[0] };
  });
}

/** Counts the copy's rows, and opens it like a server does, with migrations. */
async function openRestored(place: Place, source: Place): Promise<string> {
  const copied = await countRows(place);
  if (!copied)
    throw new CannotStart(
      'The copy has no tables of ours: restored, the site would be empty. On PostgreSQL, see whether a search_path is set for the database, which a dump does not contain',
    );
  await withDatabase(openDatabase(place, { alongsideServer: true }), async ({ db, engine }) => {
    // A copy is one file, also while it is read.
    if (engine === 'sqlite') await sql`PRAGMA journal_mode = DELETE`.execute(db);
  });
  const words = ({ orders, messages }: Counts) => `${orders} orders, ${messages} messages`;
  const now = await countRows(source).catch((error: unknown) => {
    throw new CannotStart(
      `restored, ${words(copied)}; the database could not be read: ${reason(error)}`,
    );
  });
  if (now && now.schema !== copied.schema)
    throw new CannotStart(
      `Restored, the site would open the tables in the schema ${copied.schema}, not those in ${now.schema}: a dump does not contain the search_path that is set for the database or its role`,
    );
  return `restored, ${words(copied)}; the database has ${now ? words(now) : 'no tables of ours'}`;
}
