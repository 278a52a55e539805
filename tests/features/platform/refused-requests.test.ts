/** What is refused costs little and is answered in few words, whatever was sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { everyCall, makeScene } from '../../support/every-call.ts';
import { OWN_PASSWORD, startTestApp, type TestApp } from '../../support/test-app.ts';

const MOST_BYTES = 16 * 1024;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

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

test.each(['/contact', '/safeguards-check'])(
  'a form of 64 KB at %s is answered by its page, with no more of it than a field may hold',
  async (path) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const refusal = async (form: string) => {
      const body = new TextEncoder().encode(form);
      const { status, text } = await app.visitor().send(path, { method: 'POST', body, headers });
      expect(status).toBe(400);
      return text.length;
    };
    const page = await refusal('website=&a=b');
    const fields = Array.from({ length: 9_000 }, (_, index) => `f${index}=`).join('&');
    expect(await refusal(fields)).toBeLessThan(page + 1_000);
    // Each of 5,000 stands in the field and in the page's data, escaped.
    for (const field of ['message', 'store'])
      expect(await refusal(`${field}=${'<'.repeat(65_000)}`)).toBeLessThan(page + 51_000);
  },
);

test('a missing field is named in words of its own', async () => {
  const { amount: _, ...order } = SAMPLE_ORDER;
  const { status, json } = await app.visitor().post('/api/create-payment-intent', order);
  expect([status, json]).toEqual([
    400,
    { message: 'Amount is required', errors: [{ path: 'amount', message: 'Amount is required' }] },
  ]);
});

test('a used allowance is refused before the body is read', async () => {
  const own = await startTestApp(OWN_PASSWORD);
  const visitor = own.visitor();
  for (let sent = 0; sent < 5; sent += 1) await visitor.post('/api/contact', SAMPLE_MESSAGE);
  // Of the wrong type, which is found out when the body is read.
  const beyond = await visitor.send('/api/contact', { method: 'POST', headers: {} });
  expect(beyond.status).toBe(429);
  await own.stop();
});
