/** What is refused costs little and is answered in few words, whatever was sent. */
import { expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { everyCall, makeScene } from '../../support/every-call.ts';
import { OWN_PASSWORD, sharedTestApp, startTestApp } from '../../support/test-app.ts';

const json = { 'Content-Type': 'application/json' };
const MOST_BYTES = 16 * 1024;
const app = sharedTestApp();

const many = (key: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [key(index), 1]));

test('64 KB of unknown fields are answered in a few words by every call', async () => {
  const scene = await makeScene(app);
  for (const { name, call, row } of everyCall(app)) {
    if (call.method === 'GET' || call.signed) continue;
    const path = row.path?.(scene) ?? call.path;
    for (const body of [many((index) => `<${index}`), { ['<'.repeat(60_000)]: 1 }]) {
      const { text } = await app.visitor().post(path, body);
      expect([name, text.length < MOST_BYTES, text.includes('<')]).toEqual([name, true, false]);
    }
  }
});

test('lists within lists, 30,000 levels deep, are refused by every call', async () => {
  const scene = await makeScene(app);
  const body = new TextEncoder().encode('['.repeat(30_000) + ']'.repeat(30_000));
  for (const { name, call, row } of everyCall(app)) {
    if (call.method === 'GET' || call.signed || !call.body) continue;
    const path = row.path?.(scene) ?? call.path;
    const { status } = await app.visitor().send(path, { method: 'POST', body, headers: json });
    expect([name, [400, 401].includes(status)]).toEqual([name, true]);
  }
});

test('a form of 64 KB is answered by its page, with no more of it than a field may hold', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const refusal = async (form: string) => {
    const body = new TextEncoder().encode(form);
    const sent = await app.visitor().send('/contact', { method: 'POST', body, headers });
    expect(sent.status).toBe(400);
    return sent.text.length;
  };
  const page = await refusal('website=&a=b');
  const fields = Array.from({ length: 9_000 }, (_, index) => `f${index}=`).join('&');
  expect(await refusal(fields)).toBeLessThan(page + 1_000);
  // Each of 5,000 stands in the field and in the page's data, escaped.
  expect(await refusal(`message=${'<'.repeat(65_000)}`)).toBeLessThan(page + 51_000);
});

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const WAYS: [path: string, allowed: number, headers: Record<string, string>, body: string][] = [
  ['/api/contact', 5, json, JSON.stringify(SAMPLE_MESSAGE)],
  ['/contact', 5, form, new URLSearchParams(SAMPLE_MESSAGE).toString()],
];

test.each(WAYS)(
  '%s looks at origin and limits before it reads anything',
  async (path, allowed, headers, body) => {
    const own = await startTestApp(OWN_PASSWORD);
    const visitor = own.visitor();
    const send = async (more: Record<string, string> = {}) => {
      const answered = await visitor.send(path, {
        method: 'POST',
        headers: { ...headers, ...more },
        body,
      });
      return answered.status;
    };
    // Of the wrong type, which would be found out next.
    const wrong = { 'Content-Type': 'text/plain' };
    expect(await send({ ...wrong, Origin: 'https://evil.example' })).toBe(403);
    expect(await send(wrong)).toBe(415);
    for (let sent = 0; sent < allowed; sent += 1) expect(await send()).toBe(200);
    expect(await send(wrong)).toBe(429);
    // What is refused unread counts toward the calls of a minute.
    for (let sent = 2; sent < 300; sent += 1) await send(wrong);
    expect((await visitor.get('/api/plans')).status).toBe(429);
    await own.stop();
  },
);
