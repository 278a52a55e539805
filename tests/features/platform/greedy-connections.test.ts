/** Connections that send too much cost little, and answers never get out of order. */
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { contentWith } from '../../support/content-folder.ts';
import { connectTo, sendRaw } from '../../support/raw-request.ts';
import { OWN_PASSWORD, ownTestApp, sharedTestApp } from '../../support/test-app.ts';

const app = sharedTestApp();
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function open(address = app.address): Promise<Socket> {
  const socket = connectTo(address).pause();
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

test.each([
  ['pages', get('/')],
  ['calls', get('/api/payment-config')],
  ['expectations', get('/', 'Expect: miracles\r\n')],
])(
  'a client that asks for %s two thousand times without reading is disconnected',
  async (_, request) => {
    const socket = await open();
    socket.write(request.repeat(2_000).slice(0, 64 * 1024));
    const received = await text(socket);
    expect(statusesIn(received).length).toBeLessThanOrEqual(10);
    expect((await app.visitor().get('/healthz')).status).toBe(200);
  },
);

test('pipelined requests are answered in order, each once', async () => {
  const paths = ['/healthz', '/readyz', '/news', '/healthz', '/nothing', '/readyz', '/healthz'];
  const socket = await open();
  socket.write(paths.map((path) => get(path)).join('') + get('/readyz', 'Connection: close\r\n'));
  const received = await text(socket);
  expect(statusesIn(received)).toEqual([200, 200, 200, 200, 404, 200, 200, 200]);
  const bodies = [...received.matchAll(/"status":"(alive|ready)"/g)].map(([, status]) => status);
  expect(bodies).toEqual(['alive', 'ready', 'alive', 'ready', 'alive', 'ready']);
});

test('a request that expects 100 Continue, pipelined behind another, closes the connection', async () => {
  const head =
    'POST /api/contact HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n';
  const alone = await sendRaw(app.address, `${head}Connection: close\r\n\r\n{}`);
  expect(alone.status).toBe(100);
  expect(alone.body).toContain('415');
  const socket = await open();
  socket.write(`${get('/readyz')}${head}\r\n{}`);
  expect(await text(socket)).not.toContain('100 Continue');
});

test('garbage behind a request in progress adds nothing to its answer', async () => {
  for (const garbage of ['hello there\r\n\r\n', 'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n']) {
    const socket = await open();
    socket.write(get('/api/payment-config') + garbage);
    expect(await text(socket)).not.toContain('HTTP/1.1 4');
  }
});

test('a request to upgrade is the last of its connection', async () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n';
  const socket = await open();
  socket.write(`${get('/healthz', upgrade)}{}${get('/nothing')}`);
  const received = await text(socket);
  expect(statusesIn(received)).toEqual([200]);
  expect(received).toMatch(/^Connection: close\r$/m);
});

test('without a proxy, an IP address can open a thousand connections, and others can still connect', async () => {
  const bare = await ownTestApp({ ...OWN_PASSWORD, TRUST_PROXY: '0' });
  for (let count = 0; count < 1_000; count += 1) await open(bare.address);
  expect(await text(await open(bare.address))).toBe('');
  expect(sockets.slice(0, 1_000).filter((socket) => socket.destroyed)).toEqual([]);
  const { port } = new URL(bare.address);
  const other = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' });
  other.write(get('/healthz', 'Connection: close\r\n'));
  expect(statusesIn(await text(other))).toEqual([200]);
  for (const socket of sockets) socket.destroy();
});

const POST_JSON = 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

test('a body in thousands of chunks is refused before all of them are read', async () => {
  const { status, headers, body } = await sendRaw(
    app.address,
    `${POST_JSON}Transfer-Encoding: chunked\r\n\r\n`,
    `${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`,
  );
  expect([status, headers.get('connection')]).toEqual([400, 'close']);
  expect(JSON.parse(body)).toEqual({ message: 'The request arrived in too many pieces' });
});

test('when too many bodies are arriving, the oldest are refused', async () => {
  const refused = new Set<Socket>();
  for (let i = 0; i < 400; i += 1) {
    const socket = await open();
    socket.on('data', (bytes) => /^HTTP\/1\.1 408 /.test(String(bytes)) && refused.add(socket));
    socket.resume().write(`${POST_JSON}Content-Length: 65000\r\n\r\n${' '.repeat(60_000)}`);
  }
  await expect.poll(() => refused.size).toBeGreaterThan(100);
  // A visitor who sends a whole message in the meantime is served.
  const sent = await app.visitor().post('/api/contact', SAMPLE_MESSAGE);
  expect(sent.status).toBe(200);
  expect(sockets.slice(0, 100).every((socket) => refused.has(socket))).toBe(true);
  expect(sockets.slice(-200).some((socket) => refused.has(socket))).toBe(false);
});

describe('readers who do not read', () => {
  /** More than the system keeps for a connection, so that the rest waits in the server. */
  const bytes = 6_000_000;
  let cookie: string;
  beforeAll(async () => {
    const staff = await app.staff();
    cookie = [...staff.cookies].map((pair) => pair.join('=')).join('; ');
    const at = Date.now();
    const message = { kind: 'contact', name: 'Jane', status: 'new' } as const;
    const { db } = app.database;
    const times = { createdAt: at, lastAt: at, waitsSince: at, changedAt: at };
    const rows = Array.from({ length: 1_000 }, () => ({ ...message, ...times }));
    const threads = await db.insertInto('threads').values(rows).returning('id').execute();
    const entry = { kind: 'visitor', text: 'x'.repeat(bytes / 1_000), at } as const;
    await db
      .insertInto('entries')
      .values(threads.map(({ id: threadId }) => ({ threadId, ...entry })))
      .execute();
  });

  test('leave room for others: of forty that ask for a file, the first are cut off', async () => {
    const asked = get('/api/admin/messages/download', `Cookie: ${cookie}\r\nConnection: close\r\n`);
    const readers: Socket[] = [];
    for (let count = 0; count < 40; count += 1) {
      const socket = await open();
      socket.write(asked);
      readers.push(socket);
    }
    // Asks last, and reads: it gets the whole answer.
    const reader = await open();
    reader.write(asked);
    expect((await text(reader)).length).toBeGreaterThan(bytes);
    const received = await Promise.all(
      readers.map(async (socket) => (await text(socket).catch(() => '')).length),
    );
    const whole = received.map((length) => length > bytes);
    expect(whole.slice(0, 20)).toEqual(Array(20).fill(false));
    expect(whole.at(-1)).toBe(true);
  });

  test('get a picture whole, however many they are: it is in memory once', async () => {
    const content = contentWith({});
    rmSync(join(content, 'pictures'));
    cpSync('content/pictures', join(content, 'pictures'), { recursive: true });
    writeFileSync(join(content, 'pictures/large.jpg'), Buffer.alloc(bytes));
    const { address } = await ownTestApp({}, content);
    const readers = await Promise.all(Array.from({ length: 20 }, () => open(address)));
    for (const path of ['/pictures/large.jpg', '/pictures/large.jpg?v=1'])
      for (const reader of readers.splice(0, 10)) {
        reader.write(get(path, 'Connection: close\r\n'));
        readers.push(reader);
      }
    const received = await Promise.all(readers.map(async (reader) => (await text(reader)).length));
    expect(Math.min(...received)).toBeGreaterThan(bytes);
  });
});
