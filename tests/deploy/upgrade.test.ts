/**
 * An upgrade while customers order: from the newest tag (or, as long as there is none, from this version) to this version
 * with one more migration, as the next release may have. nginx is in front, as deploy/nginx.conf sets it up.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase } from '../support/databases.ts';
import { freePort } from '../support/free-port.ts';
import { compareWithFinalState, type Shift, startShift } from '../support/mixed-writes.ts';
import { REACHABLE_DEMO, SERVER, startProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { hasNginx, startNginx } from './nginx.ts';

const MINUTE_MS = 60_000;
const MIGRATIONS = 'src/platform/database/database.server.ts';
const LAST = "  '001-tables-of-1.0': createTables,\n";
const NEXT = `  '999-next': async (trx: Db) => {
    await sql\`alter table "orders" add column "next" text default 'new'\`.execute(trx);
    await sql\`create index "ordersByNext" on "orders" ("next")\`.execute(trx);
  },\n`;

const build = (cwd: string) =>
  execFileSync('node', ['scripts/build-if-stale.ts'], { cwd, stdio: 'pipe' });

function newestTag(): string | undefined {
  const found = spawnSync('git', ['describe', '--tags', '--match', 'v*', '--abbrev=0']);
  return found.status === 0 ? String(found.stdout).trim() : undefined;
}

function buildPrevious(): string {
  const tag = newestTag();
  if (!tag) return process.cwd();
  // Its packages would be much for a folder in memory.
  const folder = mkdtempSync(join(tmpdir(), 'site-previous-'));
  const files = execFileSync('git', ['archive', tag], { maxBuffer: 1e9 });
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
  expect(source).toContain(LAST);
  writeFileSync(file, source.replace(LAST, LAST + NEXT));
  build(folder);
  return folder;
}

describe.runIf(hasNginx())('an upgrade behind nginx, while customers order,', () => {
  let previous: string;
  let next: string;
  beforeAll(() => {
    previous = buildPrevious();
    next = buildNext();
  }, 10 * MINUTE_MS);
  afterAll(() => {
    if (previous !== process.cwd()) rmSync(previous, { recursive: true, force: true });
  });

  async function newDatabase(engine: string): Promise<Record<string, string>> {
    if (engine === 'SQLite') return { DATA_DIR: temporaryFolder() };
    const { postgresUrl } = inject('databases');
    if (!postgresUrl) throw new Error('PostgreSQL is missing on this machine');
    return { DATABASE_URL: await createDatabase(postgresUrl, `upgrade_${Date.now()}`) };
  }

  async function site(engine: string, instances: number) {
    const ports = await Promise.all(Array.from({ length: instances }, freePort));
    const nginx = await startNginx(ports);
    onTestFinished(() => void nginx.stop());
    const database = await newDatabase(engine);
    // Two, as if there were a network of caches in front: the customers have addresses of their own.
    const behind = { ...nginx.variables, DEMO_MODE: 'on', TRUST_PROXY: '2' };
    const start = async (version: string, index: number) => {
      const variables = { ...REACHABLE_DEMO, ...database, ...behind, PORT: `${ports[index]}` };
      const running = await startProcess(SERVER, variables, version);
      onTestFinished(() => void running.child.kill('SIGKILL'));
      return running;
    };
    return { origin: nginx.origin, start };
  }

  async function expectNothingLost(origin: string, { acknowledged }: Shift): Promise<void> {
    const orders = acknowledged.filter(({ orderId }) => orderId !== undefined);
    expect(orders.length).toBeGreaterThan(50);
    expect(await compareWithFinalState(origin, acknowledged)).toEqual([]);
  }

  test.for(['SQLite', 'PostgreSQL'])('of one instance loses no order on %s', async (engine) => {
    const { origin, start } = await site(engine, 1);
    const old = await start(previous, 0);
    const shift = startShift(origin, 4, 'one');
    await shift.orders(40);
    expect((await old.stop()).code).toBe(0);
    await start(next, 0);
    await shift.orders(80);
    await shift.end();
    // Meanwhile nginx answers that nothing is there.
    expect(shift.refused.filter(({ status }) => status !== 502 && status !== 503)).toEqual([]);
    await expectNothingLost(origin, shift);
  });

  test('of several instances, one after the other, loses no order and refuses no request', async () => {
    const { origin, start } = await site('PostgreSQL', 4);
    const old = [await start(previous, 0), await start(previous, 1)];
    const shift = startShift(origin, 4, 'several');
    await shift.orders(40);
    for (const [index, instance] of old.entries()) {
      await start(next, index + 2);
      const before = shift.acknowledged.length;
      // The older one serves on the new tables until it is stopped.
      await shift.orders(before + 10);
      expect((await instance.stop()).code).toBe(0);
      await shift.orders(before + 20);
    }
    await shift.end();
    expect({ refused: shift.refused, unanswered: shift.unanswered }).toEqual({
      refused: [],
      unanswered: 0,
    });
    await expectNothingLost(origin, shift);
    await expect(start(previous, 0)).rejects.toThrow('made by another version of this site');
  });
});
