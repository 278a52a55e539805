/**
 * `npm run backup [-- folder]`: one consistent copy of the database, while the server runs. It is checked before it
 * gets its name, so that a file with that name can be restored; docs/operations.md says how. `--restore-drill` restores
 * a backup into a temporary place.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { CannotStart, reason } from '../src/platform/config/cannot-start.server.ts';
import { type Env, readEnv } from '../src/platform/config/env.server.ts';
import { SQLITE_FILE } from '../src/platform/database/sqlite.server.ts';
import { runCommand } from './command.ts';
import { runPgProgram } from './pg-program.ts';
import { checkSqlite, checksum, findBackup, restoreDrill } from './restore-drill.ts';

void runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { 'restore-drill': { type: 'boolean' } },
    allowPositionals: true,
  });
  const env = readEnv(process.env);
  const [place = 'backups'] = positionals;
  if (!values['restore-drill']) console.log(`Backed up to ${await makeBackup(env, place)}`);
  else {
    const file = findBackup(env, place) ?? (await makeBackup(env, place));
    console.log(`Restoring ${file} …`);
    console.log(await restoreDrill(env, file));
  }
});

async function makeBackup({ databaseUrl, dataDir }: Env, folder: string): Promise<string> {
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `site-${time}.${databaseUrl ? 'dump' : 'sqlite'}`);
  const partial = `${file}.partial`;
  try {
    // For its owner alone, whatever the umask and the folder; both programs fill the file that is there.
    closeSync(openSync(partial, 'wx', 0o600));
    if (databaseUrl) await dumpPostgres(databaseUrl, partial);
    else copySqlite(join(dataDir, SQLITE_FILE), partial);
    await keep(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  return file;
}

/** VACUUM INTO reads one state of the database, whatever is written meanwhile. */
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

async function dumpPostgres(databaseUrl: string, target: string): Promise<void> {
  const options = ['--format=custom', '--no-owner', `--file=${target}`];
  await runPgProgram(databaseUrl, 'pg_dump', (address) => [...options, `--dbname=${address}`]);
  await runPgProgram(databaseUrl, 'pg_restore', () => ['--list', target]);
}

/** Gives the finished file its name and a checksum for `sha256sum --check`, all on the disk before that is claimed. */
async function keep(partial: string, file: string): Promise<void> {
  sync(partial);
  writeFileSync(`${file}.sha256`, `${await checksum(partial)}  ${basename(file)}\n`);
  sync(`${file}.sha256`);
  renameSync(partial, file);
  sync(join(file, '..'));
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
