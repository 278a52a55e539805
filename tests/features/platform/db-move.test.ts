/** Moving a site's data from SQLite to PostgreSQL or back. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { readEnv } from '../../../src/env.server.ts';
import { openDatabase, openUnmigrated } from '../../../src/platform/database/database.server.ts';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { createDatabase, maintain } from '../../support/databases.ts';
import { findPostgres } from '../../support/find-postgres.ts';
import { compareWithFinalState, startShift } from '../../support/mixed-writes.ts';
import { CAN_DIE, runProcess, startServer } from '../../support/server-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type TestDatabase, testDatabase } from '../../support/test-app.ts';
import { Visitor } from '../../support/visitor.ts';

const MOVE = 'dist/server/db-move.cjs';
/** More than one batch. */
const LOG_ROWS = 5_000;
const MESSAGE = 'Zoë’s “server” \\ is\ndown 🔥\t{"a":[1,null]}';

let ground: TestDatabase;
let other: TestDatabase;
beforeEach(async () => {
  [ground, other] = await Promise.all([testDatabase(), otherDatabase()]);
});
afterEach(() => Promise.all([ground.drop(), other.drop()]));

/** An empty database of the other engine. */
async function otherDatabase(): Promise<TestDatabase> {
  const { postgresUrl } = inject('databases');
  if (inject('engine') === 'postgres')
    return { variables: { DATA_DIR: temporaryFolder() }, drop: async () => undefined };
  if (!postgresUrl) throw new Error('PostgreSQL is missing on this machine');
  const name = `moved_${process.pid}_${Date.now()}`;
  return {
    variables: { DATABASE_URL: await createDatabase(postgresUrl, name) },
    drop: () => maintain(postgresUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

const place = ({ variables }: TestDatabase) => variables.DATABASE_URL ?? variables.DATA_DIR ?? '';
const moveArguments = () => ['--from', place(ground), '--to', place(other)];
const move = () => runProcess(MOVE, {}, moveArguments());
const moveBack = () => runProcess(MOVE, {}, ['--from', place(other), '--to', `${place(ground)}-2`]);
const open = ({ variables }: TestDatabase) => openDatabase(readEnv(variables));

/** Writes of every kind. Returns the acknowledged orders. */
async function doBusiness() {
  const server = await startServer(ground.variables);
  const visitor = new Visitor(server.address);
  const shift = startShift(server.address, 2, 'moved');
  await shift.orders(5);
  await shift.end();
  for (const [message, reference] of [
    [MESSAGE, 'C-1'],
    ['Send this again', 'C-2'],
  ]) {
    const { json } = await visitor.post('/api/contact', { ...SAMPLE_MESSAGE, message });
    expect(json.reference).toBe(reference);
  }
  await server.stop();
  const { db, close } = await open(ground);
  // The number of an erased message must not be reused.
  await db.deleteFrom('threads').where('id', '=', 2).execute();
  await sql`insert into "accessLog" ("at", "ip", "method", "url", "status", "durationUs", "bytes", "referrer", "userAgent", "visitor", "size")
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(LOG_ROWS)})
    select ${sql.lit(Date.now())} - i, '', 'GET', '/é', 200, i, i, '', '', 0, 100 from n`.execute(
    db,
  );
  await close();
  return shift.acknowledged;
}

test.runIf(findPostgres())(
  'after a killed move the target is empty, and the next move copies everything',
  async () => {
    const acknowledged = await doBusiness();
    const killed = { ...CAN_DIE, DIE_AT_LINE: 'copying accessLog' };
    expect((await runProcess(MOVE, killed, moveArguments())).code).toBe(null);

    const { code, output } = await move();
    expect(output).toMatch(/^moved \d+ rows of \d+ tables in \d+ s, checksums agree$/m);
    expect(code).toBe(0);

    const { db, close } = await open(other);
    const logged = await db.selectFrom('accessLog').select('id').execute();
    expect(logged.length).toBeGreaterThanOrEqual(LOG_ROWS);
    expect(await db.selectFrom('entries').select(['threadId', 'text']).execute()).toEqual([
      { threadId: 1, text: MESSAGE },
    ]);
    await close();
    const moved = await startServer(other.variables);
    expect(await compareWithFinalState(moved.address, acknowledged)).toEqual([]);
    const { json } = await new Visitor(moved.address).post('/api/contact', SAMPLE_MESSAGE);
    expect(json.reference).toBe('C-3');

    // While a server uses the target, nothing is moved into it or out of it.
    const [again, back] = [await move(), await moveBack()];
    expect([again.code, back.code]).toEqual([1, 1]);
    expect(back.output).toMatch(/Another server is using|other connections use the database/);
    await moved.stop();
    const full = expect.stringMatching(/^--to holds rows in \w+: name an empty database\n$/);
    expect(await move()).toEqual({ code: 1, output: full });
  },
);

test.runIf(findPostgres())(
  'a source without tables or rows is refused and left unchanged',
  async () => {
    const { DATA_DIR } = other.variables;
    // Another program's file, or a mistyped URL.
    if (DATA_DIR) new DatabaseSync(join(DATA_DIR, 'site.sqlite')).close();
    const otherTables = /^--from has not the tables of this version: name the/;
    expect(await moveBack()).toEqual({ code: 1, output: expect.stringMatching(otherTables) });
    const { db, close } = await openUnmigrated(readEnv(other.variables));
    expect(await db.introspection.getTables({ withInternalKyselyTables: true })).toEqual([]);
    await close();

    await (await open(other)).close();
    const output = '--from holds no rows: name the database of the site\n';
    expect(await moveBack()).toEqual({ code: 1, output });
  },
);

test('an address of no PostgreSQL is not taken for a folder', async () => {
  for (const from of ['Postgres:/site', 'mysql://127.0.0.1/site'])
    expect(await runProcess(MOVE, {}, ['--from', from, '--to', place(other)])).toEqual({
      code: 1,
      output: '--from must be a folder, or an address that begins with postgres://\n',
    });
});

test('a move without a source, or without both arguments, fails with a message', async () => {
  const nowhere = join(tmpdir(), 'no-such-site');
  expect(await runProcess(MOVE, {}, ['--from', nowhere, '--to', place(other)])).toEqual({
    code: 1,
    output: `There is no database at ${nowhere}/site.sqlite (--from)\n`,
  });
  const use = expect.stringMatching(/^Use: npm run db:move/);
  expect(await runProcess(MOVE, {}, ['--from', nowhere])).toEqual({ code: 1, output: use });
});
