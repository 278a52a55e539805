/** Backups, judged by what can be restored from them. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, inject, test, vi } from 'vitest';
import { readEnv } from '../../../src/env.server.ts';
import { nightlyCopy } from '../../../src/notifications/nightly-copy.server.ts';
import type { Outbox } from '../../../src/notifications/outbox.server.ts';
import { findCopies } from '../../../src/platform/database/copies.server.ts';
import { DatabaseUnavailable } from '../../../src/platform/database/database-unavailable.server.ts';
import { DAY_MS } from '../../../src/platform/time.ts';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { maintain } from '../../support/databases.ts';
import { compareWithFinalState, startShift } from '../../support/mixed-writes.ts';
import { ownContent } from '../../support/own-content.ts';
import { CAN_DIE, runProcess, startServer } from '../../support/server-process.ts';
import { siteWith } from '../../support/site-with.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { databaseForEachTest } from '../../support/test-app.ts';
import { signedIn, Visitor } from '../../support/visitor.ts';

const BACKUP = 'dist/server/backup.cjs';
const TOKEN = 'a-token-for-the-figures';

const ground = databaseForEachTest();
const other = databaseForEachTest();
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** As described in docs/operations.md. */
function restoreToOther(file: string): void {
  const { DATA_DIR, DATABASE_URL = '' } = other.variables;
  if (DATA_DIR) copyFileSync(file, join(DATA_DIR, 'site.sqlite'));
  else
    execFileSync('pg_restore', [
      ...['--no-owner', '--no-privileges', '--exit-on-error'],
      ...[`--dbname=${DATABASE_URL}`, file],
    ]);
}

test('a restored backup has everything acknowledged before it was made, and the site goes on from there', async () => {
  const server = await startServer(ground.variables);
  const shift = startShift(server.address, 4, 'before');
  await shift.orders(20);
  const before = structuredClone(shift.acknowledged);
  // Orders continue during the backup.
  const { code, output } = await runProcess(BACKUP, ground.variables, [folder]);
  await shift.end();
  await server.stop();
  const [name = ''] = readdirSync(folder);
  const file = join(folder, name);
  expect([code, output]).toEqual([0, `Backed up to ${file}\n`]);
  expect(name).toMatch(inject('engine') === 'sqlite' ? /^site-.*Z\.sqlite$/ : /^site-.*Z\.dump$/);
  expect(statSync(file).size).toBeGreaterThan(10_000);
  for (const written of [file, `${file}.sha256`])
    expect([written, (statSync(written).mode & 0o777).toString(8)]).toEqual([written, '600']);

  restoreToOther(file);
  const restored = await startServer(other.variables);
  const known = before.map(({ key, orderId }) => ({ key, ...(orderId ? { orderId } : {}) }));
  expect(await compareWithFinalState(restored.address, known)).toEqual([]);
  // Order numbers continue.
  const after = startShift(restored.address, 1, 'after');
  await after.orders(1);
  await after.end();
  const newest = after.acknowledged[0]?.orderId ?? 0;
  expect(newest).toBeGreaterThan(Math.max(...before.map(({ orderId }) => orderId ?? 0)));
  await restored.stop();
});

test('a restore drill reports what the newest backup contains, finds damage, and leaves nothing behind', async () => {
  const server = await startServer(ground.variables);
  const shift = startShift(server.address, 2, 'drilled');
  await shift.orders(5);
  await shift.end();
  const drill = (...args: string[]) =>
    runProcess(BACKUP, ground.variables, ['--restore-drill', ...args]);
  // Without a backup, the drill makes one.
  const first = await drill(folder);
  const [name = ''] = readdirSync(folder);
  expect(first.output).toMatch(
    /^restored, ([1-9]\d* orders, \d+ messages); the database has \1; checksums agree$/m,
  );
  expect(first.output).toContain(`Restoring ${join(folder, name)} …\n`);
  expect(first.code).toBe(0);
  await server.stop();
  const lastLine = ({ output }: typeof first) => output.trim().split('\n').at(-1);
  expect(lastLine(await drill(join(folder, name)))).toBe(lastLine(first));
  expect(readdirSync(folder)).toEqual([name, `${name}.sha256`]);

  const misspelled = await drill(join(folder, 'of-yesterday'));
  const missing = expect.stringContaining('There is no backup at');
  expect(misspelled).toEqual({ code: 1, output: missing });

  const half = join(folder, name);
  truncateSync(half, Math.floor(readFileSync(half).length / 2));
  const broken = await drill(folder);
  expect(broken.output).toMatch(/site-.* is damaged: its checksum is not that of .*sha256/);
  expect(broken.output).not.toContain('    at ');
  expect(broken.code).toBe(1);
  expect(readdirSync(tmpdir()).filter((each) => each.startsWith('site-restore-drill'))).toEqual([]);
  const { DATABASE_URL } = ground.variables;
  const left = "SELECT datname FROM pg_database WHERE datname LIKE 'restore_drill%'";
  if (DATABASE_URL) expect(await maintain(DATABASE_URL, left)).toEqual([]);
});

test.runIf(inject('engine') === 'sqlite')(
  'a copy larger than /tmp, which may be in memory, is proved where it is kept, and is one file',
  async () => {
    await (await startServer(ground.variables)).stop();
    const variables = { ...ground.variables, BACKUP_DIR: folder, TMPDIR: join(folder, 'none') };
    const { code, output } = await runProcess(BACKUP, variables, ['--nightly']);
    expect([code, output]).toEqual([0, expect.stringMatching(/^restored, 0 orders, 0 messages; /)]);
    const [name = ''] = readdirSync(folder);
    const copy = new DatabaseSync(join(folder, name), { readOnly: true });
    expect(copy.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    copy.close();
    expect(readdirSync(folder)).toEqual([name, `${name}.sha256`]);
    expect((await runProcess(BACKUP, ground.variables, ['--restore-drill', folder])).code).toBe(0);
  },
);

test.runIf(inject('engine') === 'sqlite')(
  'a drill beside a database that cannot be read fails, and says what the copy has',
  async () => {
    await (await startServer(ground.variables)).stop();
    await runProcess(BACKUP, ground.variables, [folder]);
    const file = join(ground.variables.DATA_DIR ?? '', 'site.sqlite');
    writeFileSync(file, 'not a database at all, but long enough to look like one'.repeat(100));
    const ended = await runProcess(BACKUP, ground.variables, ['--restore-drill', folder]);
    expect(ended).toEqual({
      code: 1,
      output: expect.stringContaining(
        'restored, 0 orders, 0 messages; the database could not be read: ',
      ),
    });
  },
);

test('a copy that a clock far ahead dated is not the newest, for ever', async () => {
  await (await startServer(ground.variables)).stop();
  await runProcess(BACKUP, ground.variables, [folder]);
  const [name = ''] = readdirSync(folder);
  writeFileSync(join(folder, name.replace('site-20', 'site-29')), '');
  const { output } = await runProcess(BACKUP, ground.variables, ['--restore-drill', folder]);
  expect(output).toContain(`Restoring ${join(folder, name)} …\n`);
});

test('a backup without a database fails with a message, and leaves nothing behind', async () => {
  const unreachable = { DATABASE_URL: 'postgres://u:hush@127.0.0.1:9/x' };
  const nowhere = inject('engine') === 'postgres' ? unreachable : { DATA_DIR: folder };
  const target = join(folder, 'target');
  const { code, output } = await runProcess(BACKUP, nowhere, [target]);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^(There is no database at .*site\.sqlite \(DATA_DIR\)|pg_dump failed: .*)/,
  );
  expect(output).not.toContain('hush');
  expect(readdirSync(target)).toEqual([]);
});

test.runIf(inject('engine') === 'sqlite')(
  'a backup of a damaged database fails and leaves no file',
  async () => {
    const file = join(ground.variables.DATA_DIR ?? '', 'site.sqlite');
    writeFileSync(file, 'not a database at all, but long enough to look like one'.repeat(100));
    const { code } = await runProcess(BACKUP, ground.variables, [folder]);
    expect(code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('a restore drill of a copy without our tables fails, though they are in the database', async () => {
  await (await startServer(ground.variables)).stop();
  const { DATABASE_URL, DATA_DIR = '' } = ground.variables;
  if (DATABASE_URL) {
    // What a database sets is not in a dump of it.
    const name = new URL(DATABASE_URL).pathname.slice(1);
    for (const statement of [
      'ALTER SCHEMA public RENAME TO app',
      'CREATE SCHEMA public',
      `ALTER DATABASE ${name} SET search_path = app`,
    ])
      await maintain(DATABASE_URL, statement);
  } else {
    await runProcess(BACKUP, ground.variables, [folder]);
    const [copy = ''] = readdirSync(folder);
    const database = new DatabaseSync(join(folder, copy));
    database.exec('DROP TABLE kysely_migration; DROP TABLE applied_migrations');
    database.close();
    const sum = execFileSync('sha256sum', [copy], { cwd: folder });
    writeFileSync(join(folder, `${copy}.sha256`), sum);
    expect(DATA_DIR).not.toBe('');
  }
  const { code, output } = await runProcess(BACKUP, ground.variables, ['--restore-drill', folder]);
  expect([code, output]).toEqual([1, expect.stringContaining('The copy has no tables of ours')]);
});

test.runIf(inject('engine') === 'postgres')(
  'a drill proves nothing by tables of another schema, which a restored site would open',
  async () => {
    const url = ground.variables.DATABASE_URL ?? '';
    await (await startServer(ground.variables)).stop();
    await maintain(url, 'CREATE SCHEMA app');
    await maintain(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = app`);
    await (await startServer(ground.variables)).stop();
    const ended = await runProcess(BACKUP, ground.variables, ['--restore-drill', folder]);
    expect(ended).toEqual({ code: 1, output: expect.stringMatching(/public, not .* app: /) });
  },
);

test.runIf(inject('engine') === 'postgres')(
  'a copy holds nothing of the administrator’s, which the role of the site could not restore',
  async () => {
    const administrator = ground.variables.DATABASE_URL ?? '';
    const [role, reader] = [`owner_${process.pid}`, `reader_${process.pid}`];
    await maintain(administrator, `CREATE ROLE ${role} LOGIN PASSWORD 'twelve-chars' CREATEDB`);
    await maintain(administrator, `CREATE ROLE ${reader}`);
    await maintain(administrator, `CREATE DATABASE ${role} OWNER ${role}`);
    const there = { pathname: `/${role}` };
    const database = Object.assign(new URL(administrator), there).href;
    const { href } = Object.assign(new URL(database), { username: role, password: 'twelve-chars' });
    const variables = { DATABASE_URL: href };
    await (await startServer(variables)).stop();
    await maintain(database, `GRANT SELECT ON orders TO ${reader}`);
    // As 1.1.16 made it.
    const earlier = join(folder, 'earlier.dump');
    execFileSync('pg_dump', ['--format=custom', '--no-owner', `--file=${earlier}`, href]);
    writeFileSync(`${earlier}.sha256`, execFileSync('sha256sum', [earlier]));
    await maintain(database, 'CREATE EXTENSION pg_stat_statements');
    await runProcess(BACKUP, variables, [folder]);
    await maintain(database, `DROP OWNED BY ${reader}`);
    await maintain(database, `DROP ROLE ${reader}`);
    const drill = (copy: string) => runProcess(BACKUP, variables, ['--restore-drill', copy]);
    const ended = [await drill(folder), await drill(earlier)];
    await maintain(administrator, `DROP DATABASE ${role}`);
    await maintain(administrator, `DROP ROLE ${role}`);
    const restored = { code: 0, output: expect.stringContaining('checksums agree') };
    expect(ended).toEqual([restored, restored]);
  },
);

test.runIf(inject('engine') === 'postgres').each([
  ['clients of the database have another encoding', "client_encoding = 'LATIN1'", ''],
  ['its address has words for drivers', 'jit = on', '?pgbouncer=true&uselibpqcompat=true'],
])('a copy is made where %s', async (_, set, words) => {
  await (await startServer(ground.variables)).stop();
  const url = ground.variables.DATABASE_URL ?? '';
  await maintain(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${set}`);
  const { code, output } = await runProcess(BACKUP, { DATABASE_URL: url + words }, [folder]);
  expect([code, output]).toEqual([0, expect.stringContaining(folder)]);
});

test.runIf(inject('engine') === 'postgres')(
  'no secret of the database’s address can be read in the list of processes',
  async () => {
    const programs = temporaryFolder();
    const seen = join(programs, 'seen');
    const script = `#!/bin/sh\necho "$@" >> ${seen}\nexec $(PATH="\${PATH#*:}" command -v $(basename $0)) "$@"\n`;
    for (const name of ['pg_dump', 'pg_restore'])
      writeFileSync(join(programs, name), script, { mode: 0o755 });
    await (await startServer(ground.variables)).stop();
    const url = new URL(ground.variables.DATABASE_URL ?? '');
    url.searchParams.set('password', 'hush word');
    url.searchParams.set('sslpassword', 'hush too');
    const PATH = `${programs}:${process.env.PATH}`;
    const { code } = await runProcess(BACKUP, { DATABASE_URL: url.href, PATH }, [folder]);
    expect(code).toBe(0);
    expect(readFileSync(seen, 'utf8')).toContain('--dbname=service=site');
    expect(readFileSync(seen, 'utf8')).not.toContain('hush');
  },
);

test('the site makes and proves a copy each night by itself, forgets old ones, and says how old it is', async () => {
  const kind = inject('engine') === 'sqlite' ? 'sqlite' : 'dump';
  const old = ['01', '02', '03'].map((day) => `site-2026-01-${day}T02-00-00-000Z.${kind}`);
  for (const name of old) writeFileSync(join(folder, name), '');
  const server = await startServer({
    ...ground.variables,
    BACKUP_DIR: folder,
    BACKUP_KEEP: '2',
    METRICS_TOKEN: TOKEN,
  });
  const copies = () => readdirSync(folder).filter((name) => name.endsWith(kind));
  await expect.poll(copies).toEqual([old[2], expect.stringMatching(/^site-/)]);
  expect(copies()[1]).not.toBe(old[1]);
  const age = async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const metrics = await (await fetch(`${server.address}/metrics`, { headers })).text();
    return Number(/^site_backup_age_seconds (\S+)$/m.exec(metrics)?.[1]);
  };
  expect(await age()).toBeLessThan(24 * 60 * 60);
  await server.stop();
});

test('a copy whose proof is cut off, as by a stop of the site, passes for none', async () => {
  await (await startServer(ground.variables)).stop();
  const DIE_AT_LINE = 'restored, 0 orders, 0 messages; the database has 0 orders, 0 messages';
  const cutOff = { ...ground.variables, ...CAN_DIE, BACKUP_DIR: folder, DIE_AT_LINE };
  expect((await runProcess(BACKUP, cutOff, ['--nightly'])).code).toBe(null);
  const copies = readdirSync(folder).filter((name) => !name.startsWith('partial-'));
  expect(copies).toEqual([]);
});

test.each([
  ['is a file', (place: string) => writeFileSync(place, '')],
  ['cannot be read', (place: string) => symlinkSync(place, place)],
])('staff are told that no copy can be made where the folder %s', async (_what, make) => {
  const BACKUP_DIR = join(folder, 'place');
  make(BACKUP_DIR);
  const server = await startServer({ ...ground.variables, BACKUP_DIR });
  const staff = await signedIn(server.address);
  const faults = async () => (await staff.get('/api/admin/faults')).json.faults;
  await expect.poll(faults).toMatchObject([{ service: 'backup' }]);
  await server.stop();
});

test('what a copy left that was cut off a day ago is removed with the next night', async () => {
  await (await startServer(ground.variables)).stop();
  const [old = '', newer = ''] = ['partial-of-old', 'partial-of-now'].map((name) =>
    join(folder, name),
  );
  mkdirSync(old);
  for (const file of [join(old, 'site.sqlite'), newer]) writeFileSync(file, '');
  utimesSync(old, 0, 0);
  const { DATABASE_URL } = ground.variables;
  const drills = "SELECT datname FROM pg_database WHERE datname LIKE 'restore_drill%'";
  const [left, running] = [Date.now() - 2 * DAY_MS, Date.now()].map(
    (at) => `restore_drill_${at}_000000000000`,
  );
  if (DATABASE_URL)
    for (const name of [left, running]) await maintain(DATABASE_URL, `CREATE DATABASE ${name}`);
  const variables = { ...ground.variables, BACKUP_DIR: folder };
  expect((await runProcess(BACKUP, variables, ['--nightly'])).code).toBe(0);
  const partials = readdirSync(folder).filter((name) => name.startsWith('partial-'));
  expect(partials).toEqual(['partial-of-now']);
  if (!DATABASE_URL) return;
  expect(await maintain(DATABASE_URL, drills)).toEqual([{ datname: running }]);
  await maintain(DATABASE_URL, `DROP DATABASE ${running}`);
});

test('the site goes on when the database is away as it makes its copy', async () => {
  vi.stubEnv('BACKUP_DIR', folder);
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/away');
  const failed = vi.fn().mockRejectedValue(new DatabaseUnavailable('away'));
  const env = { ...readEnv({}), backups: { folder, keep: 1 } };
  const faults: Partial<Outbox['faults']> = { failed };
  const outbox = { faults } as Outbox;
  const { company } = ownContent();
  for (const night of [nightlyCopy(siteWith({ env, company, outbox }))].flat()) {
    await night.start();
    await expect.poll(() => failed.mock.calls).toHaveLength(1);
    await night.stop();
  }
});

test('a person who was erased after the copy is erased again after it was restored, and nobody else', async () => {
  const BACKUP_DIR = folder;
  const server = await startServer({ ...ground.variables, BACKUP_DIR });
  await expect.poll(() => findCopies(readEnv(ground.variables), folder)).toHaveLength(1);
  const write = (email: string) =>
    new Visitor(server.address).post('/api/contact', { ...SAMPLE_MESSAGE, email });
  await write('gone@dealer.example');
  await write('stays@dealer.example');
  const { output } = await runProcess(BACKUP, { ...ground.variables, BACKUP_DIR });
  const [, copy = output] = /^Backed up to (.*)$/m.exec(output) ?? [];
  const staff = await signedIn(server.address);
  const { status } = await staff.post('/api/admin/people/erase', { email: 'gone@dealer.example' });
  expect(status).toBe(200);
  await server.stop();
  restoreToOther(copy);
  const eraseAgain = async () =>
    (await runProcess('dist/server/erase-again.cjs', { ...other.variables, BACKUP_DIR })).output;
  expect(await eraseAgain()).toBe('gone@dealer.example: erased again\n1 erased again, 0 left\n');
  expect(await eraseAgain()).toBe('0 erased again, 0 left\n');
  const restored = await startServer(other.variables);
  const colleague = await signedIn(restored.address);
  const contacts = (await colleague.get('/api/admin/contacts')).json;
  expect(contacts).toMatchObject([{ email: 'stays@dealer.example' }]);
  await restored.stop();
});

test('no person is erased whom a restored copy would bring back unnoticed', async () => {
  const server = await startServer({ ...ground.variables, BACKUP_DIR: folder });
  const { email } = SAMPLE_MESSAGE;
  await new Visitor(server.address).post('/api/contact', SAMPLE_MESSAGE);
  const staff = await signedIn(server.address);
  mkdirSync(join(folder, 'erasures.jsonl'));
  const { status, json } = await staff.post('/api/admin/people/erase', { email });
  expect([status, json.message]).toEqual([
    503,
    expect.stringMatching(/^Nothing was erased.*BACKUP/),
  ]);
  expect((await staff.get('/api/admin/contacts')).json).toMatchObject([{ email }]);
  await server.stop();
});

test('a list of erasures with a line that was cut off is named, with the line', async () => {
  await (await startServer(ground.variables)).stop();
  const list = join(folder, 'erasures.jsonl');
  writeFileSync(list, '\n{"at":1,"rows":{}}\n{"at":17');
  const variables = { ...ground.variables, BACKUP_DIR: folder };
  expect(await runProcess('dist/server/erase-again.cjs', variables)).toEqual({
    code: 1,
    output: `${list}: line 3 cannot be read: mend it, or take it out\n`,
  });
});
