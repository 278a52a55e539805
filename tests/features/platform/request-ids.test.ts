/** The operator finds the log lines of an answer, and no one can forge them. */
import { expect, test } from 'vitest';
import { captureLog } from '../../support/logged.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const app = sharedTestApp();

const FAILURE = { kind: 'part', page: '/checkout', error: 'TypeError', place: 'shop.js:1:2' };

async function report(headers?: Record<string, string>) {
  const answer = await app.visitor().post('/api/page-failures', FAILURE, headers);
  return answer.headers.get('x-request-id');
}

test('the lines of two requests at once carry the ids of their own answers', async () => {
  const log = captureLog();
  const ids = await Promise.all([report(), report()]);
  log.restore();
  const logged = log.lines.filter(({ event }) => event === 'part-failed');
  expect(new Set(logged.map(({ request }) => request))).toEqual(new Set(ids));
  expect(new Set(ids).size).toBe(2);
});

test('a visitor cannot choose an id, neither another request’s nor a long one', async () => {
  const log = captureLog();
  const first = (await report()) ?? '';
  for (const sent of [first, 'a'.repeat(200), 'proxy-1'])
    expect(await report({ 'X-Request-Id': sent })).not.toBe(sent);
  log.restore();
  expect(log.lines.filter(({ request }) => request === first)).toHaveLength(1);
});

test('a refused request has an id as well', async () => {
  for (const path of ['/api/nowhere', '/api/admin/contacts', '/%6eowhere'])
    expect((await app.visitor().get(path)).headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
});
