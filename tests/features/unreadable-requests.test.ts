/** Bytes that are no request are refused in one line, and harm nobody. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../support/raw-request.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test.each([
  ['GET / HTTP/1.1\r\nHost: a b\r\n', 400],
  ['GET / HTTP/1.1\r\nHost: evil.example/path?\r\n', 400],
  ['GET / HTTP/1.1\r\n', 400],
  ['NONSENSE / HTTP/1.1\r\nHost: a\r\n', 400],
  ['OPTIONS * HTTP/1.1\r\nHost: a\r\n', 400],
  ['hello there\r\n', 400],
  [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n`, 431],
  ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n', 400],
])('%j is answered %i', async (head, status) => {
  const answered = await sendRaw(app.address, `${head}Connection: close\r\n\r\n`);
  expect(answered.status).toBe(status);
  expect(answered.body).not.toMatch(/<|\n\s+at /);
});
