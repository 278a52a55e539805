/** Whatever a connection sends without waiting for answers, these never get out of order. */
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { connectTo } from '../../support/raw-request.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const app = sharedTestApp();
/** All that is answered until the connection ends. */
async function answersTo(requests: string): Promise<string> {
  const socket = connectTo(app.address);
  socket.write(requests);
  return text(socket);
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

test('garbage behind a request in progress adds nothing to its answer', async () => {
  for (const garbage of ['hello there\r\n\r\n', 'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n'])
    expect(await answersTo(get('/api/payment-config') + garbage)).not.toContain('HTTP/1.1 4');
});

test('a request to upgrade is the last of its connection', async () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n';
  const received = await answersTo(`${get('/healthz', upgrade)}{}${get('/nothing')}`);
  expect(statusesIn(received)).toEqual([200]);
  expect(received).toMatch(/^Connection: close\r$/m);
});
