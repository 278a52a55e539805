/**
 * The whole site as an operator would have it: nginx, two instances, PgBouncer, PostgreSQL with a
 * standby, and Postfix, all from Debian. What was sent on SQLite is moved there; the site is
 * upgraded; then the primary is lost, and the standby takes over.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../support/call-row.ts';
import { createDatabase, maintain } from '../support/databases.ts';
import { listen } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { freePort } from '../support/free-port.ts';
import { compareWithFinalState, startShift } from '../support/mixed-writes.ts';
import { Postgres } from '../support/postgres.ts';
import {
  REACHABLE_DEMO,
  type RunningProcess,
  runProcess,
  SERVER,
  startProcess,
  startServer,
} from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { hasPostfix, startPostfix } from './postfix.ts';
import { useVersions } from './versions.ts';

const PASSWORD = 'secret';

/** PgBouncer as deploy/pgbouncer.ini sets it up. It does not run as root. */
async function startPgBouncer() {
  const folder = temporaryFolder();
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  function leadTo(primary: Postgres): void {
    const shipped = readFileSync('deploy/pgbouncer.ini', 'utf8')
      .replace('host=database port=5432', `host=127.0.0.1 port=${new URL(primary.url).port}`)
      .replace('0.0.0.0', '127.0.0.1')
      .replace('6432', `${port}\nunix_socket_dir =`)
      .replace('/tmp/users', join(folder, 'users'));
    writeFileSync(file, shipped);
  }
  writeFileSync(join(folder, 'users'), `"site" "${PASSWORD}"\n`);
  chmodSync(folder, 0o755);
  let child: ChildProcess | undefined;
  return {
    url: `postgres://site:${PASSWORD}@127.0.0.1:${port}/site`,
    start(primary: Postgres): void {
      leadTo(primary);
      const user = process.getuid?.() === 0 ? ['--user=postgres'] : [];
      child = spawn('pgbouncer', ['--quiet', ...user, file], { stdio: 'ignore' });
    },
    /** What an operator does after a failover: another address, and a reload. */
    follow(primary: Postgres): void {
      leadTo(primary);
      child?.kill('SIGHUP');
    },
    stop: () => child?.kill('SIGKILL'),
  };
}

const isInstalled = [
  findPostgres(),
  hasNginx(),
  hasPostfix(),
  !spawnSync('pgbouncer', ['--version']).error,
].every(Boolean);

describe.runIf(isInstalled)('behind nginx, with Postfix, PgBouncer and a standby,', () => {
  const versions = useVersions();
  let primary: Postgres;
  let standby: Postgres;
  let pool: Awaited<ReturnType<typeof startPgBouncer>>;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  let postfix: Awaited<ReturnType<typeof startPostfix>>;
  let ports: number[];
  const instances: RunningProcess[] = [];
  const startInstance = (version: string, port: number) =>
    startProcess(
      SERVER,
      {
        ...REACHABLE_DEMO,
        ...nginx.variables,
        ...postfix.variables,
        // Two, as if there were a network of caches in front: customers have addresses.
        ...{ TRUST_PROXY: '2', DEMO_MODE: 'on', PORT: `${port}`, DATABASE_URL: pool.url },
      },
      version,
    );
  beforeAll(async () => {
    primary = await Postgres.create();
    await primary.start();
    const database = await createDatabase(primary.url, 'site');
    standby = await Postgres.standby(primary);
    await standby.start();
    // What is acknowledged is on both.
    await maintain(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await maintain(primary.url, 'SELECT pg_reload_conf()');

    const folder = temporaryFolder();
    const first = await startServer({ DATA_DIR: folder });
    const sent = await new Visitor(first.address).post('/api/contact', SAMPLE_MESSAGE);
    expect(sent.json.reference).toBe('C-1');
    await first.stop();
    const moved = await runProcess('dist/server/db-move.cjs', {}, [
      '--from',
      folder,
      '--to',
      database,
    ]);
    expect(moved.output).toContain('checksums agree');

    pool = await startPgBouncer();
    pool.start(primary);
    ports = await Promise.all([freePort(), freePort()]);
    nginx = await startNginx(ports);
    // 1.0.0 greets as libraries do.
    postfix = await startPostfix({ refuses: '' });
    for (const port of ports) instances.push(await startInstance(versions.previous, port));
    await eventually(async () => expect((await fetch(`${nginx.origin}/readyz`)).status).toBe(200));
  });
  afterAll(async () => {
    for (const instance of instances) await instance.stop();
    nginx?.stop();
    pool?.stop();
    postfix?.stop();
    await standby?.remove();
    await primary?.remove();
  });

  test('a colleague signs in, answers what was sent before the move, and refunds an order', async () => {
    const sold = startShift(nginx.origin, 1, 'sold');
    await sold.orders(1);
    await sold.end();
    const [order] = sold.acknowledged;
    expect(order?.paid).toBe(true);

    const staff = await signedIn(nginx.origin);
    const [message] = (await staff.get('/api/admin/contacts')).json;
    expect(message).toMatchObject(SAMPLE_MESSAGE);
    const answer = { kind: 'staff', text: 'Yes.', after: 2 ** 31 - 1, key: randomUUID() };
    expect((await staff.post(`/api/admin/threads/${message.id}/entries`, answer)).status).toBe(200);
    const refund = await staff.post(`/api/admin/orders/${order?.orderId}/refund`, { amount: null });
    expect(refund.json).toMatchObject({ status: 'refunded' });
    const mails = () => postfix.received(`jane-${order?.key}@dealer.example`);
    await eventually(async () =>
      // As 1.0.0 writes the number.
      expect((await mails()).map(({ subject }) => subject)).toContain(
        `Refund for your order O-${order?.orderId}`,
      ),
    );
  });

  test('staff see at once that a visitor has written, and why the relay refuses the answer by mail', async () => {
    const staff = await signedIn(nginx.origin);
    const stream = await listen(staff, '/api/admin/events');
    await eventually(() => expect(stream.beats + stream.events.length).toBeGreaterThan(0));
    const before = stream.events.length;
    const strange = { ...SAMPLE_MESSAGE, email: 'ann@elsewhere.example' };
    const { reference } = (await new Visitor(nginx.origin).post('/api/contact', strange)).json;
    await eventually(() => expect(stream.events.length).toBeGreaterThan(before));
    await eventually(async () => {
      const { deliveries } = (await staff.get('/api/admin/outbox')).json;
      expect(deliveries).toContainEqual(
        expect.objectContaining({
          ...{ reference, state: 'failed' },
          lastAnswer: expect.stringContaining('Relay access denied'),
        }),
      );
    });
  });

  test('an upgrade of one instance after the other loses no order and refuses no request', async () => {
    const shift = startShift(nginx.origin, 4, 'upgraded');
    await shift.orders(40);
    for (const [index, port] of ports.entries()) {
      expect((await instances[index]?.stop())?.code).toBe(0);
      instances[index] = await startInstance(versions.next, port);
      // The older one serves on the new tables until it is stopped.
      await shift.orders(shift.acknowledged.length + 20);
    }
    await shift.end();
    const { refused, unanswered, acknowledged } = shift;
    expect({ refused, unanswered }).toEqual({ refused: [], unanswered: 0 });
    expect(await compareWithFinalState(nginx.origin, acknowledged)).toEqual([]);
    // 1.0.0 can start again, if it has to.
    const older = await startInstance(versions.previous, await freePort());
    expect((await older.stop()).code).toBe(0);
  });

  test('no acknowledged order is lost when the primary is lost and the standby takes over', async () => {
    const shift = startShift(nginx.origin, 3, 'taken-over');
    await shift.orders(30);
    await primary.stop('immediate');
    expect((await fetch(`${nginx.origin}/`)).status).toBe(200);
    await standby.promote();
    await maintain(standby.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
    await maintain(standby.url, 'SELECT pg_reload_conf()');
    pool.follow(standby);
    await shift.orders(60);
    await shift.end();
    expect(shift.refused.filter(({ status }) => status !== 503)).toEqual([]);
    expect(await compareWithFinalState(nginx.origin, shift.acknowledged)).toEqual([]);
  });
});
