/** Malformed requests get a short refusal with the usual headers, and a line in the log. */
import { beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../support/raw-request.ts';
import { sharedStaff, sharedTestApp } from '../../support/test-app.ts';

const HEADERS = [
  'content-security-policy',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'cache-control',
];

const app = sharedTestApp();
const staff = sharedStaff(() => app);
beforeAll(async () => {
  // From now on this page is sent from memory.
  await app.visitor().get('/');
});

/** The log without calls, newest first. */
async function lines(): Promise<string[]> {
  const { logs } = (await staff.get('/api/admin/logs')).json;
  return logs.split('\n').filter((line: string) => line !== '' && !line.includes(' /api/'));
}

test.each([
  ['GET / HTTP/1.1\r\nHost: a b\r\n', 400],
  ['GET / HTTP/1.1\r\nHost: evil.example/path?\r\n', 400],
  ['GET /checkout HTTP/1.1\r\nHost: 999.1.1.1\r\n', 400],
  ['GET / HTTP/1.1\r\n', 400],
  ['NONSENSE / HTTP/1.1\r\nHost: a\r\n', 400],
  ['OPTIONS * HTTP/1.1\r\nHost: a\r\n', 400],
  ['hello there\r\n', 400],
  [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n`, 431],
  ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n', 400],
  ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n', 400],
])('the malformed request %j is answered %i and logged', async (head, status) => {
  const before = await lines();
  const answered = await sendRaw(app.address, `${head}Connection: close\r\n\r\n`);
  expect(answered.status).toBe(status);
  expect(answered.body).not.toMatch(/<|\n\s+at /);
  const usual = (await app.visitor().get('/api/plans')).headers;
  for (const name of HEADERS)
    expect([name, answered.headers.get(name)]).toEqual([name, usual.get(name) ?? 'missing']);
  expect(await lines()).toEqual([
    expect.stringMatching(`^127\\.0\\.0\\.1 - .* HTTP/1\\.1" ${status} \\d+ `),
    ...before,
  ]);
});

test('a balancer that asks by HTTP/1.0 without Host learns whether the site is ready', async () => {
  expect((await sendRaw(app.address, 'GET /readyz HTTP/1.0\r\n\r\n')).status).toBe(200);
});
