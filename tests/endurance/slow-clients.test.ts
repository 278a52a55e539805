/** Thousands of slow, silent or greedy connections keep no other visitor from their pages: `npm run bench recovery` measures time and memory. */
import { spawnSync } from 'node:child_process';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { closed } from '../support/raw-request.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { sized } from '../support/sized.ts';
import { connectMany, KINDS, post, speakAs } from '../support/slow-clients.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';

const CONNECTIONS = sized(200, 2_000);
/** Visits of three pages each while the clients are connected. */
const ROUNDS = sized(5, 3_000);
/** Limited by this process's file handles, some of which the test itself needs. */
const MAX_SOCKETS =
  Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout) - 2_000;

/** One engine is enough: connections do not depend on it. */
describe.runIf(inject('engine') === 'sqlite')('while many clients', () => {
  let server: RunningProcess;
  beforeAll(async () => {
    server = await startServer({ DATA_DIR: temporaryFolder() });
  });
  afterAll(() => server.stop());
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function open(count: number, say: (socket: Socket) => void): Promise<void> {
    sockets.push(...(await connectMany(server.address, count, say)));
  }

  const allClosed = () => Promise.all(sockets.map((socket) => socket.closed || closed(socket)));

  /** Other visitors get their pages. */
  async function expectService(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const path of ['/', '/api/plans', '/checkout?plan=1'])
        expect([path, (await new Visitor(server.address).get(path)).status]).toEqual([path, 200]);
  }

  test.each(Object.entries(KINDS))('%s, others are served', async (_what, kind) => {
    await open(CONNECTIONS, (socket) => speakAs(kind, socket));
    await expectService();
  });

  test('send their headers slowly, they are cut off', async () => {
    await open(20, (socket) => socket.resume().write('GET / HTTP/1.1\r\nX-Slow: '));
    // Ten seconds for the headers, and up to a second until Node checks.
    await allClosed();
  });

  test('send no request, they are cut off and not logged', async () => {
    const staff = await signedIn(server.address);
    const tooSlow = async () =>
      (await staff.get('/api/admin/logs')).json.logs.split('" 408 ').length;
    const before = await tooSlow();
    await open(20, (socket) => socket.resume());
    await allClosed();
    expect(await tooSlow()).toBe(before);
  });

  test('say nothing at all, others are served', async () => {
    const idle = Math.min(sized(200, 10_000), MAX_SOCKETS);
    await open(idle, (socket) => socket.resume());
    await expectService();
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
