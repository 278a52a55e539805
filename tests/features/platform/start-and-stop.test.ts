/** Starting and stopping: the operator reads in one line what is wrong, and a stop loses no request. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startFakeStripe } from '../../support/fake-stripe/fake-stripe.ts';
import { logged } from '../../support/logged.ts';
import { runProcess, SERVER, startServer } from '../../support/server-process.ts';
import { openShop, PURCHASE, stripeVariables } from '../../support/stripe-shop.ts';
import { startTestApp, type TestDatabase, testDatabase } from '../../support/test-app.ts';

let ground: TestDatabase;
beforeEach(async () => {
  ground = await testDatabase();
});
afterEach(() => ground.drop());

const run = (variables: Record<string, string>) =>
  runProcess(SERVER, { PORT: '0', ...ground.variables, ...variables });

/** In its own process group, as from a terminal. */
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

describe('the server', () => {
  test('`npm start` prints the address, and SIGTERM ends it with code 0', async () => {
    const npm = await npmStart();
    expect((await fetch(`${npm.address}/healthz`)).status).toBe(200);
    npm.child.kill('SIGTERM');
    expect(await npm.ended).toEqual([0, null]);
    await expect(fetch(`${npm.address}/healthz`)).rejects.toThrow();
  });

  test('Ctrl-C, which reaches the server several times, lets a request in flight finish', async () => {
    const npm = await npmStart();
    const { hostname, port } = new URL(npm.address);
    const caller = connect(Number(port), hostname);
    const answered = text(caller);
    const body = JSON.stringify({ username: 'nobody', password: 'of this name' });
    caller.write(
      `POST /api/admin/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${npm.address}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    // The terminal signals every process of the group, and each passes it on; how many arrive varies.
    for (let times = 0; times < 3; times += 1) {
      process.kill(-Number(npm.child.pid), 'SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    caller.write(body);
    expect(await answered).toMatch(/^HTTP\/1\.1 401 /);
    await npm.ended;
  });

  test('a hanging payment provider does not delay a stop', async () => {
    const fake = await startFakeStripe();
    fake.failNext({ how: 'timeout', times: 100 });
    const server = await startServer({ ...ground.variables, ...stripeVariables(fake) });
    await expect.poll(() => fake.requests.map(({ path }) => path)).toContain('/v1/events');
    const began = performance.now();
    expect((await server.stop()).code).toBe(0);
    // Less than the timeout of calls to Stripe, five seconds.
    expect(performance.now() - began).toBeLessThan(4_000);
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
    const { hostname, port } = new URL(app.address);
    const balancer = connect(Number(port), hostname);
    const answered = text(balancer);
    balancer.write('GET /readyz HTTP/1.1\r\nHost: a\r\n');
    expect((await fetch(`${app.address}/readyz`)).status).toBe(200);
    const stopped = app.stop();
    balancer.write('Connection: close\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1\.1 503 /);
    await stopped;
  });

  test('a start on a port in use names the port', async () => {
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
});
