/** The contact form as a plain browser sends it passes the same checks as the call that scripts use. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWN_PASSWORD, startTestApp, type TestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

const FORM = 'application/x-www-form-urlencoded';
const GOOD = { name: 'Jane Doe', email: 'jane@dealer.example', message: 'Our phones are down.' };

describe('POST /contact', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(OWN_PASSWORD);
  });
  afterAll(() => app.stop());

  const send = (visitor: Visitor, fields: object, headers: Record<string, string> = {}) =>
    visitor.send('/contact', {
      method: 'POST',
      headers: { Origin: app.address, 'Content-Type': FORM, ...headers },
      body: new URLSearchParams({ ...fields }).toString(),
    });
  const stored = () =>
    app.database.db.selectFrom('contactSubmissions').selectAll().orderBy('id').execute();

  test('is refused as the call is, with a page, and stores nothing', async () => {
    const session = `session=${'s'.repeat(43)}`;
    const cases: [number, object, Record<string, string>][] = [
      [403, GOOD, { Origin: 'https://evil.example' }],
      [403, GOOD, { 'Sec-Fetch-Site': 'cross-site' }],
      [403, GOOD, { Origin: 'null', Cookie: session }],
      [415, GOOD, { 'Content-Type': 'text/plain' }],
      [415, GOOD, { 'Content-Type': 'multipart/form-data; boundary=x' }],
      [415, GOOD, { 'Content-Type': `${FORM}, application/json` }],
      [413, { ...GOOD, message: 'x'.repeat(70_000) }, {}],
      [400, { ...GOOD, message: 'short' }, {}],
      [400, { ...GOOD, message: 'a\u0000 message with a hole' }, {}],
      [400, { ...GOOD, service: 'none of them' }, {}],
      [400, {}, {}],
    ];
    const before = await stored();
    for (const [status, fields, headers] of cases) {
      const answered = await send(app.visitor(), fields, headers);
      expect([status, answered.status, headers]).toEqual([status, status, headers]);
      expect(answered.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answered.headers.get('cache-control')).toBe('no-store');
      expect(answered.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect(await stored()).toEqual(before);
  });

  test('shows what was written as text, and takes no field that it does not know', async () => {
    const name = '<img src=x onerror=alert(1)>"\'';
    const fields = { ...GOOD, name, message: '</script><script>alert(1)</script>', email: 'x' };
    const { status, text } = await send(app.visitor(), { ...fields, mark: 'answered', id: '1' });
    expect(status).toBe(400);
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('<script>alert');
    const { status: taken } = await send(app.visitor(), { ...GOOD, mark: 'answered', id: '1' });
    expect(taken).toBe(200);
    expect((await stored()).at(-1)).toMatchObject({ mark: 'new', ...GOOD });
  });

  test('counts towards the same limit as the call, unless it is refused', async () => {
    const visitor = app.visitor();
    for (let i = 0; i < 6; i += 1)
      expect((await send(visitor, { ...GOOD, message: '' })).status).toBe(400);
    for (let i = 0; i < 3; i += 1) expect((await send(visitor, GOOD)).status).toBe(200);
    for (let i = 0; i < 2; i += 1)
      expect((await visitor.post('/api/contact', GOOD)).status).toBe(200);
    const { status, headers } = await send(visitor, GOOD);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is known by its exact address and method alone', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      expect((await app.visitor().send('/contact', { method })).status).toBe(405);
    }
    expect((await app.visitor().send('/contact/x', { method: 'POST' })).status).toBe(405);
  });
});
