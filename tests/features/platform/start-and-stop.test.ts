/** The operator reads in one line what is wrong at a start; a stop loses no request. */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFakeStripe } from '../../support/fake-stripe/fake-stripe.ts';
import { logged } from '../../support/logged.ts';
import { connectTo } from '../../support/raw-request.ts';
import { runProcess, SERVER, startServer } from '../../support/server-process.ts';
import { openShop, PURCHASE, stripeVariables } from '../../support/stripe-shop.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { databaseForEachTest, ownTestApp, startTestApp } from '../../support/test-app.ts';
import { tied } from '../../support/tied.ts';

const ground = databaseForEachTest();

/** In its own process group, as from a terminal. */
async function npmStart() {
  const child = spawn(...tied('npm', ['start'], 'TERM'), {
    env: { ...process.env, PORT: '0', ...ground.variables },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => void spawnSync('pkill', ['-KILL', '-g', String(child.pid)]));
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const [, address] = /^Ready on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line) ?? [];
    if (address) return { child, ended, address };
  }
  throw new Error('the server did not start');
}

const isServed = (address: string) =>
  fetch(`${address}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

describe('the server', () => {
  test('`npm start` prints the address, and SIGTERM ends it with code 0', async () => {
    const npm = await npmStart();
    expect(await isServed(npm.address)).toBe(true);
    npm.child.kill('SIGTERM');
    expect(await npm.ended).toEqual([0, null]);
    expect(await isServed(npm.address)).toBe(false);
  });

  test('goes on when whoever reads its output has ended', async () => {
    const server = await startServer(ground.variables);
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    const body = JSON.stringify({ kind: 'part', page: '/', error: 'Error', place: '' });
    const headers = { 'Content-Type': 'application/json' };
    for (let line = 0; line < 3; line += 1) {
      const url = `${server.address}/api/page-failures`;
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
    }
    expect(await isServed(server.address)).toBe(true);
    await server.stop();
  });

  test('Ctrl-C, which reaches the server several times, lets a request in flight finish', async () => {
    const npm = await npmStart();
    const caller = connectTo(npm.address);
    const body = JSON.stringify({ username: 'nobody', password: 'of this name' });
    caller.write(
      `POST /api/admin/login HTTP/1.1\r\nHost: ${new URL(npm.address).host}\r\nOrigin: ${npm.address}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    const [begun] = await once(caller, 'data');
    expect(String(begun)).toMatch(/^HTTP\/1\.1 100 /);
    const answered = text(caller);
    // The terminal signals every process of the group, and each passes it on.
    for (let times = 0; times < 3; times += 1) process.kill(-Number(npm.child.pid), 'SIGINT');
    await expect.poll(() => isServed(npm.address)).toBe(false);
    caller.write(body);
    expect(await answered).toMatch(/^HTTP\/1\.1 401 /);
    await npm.ended;
  });

  test('a hanging payment provider does not delay a stop', async () => {
    const fake = await startFakeStripe();
    fake.failNext({ how: 'slow', ms: 600_000, times: 100 });
    const server = await startServer({ ...ground.variables, ...stripeVariables(fake) });
    await expect.poll(() => fake.requests.map(({ path }) => path)).toContain('/v1/events');
    // One that waited for Stripe would give up stopping, and end with code 1.
    expect((await server.stop()).code).toBe(0);
    await fake.close();
  });

  test('a stop waits for the order of a buyer who has disconnected', async () => {
    const { app, fake } = await openShop();
    fake.failNext({ how: 'slow', path: '/v1/subscriptions', ms: 1_000 });
    const leaving = new AbortController();
    const pressed = fetch(`${app.address}/api/create-payment-intent`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Origin: app.address,
        'Idempotency-Key': randomUUID(),
      },
      body: JSON.stringify(PURCHASE),
      signal: leaving.signal,
    });
    await expect.poll(() => fake.requests.map(({ path }) => path)).toContain('/v1/subscriptions');
    leaving.abort();
    await expect(pressed).rejects.toThrow();
    const lines = await logged(() => app.stop());
    expect(lines.filter(({ event }) => event === 'call-failed')).toEqual([]);
    expect(fake.subscriptionCount()).toBe(1);
    await fake.close();
  });

  test('a stopping site answers /readyz with 503 on connections that are still open', async () => {
    const app = await startTestApp();
    const balancer = connectTo(app.address);
    const answered = text(balancer);
    balancer.write('GET /readyz HTTP/1.1\r\nHost: a\r\n');
    await expect.poll(async () => (await fetch(`${app.address}/readyz`)).status).toBe(200);
    const stopped = app.stop();
    balancer.write('Connection: close\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1\.1 503 /);
    await stopped;
  });

  test('systemd hears that the site is ready, and that it is alive', async () => {
    const folder = temporaryFolder();
    const told = join(folder, 'told');
    const program = join(folder, 'systemd-notify');
    writeFileSync(program, `#!/bin/sh\necho "$@" >> ${told}\n`, { mode: 0o755 });
    const server = await startServer({
      ...ground.variables,
      PATH: `${folder}:${process.env.PATH}`,
      NOTIFY_SOCKET: '/run/systemd/notify',
      WATCHDOG_USEC: '300000',
    });
    const lines = () => (existsSync(told) ? readFileSync(told, 'utf8').split('\n') : []);
    await expect.poll(lines).toEqual(expect.arrayContaining(['READY=1', 'WATCHDOG=1']));
    await server.stop();
  });

  test('a start on a port in use names the port', async () => {
    const other = await ownTestApp();
    const { host, port } = new URL(other.address);
    const { code, output } = await runProcess(SERVER, { PORT: port, ...ground.variables });
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`^Cannot listen on ${host}: .*EADDRINUSE.*\n$`));
  });

  test('a start on a port that this account may not have is not tried again', async () => {
    // The kernel would let root have it.
    const refuse = `import { Server } from 'node:net'; Server.prototype.listen = function () {
      queueMicrotask(() => this.emit('error', Object.assign(new Error('no'), { code: 'EACCES' })));
      return this; };`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(refuse)}`;
    const { code, output } = await runProcess(SERVER, { NODE_OPTIONS, ...ground.variables });
    expect(output).toBe(
      'Cannot listen on 127.0.0.1:3000: no; name another HOST or PORT (1024 or more)\n',
    );
    expect(code).toBe(78);
  });
});
