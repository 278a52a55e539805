/** Thousands of connections that take more than they give: the server stays small, and others are answered. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { memoryMegabytes, type RunningProcess, startServer } from '../support/server-process.ts';
import { expectWithin, sized } from '../support/sized.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

const OTHERS_MS = 500;
const MEGABYTES = 400;
const CONNECTIONS = sized(100, 2_000);
const ATTACK_MS = sized(2_000, 30_000);

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (length: number) =>
  `POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** What each says when it is connected, and then twice a second; nobody reads a byte. */
const KINDS: Record<string, { first: string; later?: string }> = {
  'pages that nobody reads': { first: get('/').repeat(10) },
  'calls that nobody reads': { first: get('/api/plans').repeat(10) },
  'large files': { first: get('/pictures/hero-2-1800.jpg').repeat(10) },
  'heads that never end': {
    first: `GET / HTTP/1.1\r\n${'a:b\r\n'.repeat(2_500)}`,
    later: 'a:b\r\n',
  },
  'bodies that never end': { first: post(65_000) + 'x'.repeat(60_000), later: 'x' },
};

/** How much a server bears is the same on either database. */
describe.runIf(inject('engine') === 'sqlite')('while thousands are hostile', () => {
  let ground: TestDatabase;
  let server: RunningProcess;
  let before: number;
  beforeAll(async () => {
    ground = await testDatabase();
    server = await startServer(ground.variables);
    await others(performance.now() + 1_000);
    before = memoryMegabytes(server.child);
  });
  afterAll(async () => {
    await server?.stop();
    await ground.drop();
  });

  function attack(say: { first: string; later?: string }): Socket {
    const { hostname, port } = new URL(server.address);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).pause();
    socket.write(say.first);
    if (say.later !== undefined) {
      const more = setInterval(() => socket.write(say.later ?? ''), 500);
      socket.on('close', () => clearInterval(more));
    }
    return socket;
  }

  /** How long somebody else waits for a page, a call or the checkout, each asked for all the time. */
  async function others(until: number): Promise<number[]> {
    const waits: number[] = [];
    const paths = ['/', '/api/plans', '/checkout?plan=1', '/news'];
    while (performance.now() < until) {
      for (const path of paths) {
        const began = performance.now();
        const { status } = await new Visitor(server.address).get(path);
        waits.push(performance.now() - began);
        expect([path, status]).toEqual([path, 200]);
        await setTimeout(20);
      }
    }
    return waits.sort((a, b) => a - b);
  }

  async function story(what: string, kinds: { first: string; later?: string }[]) {
    const sockets: Socket[] = [];
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, memoryMegabytes(server.child));
    }, 100);
    const waiting = others(performance.now() + ATTACK_MS);
    for (let i = 0; i < CONNECTIONS; i += 1) {
      const kind = kinds[i % kinds.length];
      if (kind) sockets.push(attack(kind));
      if (i % 100 === 99) await setTimeout(1);
    }
    const waits = await waiting;
    clearInterval(watching);
    const left = Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
    for (const socket of sockets) socket.destroy();
    await left;
    const p99 = waits[Math.floor(waits.length * 0.99)] ?? 0;
    const slowest = waits.at(-1) ?? 0;
    console.log(
      `${what}: ${CONNECTIONS} connections, ${Math.round(before)} → ${Math.round(most)} MB, ` +
        `others p99 ${Math.round(p99)} ms, slowest ${Math.round(slowest)} ms`,
    );
    expect(most).toBeLessThan(MEGABYTES);
    expectWithin(`${what}: others answered`, p99, OTHERS_MS);
  }

  test.each(Object.entries(KINDS))('all of them with %s', async (what, kind) => {
    await story(what, [kind]);
  });

  test('a fifth of them with each', async () => {
    await story('all five kinds', Object.values(KINDS));
  });
});
