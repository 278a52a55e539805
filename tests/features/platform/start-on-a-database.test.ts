/** The start refuses a database that could lose or mix up data, and survives a full disk. */
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { readEnv } from '../../../src/platform/config/env.server.ts';
import { openDatabase, openUnmigrated } from '../../../src/platform/database/database.server.ts';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { findPostgres } from '../../support/find-postgres.ts';
import { Postgres } from '../../support/postgres.ts';
import { runProcess, SERVER, startServer } from '../../support/server-process.ts';
import { type SmallDisk, smallDisk } from '../../support/small-disk.ts';
import { type TestDatabase, testDatabase } from '../../support/test-app.ts';
import { Visitor } from '../../support/visitor.ts';

let ground: TestDatabase;
beforeEach(async () => {
  ground = await testDatabase();
});
afterEach(() => ground.drop());

const run = (variables: Record<string, string>) =>
  runProcess(SERVER, { PORT: '0', ...ground.variables, ...variables });

const open = () => openDatabase(readEnv(ground.variables));

test('a database of another version is refused with a message and left unchanged', async () => {
  const name = '999-from-the-future';
  const { db, close } = await open();
  await sql`insert into kysely_migration values (${name}, '2099-01-01')`.execute(db);
  await close();
  const content = async () => {
    const { db, close } = await openUnmigrated(readEnv(ground.variables));
    const tables = await db.introspection.getTables();
    const { rows } = await sql`select * from kysely_migration`.execute(db);
    await close();
    return { tables, rows };
  };
  const before = await content();
  expect(await run({})).toMatchObject({
    code: 1,
    output: `The database was made by another version of this site (step ${name}): start that version, or name an empty DATA_DIR or DATABASE_URL\n`,
  });
  expect(await content()).toEqual(before);
});

test('a failed migration leaves nothing behind, so that the next one succeeds', async () => {
  const execute = async (statement: string) => {
    const { db, close } = await openUnmigrated(readEnv(ground.variables));
    await sql.raw(statement).execute(db);
    await close();
  };
  // In the way of a table of the migration.
  await execute('create table "outbox" (x integer)');
  await expect(open()).rejects.toThrow(/^The database cannot be brought to this version: .*outbox/);
  await execute('drop table "outbox"');
  await (await open()).close();
});

describe.runIf(inject('engine') === 'sqlite')('on the embedded database', () => {
  const folder = () => ground.variables.DATA_DIR ?? '';

  test('a second server on the same folder refuses to start, and the first continues', async () => {
    const first = await startServer(ground.variables);
    const { code, output } = await run({});
    expect([code, output]).toEqual([
      1,
      `Another server is using the data folder ${folder()}; stop it or set DATA_DIR\n`,
    ]);
    expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
    await first.stop('SIGKILL');
    // A killed server leaves no lock.
    const next = await startServer(ground.variables);
    expect((await next.stop()).code).toBe(0);
  });

  test('a file that is not a database is refused with a message', async () => {
    writeFileSync(join(folder(), 'site.sqlite'), 'these are my holiday notes, not a database');
    const { code, output } = await run({});
    expect(code).toBe(1);
    expect(output).toMatch(/^The data folder .* cannot be used: file is not a database\n$/);
  });

  test('the folder and files are closed to other users, even if they were open before', async () => {
    const before = process.umask(0);
    try {
      chmodSync(folder(), 0o755);
      const files = () => readdirSync(folder()).map((name) => join(folder(), name));
      const modes = () => files().map((file) => [file, (statSync(file).mode & 0o777).toString(8)]);
      const closed = () => files().map((file) => [file, '600']);
      const first = await open();
      expect(files().length).toBeGreaterThanOrEqual(4);
      expect(modes()).toEqual(closed());
      // The files of a killed server, readable by others.
      const crashed = mkdtempSync(join(tmpdir(), 'site-test-'));
      cpSync(folder(), crashed, { recursive: true });
      await first.close();
      for (const file of readdirSync(crashed)) {
        cpSync(join(crashed, file), join(folder(), file));
        chmodSync(join(folder(), file), 0o644);
      }
      rmSync(crashed, { recursive: true });
      const second = await open();
      expect(modes()).toEqual(closed());
      expect((statSync(folder()).mode & 0o777).toString(8)).toBe('700');
      await second.close();
    } finally {
      process.umask(before);
    }
  });

  test('on a full or read-only disk the server serves pages, refuses orders, and recovers by itself', async ({
    skip,
  }) => {
    const disk = smallDisk(4);
    if (!disk) return skip('only root can make a small disk');
    try {
      let server = await startServer({ DATA_DIR: disk.folder });
      const buy = async () => {
        const visitor = new Visitor(server.address);
        const { status, headers } = await visitor.post('/api/create-payment-intent', SAMPLE_ORDER);
        return [status, headers.get('retry-after')];
      };
      expect(await buy()).toEqual([200, null]);
      const makeRoom = disk.fill();
      // The write-ahead log may still have room for a few orders.
      await expect.poll(buy).toEqual([503, '5']);
      expect((await fetch(server.address)).status).toBe(200);
      expect((await fetch(`${server.address}/api/plans`)).status).toBe(200);
      expect((await fetch(`${server.address}/readyz`)).status).toBe(503);
      await server.stop('SIGKILL');
      // A start on the full disk.
      server = await startServer({ DATA_DIR: disk.folder });
      expect(await buy()).toEqual([503, '5']);
      expect((await fetch(`${server.address}/checkout`)).status).toBe(200);
      makeRoom();
      await expect.poll(buy).toEqual([200, null]);
      expect((await server.stop()).code).toBe(0);
      await expectOnReadOnlyDisk(disk);
    } finally {
      disk.remove();
    }
  });
});

describe.runIf(inject('engine') === 'postgres')('on PostgreSQL', () => {
  test('another program’s tables in a schema of their own are not mistaken for the site’s', async () => {
    const client = new pg.Client({ connectionString: ground.variables.DATABASE_URL });
    await client.connect();
    await client.query('CREATE SCHEMA other; CREATE TABLE other.kysely_migration (name text)');
    await client.end();
    const { db, close } = await open();
    expect(await db.selectFrom('orders').selectAll().execute()).toEqual([]);
    await close();
  });

  test.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
    'a PostgreSQL server with %s off is refused',
    async (setting) => {
      const postgres = await Postgres.create(findPostgres() ?? '', [`${setting}=off`]);
      await postgres.start();
      const { code, output } = await run({ DATABASE_URL: postgres.url });
      await postgres.remove();
      expect([code, output]).toEqual([
        1,
        `The database runs with ${setting} off: an acknowledged order could be lost\n`,
      ]);
    },
  );

  test('a missing database or an unknown user is reported without the password', async () => {
    const url = new URL(inject('databases').postgresUrl ?? '');
    url.password = 'hush-hush';
    for (const [part, value] of [
      ['pathname', '/nowhere'],
      ['username', 'nobody'],
    ] as const) {
      const wrong = new URL(url);
      wrong[part] = value;
      const { code, output } = await run({ DATABASE_URL: wrong.href });
      expect(code).toBe(1);
      expect(output).toMatch(
        new RegExp(
          `^The database at DATABASE_URL cannot be used: .*${value.replace('/', '')}.*\\n$`,
        ),
      );
      expect(output).not.toContain('hush');
    }
  });

  test('an unreachable PostgreSQL is logged without the password, and the site serves pages', async () => {
    const server = await startServer({
      DATABASE_URL: 'postgres://site:hush-hush@127.0.0.1:9/nowhere',
    });
    expect((await fetch(server.address)).status).toBe(200);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(503);
    const { code, output } = await server.stop();
    expect(code).toBe(0);
    expect(output.match(/database-not-open/g)).toHaveLength(1);
    expect(output).not.toContain('hush');
  });
});

async function expectOnReadOnlyDisk(disk: SmallDisk): Promise<void> {
  disk.remount('ro');
  const server = await startServer({ DATA_DIR: disk.folder });
  const ready = async () => (await fetch(`${server.address}/readyz`)).status;
  expect([(await fetch(server.address)).status, await ready()]).toEqual([200, 503]);
  disk.remount('rw');
  await expect.poll(ready).toBe(200);
  expect((await server.stop()).code).toBe(0);
}
