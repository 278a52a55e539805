/** The start refuses a database that could lose or mix up data, and survives a full disk. */
import { once } from 'node:events';
import { chmodSync, cpSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { readEnv } from '../../../src/env.server.ts';
import {
  digestOf,
  MIGRATIONS,
  openDatabase,
  openUnmigrated,
} from '../../../src/platform/database/database.server.ts';
import { SQLITE_FILE } from '../../../src/platform/database/sqlite.server.ts';
import type { Engine } from '../../../src/platform/database/tables.server.ts';
import { anotherCompany } from '../../support/another-company.ts';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { maintain } from '../../support/databases.ts';
import { Postgres } from '../../support/postgres.ts';
import { runProcess, SERVER, startServer } from '../../support/server-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { databaseForEachTest, OWN_PASSWORD } from '../../support/test-app.ts';
import { signedIn, Visitor } from '../../support/visitor.ts';
import { smallDisk } from './small-disk.ts';

/** Of each release's migrations, by name; a release adds its own. */
const RELEASED = {
  sqlite: {
    '001-tables-of-1.0': 'b08cb91365b7e285583daea7ef31a11238b323e6cbfcdab0ad533f9410f1c9f7',
  },
  postgres: {
    '001-tables-of-1.0': 'e63b162b4012aa6a38517950414fa93e57de35ca4bd452ac180e94c2a4d89ff8',
  },
};

const ground = databaseForEachTest();

const run = (variables: Record<string, string> = {}) =>
  runProcess(SERVER, { PORT: '0', ...ground.variables, ...variables });

const open = () => openDatabase(readEnv(ground.variables));

/** The URL of a server that answers what a connection sends first. */
async function answering(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.once('data', () => answer(socket)));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return `postgres://site:hush-hush@127.0.0.1:${port}/site`;
}

test('a transaction of the server can still write after it has read, because a command alongside waits for it', async () => {
  const dataDir = temporaryFolder();
  const { db, close } = await openDatabase({ databaseUrl: null, dataDir });
  const command = new DatabaseSync(join(dataDir, SQLITE_FILE));
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('orders').select('id').execute();
    expect(() => command.exec('BEGIN IMMEDIATE')).toThrow('locked');
  });
  command.close();
  await close();
});

test.each([
  [
    'a later version',
    "update kysely_migration set name = '999-next' where name like '001-%'",
    'later than this one or before 1.0 (step 999-next)',
  ],
  [
    'another commit’s tables under the same name',
    "update applied_migrations set digest = 'another' where name like '001-%'",
    'whose step 001-tables-of-1.0 was another one',
  ],
])(
  'a database of %s is refused with a message and left unchanged',
  async (_which, change, says) => {
    const { db, close } = await open();
    for (const statement of change.split('; ')) await sql.raw(statement).execute(db);
    await close();
    const content = async () => {
      const { db, close } = await openUnmigrated(readEnv(ground.variables));
      const tables = await db.introspection.getTables();
      const { rows } = await sql`select * from kysely_migration`.execute(db);
      await close();
      return { tables, rows };
    };
    const before = await content();
    expect(await run()).toEqual({
      code: 78,
      output: `The database was made by another version of this site, ${says}: start that version, restore a copy made with this one, or name an empty DATA_DIR or DATABASE_URL\n`,
    });
    expect(await content()).toEqual(before);
  },
);

test('no migration that was released is changed, as databases that it made would be refused', async () => {
  const digests = async (engine: Engine) =>
    Object.fromEntries(
      await Promise.all(
        Object.keys(RELEASED[engine]).map(async (name) => [
          name,
          await digestOf(Object(MIGRATIONS)[name], engine),
        ]),
      ),
    );
  for (const engine of ['sqlite', 'postgres'] as const)
    expect(await digests(engine)).toEqual(RELEASED[engine]);
});

test('a version starts again on tables to which a later one has added', async () => {
  const first = await open();
  await sql`insert into applied_migrations values ('999-next', 'later', '')`.execute(first.db);
  await first.close();
  await (await open()).close();
});

test('an upgrade hears in one sentence that the database cannot be used', async () => {
  const { DATA_DIR, DATABASE_URL } = ground.variables;
  if (DATA_DIR) writeFileSync(join(DATA_DIR, SQLITE_FILE), 'my holiday notes, not a database');
  const unusable = new URL(DATABASE_URL ?? 'postgres://none');
  unusable.port = '9';
  const variables = { ...ground.variables, ...(DATABASE_URL && { DATABASE_URL: unusable.href }) };
  const { code, output } = await runProcess(SERVER, variables, ['--check']);
  expect([code, output]).toEqual([78, expect.stringMatching(/^The data.* cannot be used: .*\n$/)]);
});

test('a site whose orders find no place is not ready', async () => {
  const server = await startServer(ground.variables);
  const alongside = { alongsideServer: true };
  const { db, close } = await openUnmigrated(readEnv(ground.variables), alongside);
  const status = async () => (await fetch(`${server.address}/readyz`)).status;
  await expect.poll(status).toBe(200);
  await sql`alter table orders rename column "planName" to "plan"`.execute(db);
  await expect.poll(status).toBe(503);
  await close();
  await server.stop();
});

test('an upgrade that left the company’s content behind does not sell at the example’s prices', async () => {
  const own = { ...ground.variables, ...OWN_PASSWORD, DEMO_MODE: 'off' };
  const first = await startServer({ ...own, CONTENT_DIR: anotherCompany() });
  const order = { ...SAMPLE_ORDER, planId: 1 };
  const { json: plans } = await new Visitor(first.address).get('/api/plans');
  const { id: planId, price } = plans[0];
  const bought = {
    ...order,
    planId,
    ms365Option: 'none',
    ms365Users: 0,
    includeCloudBackup: false,
  };
  const answer = await new Visitor(first.address).post('/api/create-payment-intent', {
    ...bought,
    amount: price,
  });
  expect(answer.status).toBe(200);
  await first.stop();
  const { code, output } = await run({ ...own, TRUST_PROXY: '1' });
  expect([code, output]).toEqual([78, expect.stringMatching(/example.*orders.*CONTENT_DIR/)]);
});

test.runIf(inject('engine') === 'postgres').each([
  ["default_transaction_isolation = 'serializable'", 'DATABASE'],
  ["default_transaction_isolation = 'repeatable read'", 'DATABASE'],
  ["default_transaction_isolation = 'serializable'", 'ROLE site IN DATABASE'],
  ['lock_timeout = 1', 'DATABASE'],
])(
  'visitors at the same moment are all served where %s by default, for a %s',
  async (setting, whose) => {
    const url = ground.variables.DATABASE_URL ?? '';
    const name = new URL(url).pathname.slice(1);
    await maintain(url, `ALTER ${whose} ${name} SET ${setting}`);
    const server = await startServer(ground.variables);
    const buy = async (): Promise<number> => {
      const buyer = new Visitor(server.address);
      const { status } = await buyer.post('/api/create-payment-intent', SAMPLE_ORDER);
      // A busy machine may open a connection too late, and asks to come again.
      return status === 503 ? buy() : status;
    };
    const statuses = await Promise.all(Array.from({ length: 12 }, buy));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await server.stop();
  },
);

test.runIf(inject('engine') === 'postgres')(
  'a transaction reads what is committed on a connection that PgBouncer has opened since',
  async () => {
    const url = ground.variables.DATABASE_URL ?? '';
    const name = new URL(url).pathname.slice(1);
    await maintain(
      url,
      `ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`,
    );
    const { db, close } = await openUnmigrated(readEnv(ground.variables));
    const { rows } = await db.connection().execute(async (connection) => {
      // No setting of a session is left there.
      await sql`reset all`.execute(connection);
      return connection
        .transaction()
        .execute((trx) => sql`show transaction_isolation`.execute(trx));
    });
    await close();
    expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
  },
);

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

  test('a data folder, or a restored file, of another user stops the start, rather than each order', async () => {
    for (const path of [folder(), join(folder(), 'site.sqlite')]) {
      // The kernel would let root write.
      const refuse = `import fs from 'node:fs'; fs.accessSync = (path) => {
        if (path === '${path}') throw Object.assign(new Error('no'), { code: 'EACCES' }); };`;
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(refuse)}`;
      const { code, output } = await run({ NODE_OPTIONS });
      const cure = `This user may not read and write ${path}: chown it`;
      expect([code, output]).toEqual([78, expect.stringContaining(cure)]);
    }
  });

  test('a file in place of the data folder stays readable by those who could read it', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '', { mode: 0o644 });
    const { code, output } = await run({ DATA_DIR: file });
    expect([code, output]).toEqual([78, expect.stringMatching(/^The data folder .* DATA_DIR\n$/)]);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  test('a second server on the same folder refuses to start, and the first continues', async () => {
    const first = await startServer(ground.variables);
    expect(await run()).toEqual({
      code: 1,
      output: `Another server is using the data folder ${folder()}; stop it or set DATA_DIR\n`,
    });
    await expect.poll(async () => (await fetch(`${first.address}/readyz`)).status).toBe(200);
    await first.stop('SIGKILL');
    // A killed server leaves no lock.
    const next = await startServer(ground.variables);
    expect((await next.stop()).code).toBe(0);
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
      const crashed = temporaryFolder();
      cpSync(folder(), crashed, { recursive: true });
      await first.close();
      for (const file of readdirSync(crashed)) {
        cpSync(join(crashed, file), join(folder(), file));
        chmodSync(join(folder(), file), 0o644);
      }
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
    onTestFinished(disk.remove);
    const start = () => startServer({ DATA_DIR: disk.folder });
    let server = await start();
    const status = async (path: string) => (await fetch(server.address + path)).status;
    const acknowledged: number[] = [];
    const buy = async () => {
      const buyer = new Visitor(server.address);
      const { status, headers, json } = await buyer.post(
        '/api/create-payment-intent',
        SAMPLE_ORDER,
      );
      if (status === 200) acknowledged.push(json.orderId);
      return [status, headers.get('retry-after')];
    };
    expect(await buy()).toEqual([200, null]);
    const makeRoom = disk.fill();
    // The write-ahead log may still have room for a few orders.
    await expect.poll(buy).toEqual([503, '5']);
    expect([await status('/'), await status('/api/plans')]).toEqual([200, 200]);
    await expect.poll(() => status('/readyz')).toBe(503);
    await server.stop('SIGKILL');
    // A start on the full disk.
    server = await start();
    expect(await buy()).toEqual([503, '5']);
    expect([await status('/checkout'), await status('/readyz')]).toEqual([200, 503]);
    makeRoom();
    await expect.poll(buy).toEqual([200, null]);
    const staff = await signedIn(server.address);
    for (const id of acknowledged)
      expect([id, (await staff.get(`/api/orders/${id}`)).status]).toEqual([id, 200]);
    expect((await server.stop()).code).toBe(0);
    disk.remount('ro');
    server = await start();
    expect([await status('/'), await status('/readyz')]).toEqual([200, 503]);
    disk.remount('rw');
    await expect.poll(() => status('/readyz')).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });
});

describe.runIf(inject('engine') === 'postgres')('on PostgreSQL', () => {
  test.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
    'a PostgreSQL server with %s off is refused',
    async (setting) => {
      const postgres = await Postgres.create([`${setting}=off`]);
      await postgres.start();
      const ended = await run({ DATABASE_URL: postgres.url });
      await postgres.remove();
      const output = `The database runs with ${setting} off: an acknowledged order could be lost\n`;
      expect(ended).toEqual({ code: 78, output });
    },
  );

  test.each(['LATIN1', 'WIN1252', 'SQL_ASCII'])(
    'a database of the encoding %s, which would lose messages, is refused in one sentence',
    async (encoding) => {
      const { postgresUrl = '' } = inject('databases');
      const name = `in_${encoding.toLowerCase()}`;
      await maintain(
        postgresUrl ?? '',
        `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`,
      );
      const url = new URL(postgresUrl ?? '');
      url.pathname = `/${name}`;
      expect(await run({ DATABASE_URL: url.href })).toEqual({
        code: 78,
        output: `The database at DATABASE_URL has the encoding ${encoding}, which cannot store every character: create it with ENCODING 'UTF8' TEMPLATE template0\n`,
      });
    },
  );

  test.each([
    ['08P01', 'unsupported startup parameter: statement_timeout', 'ignore_startup_parameters = '],
    ['28P01', 'password authentication failed for user "site"', 'see user and password in'],
    ['28000', 'no pg_hba.conf entry for host "::1", user "site", no encryption', 'sslmode=verify'],
    ['3D000', 'database "site" does not exist', 'create it, or name another one in DATABASE_URL'],
  ])('the start names the cure of %s %s', async (code, message, cure) => {
    const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + 4);
    const url = await answering((socket) =>
      socket.end(Buffer.concat([Buffer.from('E'), length, fields])),
    );
    const ended = await run({ DATABASE_URL: url });
    expect([ended.code, ended.output.split('\n')]).toEqual([
      78,
      [expect.stringContaining(`${message}; `), ''],
    ]);
    expect(ended.output).toContain(cure);
  });

  test.each([
    ['sslmode=require', 'sslmode=verify-full&sslrootcert='],
    ['sslmode=verify-full&sslrootcert=', 'name it in DATABASE_URL as its certificate does'],
  ])(
    'a server whose certificate is not taken with %s is refused in one sentence that says what to write',
    async (parameters, cure) => {
      const { key, cert, file } = makeCertificate();
      const url = await answering((socket) => {
        socket.write('S');
        new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => undefined);
      });
      const asked = parameters.replace(/sslrootcert=$/, `$&${file}`);
      const { code, output } = await run({ DATABASE_URL: `${url}?${asked}` });
      expect([code, output.split('\n')]).toEqual([78, [expect.stringContaining(cure), '']]);
      expect(output).not.toContain('system-ca');
    },
  );

  test('a search path without a schema to create tables in is named with its cure', async () => {
    const url = ground.variables.DATABASE_URL ?? '';
    await maintain(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = none`);
    const { code, output } = await run();
    expect([code, output]).toEqual([
      78,
      expect.stringMatching(/^The data.*let the user .*path\n$/),
    ]);
  });

  test('an unreachable PostgreSQL is logged without the password, and the site serves pages', async () => {
    const server = await startServer({
      DATABASE_URL: 'postgres://site:hush-hush@127.0.0.1:9/nowhere',
    });
    expect((await fetch(server.address)).status).toBe(200);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(503);
    const { code, output } = await server.stop();
    expect(code).toBe(0);
    expect(output.match(/database-open-failed/g)).toHaveLength(1);
    expect(output).not.toContain('hush');
  });
});
