/** Thousands of slow, silent or greedy connections neither fill the server's memory nor delay other visitors. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { closed, connectTo } from '../support/raw-request.ts';
import { memoryMegabytes } from '../support/server-process.ts';
import { expectWithin, sized } from '../support/sized.ts';
import { sharedServer } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

const ANSWERED_MS = 500;
const MEGABYTES = 400;
const CONNECTIONS = sized(200, 2_000);
/** Visits of three pages each while the clients are connected. */
const ROUNDS = sized(5, 3_000);
/** Limited by this process's file handles, some of which the test itself needs. */
const MAX_SOCKETS =
  Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout) - 2_000;

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (length: number) =>
  `POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** What each client sends on connecting, and then twice a second. None reads the answer. */
const KINDS: Record<string, { first: string; later?: string }> = {
  'ask for pages and read none': { first: get('/').repeat(10) },
  'ask for calls and read none': { first: get('/api/plans').repeat(10) },
  'ask for large files and read none': { first: get('/pictures/hero-2-1800.jpg').repeat(10) },
  'send heads that never end': { first: 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ', later: 'x' },
  'send bodies that never end': { first: post(65_000) + 'x'.repeat(60_000), later: 'x' },
};

/** One engine is enough: connections do not depend on it. */
describe.runIf(inject('engine') === 'sqlite')('while many clients', () => {
  const server = sharedServer();
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function open(count: number, say: (socket: Socket) => void): Promise<void> {
    const openOne = async () => {
      const socket = connectTo(server.address);
      sockets.push(socket);
      await once(socket, 'connect');
      say(socket);
    };
    for (let done = 0; done < count; done += 100)
      await Promise.all(Array.from({ length: Math.min(100, count - done) }, openOne));
  }

  const allClosed = () => Promise.all(sockets.map((socket) => socket.closed || closed(socket)));

  /** Other visitors get their pages; in the long run, in time, and the server's memory stays small. */
  async function expectGoodService(what: string): Promise<void> {
    const waits: number[] = [];
    let most = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const path of ['/', '/api/plans', '/checkout?plan=1']) {
        const began = performance.now();
        const { status } = await new Visitor(server.address).get(path);
        waits.push(performance.now() - began);
        expect([path, status]).toEqual([path, 200]);
      }
      most = Math.max(most, memoryMegabytes(server.child));
    }
    waits.sort((a, b) => a - b);
    expectWithin(`${what}: others`, waits[Math.floor(waits.length * 0.99)] ?? 0, ANSWERED_MS);
    expectWithin(`${what}: megabytes`, most, MEGABYTES);
  }

  test.each(Object.entries(KINDS))('%s, others are served', async (what, { first, later }) => {
    await open(CONNECTIONS, (socket) => {
      socket.pause().write(first);
      if (later === undefined) return;
      const drip = setInterval(() => socket.write(later), 500);
      socket.on('close', () => clearInterval(drip));
    });
    await expectGoodService(what);
  });

  test('send their headers slowly, they are cut off', async () => {
    await open(20, (socket) => socket.resume().write('GET / HTTP/1.1\r\nX-Slow: '));
    // Ten seconds for the headers, and up to a second until Node checks.
    const began = performance.now();
    await allClosed();
    expectWithin('slow headers cut off', performance.now() - began, 12_000);
  });

  test('say nothing at all, others are served', async () => {
    const idle = Math.min(sized(200, 10_000), MAX_SOCKETS);
    await open(idle, (socket) => socket.resume());
    await expectGoodService('idle');
  });

  test('disconnect in mid-request, the server logs no error', async () => {
    await open(50, (socket) => {
      socket.resume().write(`${post(1_000)}{`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
    await allClosed();
    expect(server.output()).not.toContain('"level":"error"');
  });
});
