/**
 * `npm run backup [-- folder]`: one consistent copy of the database, while the server runs. It is checked before it
 * gets its name, so that a file with that name can be restored; docs/operations.md says how.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotStart, reason } from '../src/platform/config/cannot-start.server.ts';
import { readEnv } from '../src/platform/config/env.server.ts';
import { SQLITE_FILE } from '../src/platform/database/sqlite.server.ts';

const [folder = 'backups'] = process.argv.slice(2);

try {
  const { databaseUrl, dataDir } = readEnv(process.env);
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `site-${time}.${databaseUrl ? 'dump' : 'sqlite'}`);
  const partial = `${file}.partial`;
  try {
    // For its owner alone, whatever the umask and the folder; both programs fill the file that is there.
    closeSync(openSync(partial, 'wx', 0o600));
    if (databaseUrl) dumpPostgres(databaseUrl, partial);
    else copySqlite(join(dataDir, SQLITE_FILE), partial);
    keep(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  console.log(`Backed up to ${file}`);
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** VACUUM INTO reads one state of the database, whatever is written meanwhile. */
function copySqlite(source: string, target: string): void {
  if (!existsSync(source)) throw new CannotStart(`There is no database at ${source} (DATA_DIR)`);
  try {
    const database = new DatabaseSync(source, { timeout: 10_000 });
    database.prepare('VACUUM INTO ?').run(target);
    database.close();
    const copy = new DatabaseSync(target, { readOnly: true });
    const [found] = copy.prepare('PRAGMA integrity_check').all();
    copy.close();
    if (found?.integrity_check !== 'ok') throw new Error('the copy is damaged');
  } catch (error) {
    throw new CannotStart(`${source} cannot be copied: ${reason(error)}`);
  }
}

/** The password travels in the environment: arguments are seen by every user of the machine. */
function dumpPostgres(databaseUrl: string, target: string): void {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const env = { ...process.env, ...(password ? { PGPASSWORD: password } : {}) };
  const run = (program: string, args: string[]) => {
    const { error, status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
    if (error)
      throw new CannotStart(
        `${program} is needed, of PostgreSQL's client programs: ${error.message}`,
      );
    if (status !== 0) throw new CannotStart(`${program} failed: ${stderr.trim()}`);
  };
  run('pg_dump', ['--format=custom', '--no-owner', `--file=${target}`, `--dbname=${url.href}`]);
  run('pg_restore', ['--list', target]);
}

/** Gives the finished file its name, and has both on the disk before that is claimed. */
function keep(partial: string, file: string): void {
  sync(partial);
  renameSync(partial, file);
  sync(folder);
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
