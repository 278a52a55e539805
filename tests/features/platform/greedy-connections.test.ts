/** A connection that asks for more than it reads costs little, and is answered in order when it does read. */
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { eventually } from '../../support/eventually.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
const sockets: Socket[] = [];
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => app.stop());

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(app.address);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket.pause(), 'connect');
  return socket.on('error', () => undefined);
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes in buffers that somebody holds. */
function buffers(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Others are answered several times, so whatever the server was going to do by itself it has done. */
async function others(): Promise<void> {
  for (let i = 0; i < 10; i += 1) expect((await app.visitor().get('/healthz')).status).toBe(200);
}

/** How many requests were begun and not answered, at most. */
async function mostUnderWay(story: () => Promise<void>): Promise<number> {
  let underWay = 0;
  let most = 0;
  const begun = () => {
    underWay += 1;
    most = Math.max(most, underWay);
  };
  const answered = () => {
    underWay -= 1;
  };
  const start = channel('http.server.request.start');
  const finish = channel('http.server.response.finish');
  start.subscribe(begun);
  finish.subscribe(answered);
  await story();
  start.unsubscribe(begun);
  finish.unsubscribe(answered);
  return most;
}

test.each([
  ['pages', get('/')],
  ['what it has already', `GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n`],
  ['heads', `HEAD / HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['calls', get('/api/page?path=/')],
  ['expectations', `GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n`],
  ['bodies', `POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx`],
])('two thousand requests for %s at once are begun a few at a time', async (_, request) => {
  const most = await mostUnderWay(async () => {
    const socket = await open();
    socket.write(request.repeat(2_000).slice(0, 64 * 1024));
    await others();
  });
  expect(most).toBeLessThanOrEqual(8);
});

test('requests that were sent ahead are answered one after the other, each once', async () => {
  const paths = Array.from({ length: 200 }, (_, i) => (i % 3 ? '/readyz' : '/healthz'));
  const socket = await open();
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  const last = 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  socket.resume().write(paths.map(get).join('') + last);
  await once(socket, 'close');
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual([...paths.map(() => '200'), '404']);
  const bodies = [...received.matchAll(/"status":"(alive|ready)"/g)].map(([, text]) => text);
  expect(bodies).toEqual(paths.map((path) => (path === '/healthz' ? 'alive' : 'ready')));
});

test('a body is read whole, however it is cut, and what follows it is answered', async () => {
  const message = JSON.stringify({
    name: 'Jane Doe',
    email: 'jane@dealer.example',
    message: 'Our phones are down.\r\n\r\n'.repeat(200),
  });
  const head = 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
  const parts = message.replaceAll('\\r\\n', '\r\n').match(/.{1,100}/gs) ?? [];
  const chunked = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
  const { status, body } = await sendRaw(
    app.address,
    `${head}Content-Length: ${message.length}\r\n\r\n${message}`,
    `${head}Transfer-Encoding: chunked\r\n\r\n${chunked}0\r\n\r\n`,
    'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  expect(status).toBe(200);
  expect(body).toContain('"message":"The request is not valid JSON"');
  expect(body).toMatch(/\{"status":"alive"\}$/);
});

test('whoever sends ever more and reads nothing is cut off', async () => {
  const socket = await open();
  socket.write(get('/').repeat(250_000));
  await new Promise((closed) => socket.on('close', closed));
});

test.each(['/', '/pictures/hero-2-1800.jpg'])(
  'answers that wait to be read share the bytes of %s',
  async (path) => {
    await others();
    const before = buffers();
    for (let i = 0; i < 30; i += 1) (await open()).write(get(path).repeat(60));
    await others();
    // A copy for each would be 4 MB and more.
    expect(buffers() - before).toBeLessThan(2_000_000);
  },
);

test('a body in thousands of pieces is refused before they are all looked at', async () => {
  const head = 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
  const crumbs = '1\r\nx\r\n'.repeat(10_000);
  const { status, headers, body } = await sendRaw(
    app.address,
    `${head}Transfer-Encoding: chunked\r\n\r\n`,
    crumbs,
    '0\r\n\r\n',
  );
  expect([status, headers.get('connection')]).toEqual([400, 'close']);
  expect(JSON.parse(body)).toEqual({ message: 'The request arrived in too many pieces' });
});

test('of the bodies that are still arriving the slowest are given up', async () => {
  const head = 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
  const slow: Socket[] = [];
  const refused = new Set<Socket>();
  for (let i = 0; i < 400; i += 1) {
    const socket = await open();
    slow.push(socket);
    socket.on('data', (bytes) => /^HTTP\/1\.1 408 /.test(String(bytes)) && refused.add(socket));
    socket.resume().write(`${head}Content-Length: 65000\r\n\r\n${' '.repeat(60_000)}`);
  }
  await eventually(() => expect(refused.size).toBeGreaterThan(100));
  // Somebody who sends a whole message meanwhile is not among them.
  const sent = await app.visitor().post('/api/contact', SAMPLE_MESSAGE);
  expect(sent.status).toBe(200);
  expect(slow.slice(0, 100).every((socket) => refused.has(socket))).toBe(true);
  expect(slow.slice(-200).some((socket) => refused.has(socket))).toBe(false);
});
