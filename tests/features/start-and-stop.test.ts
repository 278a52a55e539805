/** Whoever runs the server is told in one line what is in its way; nobody's data is put at risk by a mistake. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/platform/database.server.ts';
import { SAMPLE_ORDER } from '../support/every-call.ts';
import { startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import { runProcess, SERVER, startServer } from '../support/server-process.ts';
import { stripeVariables } from '../support/stripe-shop.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

let ground: TestDatabase;
beforeEach(async () => {
  ground = await testDatabase();
});
afterEach(() => ground.drop());

const run = (variables: Record<string, string>) =>
  runProcess(SERVER, { PORT: '0', ...ground.variables, ...variables });

/** In a process group of its own, as a terminal starts it. */
async function npmStart() {
  const child = spawn('npm', ['start'], {
    env: { ...process.env, PORT: '0', ...ground.variables },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  let printed = '';
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', (words) => {
      printed += words;
      const [, address] = /^Ready on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(printed) ?? [];
      if (address) resolve(address);
    });
  });
  return { child, ended, address: await ready };
}

describe('on either database', () => {
  test('`npm start` says where it is, passes a signal on, and ends well', async () => {
    const npm = await npmStart();
    expect((await fetch(`${npm.address}/healthz`)).status).toBe(200);
    npm.child.kill('SIGTERM');
    expect(await npm.ended).toEqual([0, null]);
    await expect(fetch(`${npm.address}/healthz`)).rejects.toThrow();
  });

  test('Ctrl-C, which reaches the server several times at once, lets a request in flight end', async () => {
    const npm = await npmStart();
    const { hostname, port } = new URL(npm.address);
    const caller = connect(Number(port), hostname);
    const answered = text(caller);
    const body = JSON.stringify({ username: 'nobody', password: 'of this name' });
    caller.write(
      `POST /api/admin/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${npm.address}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    // The terminal signals all of them, and each passes it on; how many arrive is up to the machine.
    for (let times = 0; times < 3; times += 1) {
      process.kill(-Number(npm.child.pid), 'SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    caller.write(body);
    expect(await answered).toMatch(/^HTTP\/1\.1 401 /);
    await npm.ended;
  });

  test('a payment provider that hangs does not keep a stop waiting', async () => {
    const fake = await startFakeStripe();
    fake.failNext({ how: 'timeout', times: 100 });
    const server = await startServer({ ...ground.variables, ...stripeVariables(fake) });
    expect((await server.stop()).code).toBe(0);
    await fake.close();
  });

  test('a port that is taken is named', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = String(typeof address === 'object' && address ? address.port : 0);
    const { code, output } = await run({ PORT: port });
    expect(code).toBe(1);
    expect(output).toMatch(
      new RegExp(`^Cannot listen on 127\\.0\\.0\\.1:${port}: .*EADDRINUSE.*\n$`),
    );
    other.close();
  });

  test('a host that is not of this machine is named', async () => {
    const { code, output } = await run({ HOST: '192.0.2.1', ADMIN_PASSWORD: 'long enough for it' });
    expect(code).toBe(1);
    expect(output).toMatch(/^Cannot listen on 192\.0\.2\.1:0: .*\n$/);
  });

  test('a change of tables that breaks off half-way leaves nothing in the way of the next start', async () => {
    const drop = await obstruct('outbox');
    const { code, output } = await run({});
    expect(code).toBe(1);
    expect(output).toMatch(/^The database cannot be brought to this version: .*outbox.*\n$/);
    await drop();
    const server = await startServer(ground.variables);
    expect((await server.stop()).code).toBe(0);
  });

  test('several servers that start at once on an empty database agree on its tables', async () => {
    const { db, close } = await openDatabase({
      databaseUrl: ground.variables.DATABASE_URL ?? null,
      dataDir: ground.variables.DATA_DIR ?? '',
    });
    expect(await db.selectFrom('orders').selectAll().execute()).toEqual([]);
    await close();
    const servers = await Promise.all(
      Array.from({ length: inject('engine') === 'postgres' ? 3 : 1 }, () =>
        startServer(ground.variables),
      ),
    );
    const exits = await Promise.all(servers.map((server) => server.stop()));
    expect(exits.map(({ code }) => code)).toEqual(servers.map(() => 0));
  });
});

describe.runIf(inject('engine') === 'sqlite')('on the embedded database', () => {
  const folder = () => ground.variables.DATA_DIR ?? '';

  test('a second server on the same folder refuses to start, and the first goes on', async () => {
    const first = await startServer(ground.variables);
    const { code, output } = await run({});
    expect([code, output]).toEqual([
      1,
      `Another server is using the data folder ${folder()}; stop it or set DATA_DIR\n`,
    ]);
    expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
    await first.stop('SIGKILL');
    // The lock dies with its holder.
    const next = await startServer(ground.variables);
    expect((await next.stop()).code).toBe(0);
  });

  test('a folder that cannot be one is named', async () => {
    const file = join(folder(), 'a-file');
    writeFileSync(file, '');
    const { code, output } = await run({ DATA_DIR: file });
    expect(code).toBe(1);
    expect(output).toMatch(/^The data folder .*a-file \(DATA_DIR\) cannot be used: .*\n$/);
  });

  test('a file that is no database is named and left as it is', async () => {
    writeFileSync(join(folder(), 'site.sqlite'), 'these are my holiday notes, not a database');
    const { code, output } = await run({});
    expect(code).toBe(1);
    expect(output).toMatch(/^The data folder .* cannot be used: file is not a database\n$/);
  });

  test('a database of a newer version is refused', async () => {
    const { db, close } = await openDatabase({ databaseUrl: null, dataDir: folder() });
    await db
      .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
      .insertInto('kysely_migration')
      .values({ name: '999-from-the-future', timestamp: '2099-01-01' })
      .execute();
    await close();
    const { code, output } = await run({});
    expect(code).toBe(1);
    expect(output).toMatch(
      /^The database cannot be brought to this version: .*999-from-the-future.*\n$/,
    );
  });

  test('a full disk refuses writes, and the server lives to see it emptied', async ({ skip }) => {
    const disk = smallDisk();
    if (!disk) return skip('only root can make a small disk');
    try {
      const server = await startServer({ DATA_DIR: disk });
      const buy = async () => {
        const visitor = new Visitor(server.address);
        const { status, headers } = await visitor.post('/api/create-payment-intent', SAMPLE_ORDER);
        return [status, headers.get('retry-after')];
      };
      expect(await buy()).toEqual([200, null]);
      const ballast = join(disk, 'ballast');
      spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096']);
      // The write-ahead log may have room for a few more orders in pages that it has already.
      await expect.poll(buy, { timeout: 20_000 }).toEqual([503, '5']);
      expect((await fetch(server.address)).status).toBe(200);
      expect((await fetch(`${server.address}/api/plans`)).status).toBe(200);
      rmSync(ballast);
      expect(await buy()).toEqual([200, null]);
      expect((await server.stop()).code).toBe(0);
    } finally {
      spawnSync('umount', [disk]);
    }
  });
});

describe.runIf(inject('engine') === 'postgres')('on PostgreSQL', () => {
  test.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
    '%s off is refused',
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

  test('a server that is not there is told, without the password', async () => {
    const { code, output } = await run({
      DATABASE_URL: 'postgres://site:hush-hush@127.0.0.1:9/nowhere',
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^The database at DATABASE_URL does not answer: .*\n$/);
    expect(output).not.toContain('hush');
  });
});

/** Makes a table of the name that a migration is about to make; gives what takes it away again. */
async function obstruct(table: string): Promise<() => Promise<void>> {
  const run = async (statement: string) => {
    const { DATA_DIR, DATABASE_URL } = ground.variables;
    if (DATA_DIR) {
      const file = new DatabaseSync(join(DATA_DIR, 'site.sqlite'));
      file.exec(statement);
      file.close();
    } else {
      const client = new pg.Client({ connectionString: DATABASE_URL });
      await client.connect();
      await client.query(statement);
      await client.end();
    }
  };
  await run(`CREATE TABLE "${table}" (x integer)`);
  return () => run(`DROP TABLE "${table}"`);
}

/** A disk of four megabytes; undefined where that is not allowed. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'site-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}
