/** A database that could lose or mix up somebody's data is refused in words, and a full disk loses nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/platform/database.server.ts';
import { SAMPLE_ORDER } from '../support/call-rows.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import { runProcess, SERVER, startServer } from '../support/server-process.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

let ground: TestDatabase;
beforeEach(async () => {
  ground = await testDatabase();
});
afterEach(() => ground.drop());

const run = (variables: Record<string, string>) =>
  runProcess(SERVER, { PORT: '0', ...ground.variables, ...variables });

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

/** A disk of four megabytes; undefined where that is not allowed. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'site-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}
