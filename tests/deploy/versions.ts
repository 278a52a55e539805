/** The version that an upgrade comes from and the one that it leads to, each built in a folder. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MINUTE_MS = 60_000;
const MIGRATIONS = 'src/platform/database/database.server.ts';
const LISTED = /const MIGRATIONS = \{[^}]*/;
const NEXT = `  '999-next': async (trx: Db) => {
    await sql\`alter table "orders" add column "next" text default 'new'\`.execute(trx);
    await sql\`create index "ordersByNext" on "orders" ("next")\`.execute(trx);
  },\n`;

const build = (cwd: string) =>
  execFileSync('node', ['scripts/build-if-stale.ts'], { cwd, stdio: 'pipe' });

/** Release 1.0.0, from which an upgrade must lead here. */
const RELEASED = '1bbe8bad';

function buildPrevious(): string {
  const found = spawnSync('git', ['cat-file', '-e', RELEASED]);
  // A shallow clone does not have it.
  if (found.status !== 0) return process.cwd();
  // Its packages would be much for a folder in memory.
  const folder = mkdtempSync(join(tmpdir(), 'site-previous-'));
  const files = execFileSync('git', ['archive', RELEASED], { maxBuffer: 1e9 });
  execFileSync('tar', ['-x'], { cwd: folder, input: files });
  const install = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
  build(folder);
  return folder;
}

/** This version, with one more migration than any released one. */
function buildNext(): string {
  const folder = temporaryFolder();
  for (const name of ['content', 'scripts', 'src', 'package.json', 'package-lock.json'])
    cpSync(name, join(folder, name), { recursive: true });
  cpSync('vite.config.ts', join(folder, 'vite.config.ts'));
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, MIGRATIONS);
  const source = readFileSync(file, 'utf8');
  expect(source).toMatch(LISTED);
  writeFileSync(
    file,
    source.replace(LISTED, (list) => list + NEXT),
  );
  build(folder);
  return folder;
}

/** Folders of 1.0.0 (or else of this version) and of the next release. */
export function useVersions() {
  const versions = { previous: '', next: '' };
  beforeAll(() => {
    versions.previous = buildPrevious();
    versions.next = buildNext();
  }, 10 * MINUTE_MS);
  afterAll(() => {
    if (versions.previous !== process.cwd())
      rmSync(versions.previous, { recursive: true, force: true });
  });
  return versions;
}
