/** Some clients are slow, some never speak, some never listen: nobody else waits for them. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { memoryMegabytes, type RunningProcess, startServer } from '../support/server-process.ts';
import { expectWithin, sized } from '../support/sized.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

const ANSWERED_MS = 500;
const MEGABYTES = 400;

/** Both ends hold as many files; some are needed for other things. */
const MOST_SOCKETS =
  Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout) - 2_000;

/** How many connections a server bears is the same on either database. */
describe.runIf(inject('engine') === 'sqlite')('while many clients are slow', () => {
  let ground: TestDatabase;
  let server: RunningProcess;
  let sockets: Socket[] = [];
  beforeAll(async () => {
    ground = await testDatabase();
    server = await startServer(ground.variables);
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });
  afterAll(async () => {
    await server?.stop();
    await ground.drop();
  });

  async function open(count: number, say: (socket: Socket) => void): Promise<void> {
    const { hostname, port } = new URL(server.address);
    for (let done = 0; done < count; done += 100) {
      await Promise.all(
        Array.from({ length: Math.min(100, count - done) }, async () => {
          const socket = connect(Number(port), hostname);
          sockets.push(socket);
          socket.on('error', () => undefined);
          await once(socket, 'connect');
          socket.resume();
          say(socket);
        }),
      );
    }
  }

  /** What everybody else sees meanwhile. */
  async function others(what: string): Promise<void> {
    let slowest = 0;
    for (let i = 0; i < 20; i += 1) {
      for (const path of ['/', '/api/plans', '/checkout?plan=1']) {
        const began = performance.now();
        const { status } = await new Visitor(server.address).get(path);
        slowest = Math.max(slowest, performance.now() - began);
        expect([path, status]).toEqual([path, 200]);
      }
    }
    expectWithin(`${what}: others answered`, slowest, ANSWERED_MS);
    const memory = memoryMegabytes(server.child);
    console.log(`${what}: ${Math.round(memory)} MB`);
    expect(memory).toBeLessThan(MEGABYTES);
  }

  const slow = sized(200, 1_000);

  test('at sending their headers', async () => {
    await open(slow, (socket) => {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
      const drip = setInterval(() => socket.write('x'), 500);
      socket.on('close', () => clearInterval(drip));
    });
    await others(`${slow} slow headers`);
    // Ten seconds for the headers, and a second until somebody looks.
    const began = performance.now();
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
    expectWithin('slow headers cut off', performance.now() - began, 12_000);
  });

  test('at sending their bodies', async () => {
    const head = 'POST /api/admin/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
    await open(slow, (socket) => {
      socket.write(`${head}Content-Length: 1000\r\n\r\n`);
      const drip = setInterval(() => socket.write(' '), 500);
      socket.on('close', () => clearInterval(drip));
    });
    await others(`${slow} slow bodies`);
  });

  test('at reading their answers', async () => {
    const page = await (await fetch(server.address)).text();
    const [, script = '/'] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
    await open(slow, (socket) => {
      socket.pause();
      socket.write(`GET ${script} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20));
    });
    await others(`${slow} clients who do not read`);
  });

  test('and thousands say nothing at all', async () => {
    const idle = Math.min(sized(200, 10_000), MOST_SOCKETS);
    await open(idle, () => undefined);
    await others(`${idle} idle clients`);
  });

  test('and what breaks off is no fault of the server', async () => {
    const head = 'POST /api/admin/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
    await open(50, (socket) => {
      socket.write(`${head}Content-Length: 1000\r\n\r\n{`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
    await others('50 clients who hung up');
    expect(server.output()).not.toContain('"level":"error"');
  });
});
