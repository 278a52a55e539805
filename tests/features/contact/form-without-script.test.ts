/** The contact form sent without script passes the same checks as POST /api/contact. */
import { describe, expect, test } from 'vitest';
import { storedMessages } from '../../support/stored-messages.ts';
import { WITH_MAIL } from '../../support/stripe-shop.ts';
import { OWN_PASSWORD, ownTestApp, sharedTestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

const GOOD = {
  name: 'Jane Doe',
  email: 'jane@dealer.example',
  service: 'cloud',
  message: 'Our phones are down.',
};

const send = (visitor: Visitor, fields: object, headers: Record<string, string> = {}) =>
  visitor.send('/contact', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ ...fields }).toString(),
  });

describe('POST /contact', () => {
  const app = sharedTestApp(OWN_PASSWORD);
  const stored = () => storedMessages(app, 'contact');

  test('saves the message and answers with a page that is not cached', async () => {
    const origin = { Origin: app.address };
    const { status, headers, text } = await send(app.visitor(), { ...GOOD, phone: '' }, origin);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    const row = (await stored()).at(-1);
    expect(row).toMatchObject({ ...GOOD, phone: null, status: 'new' });
    expect(text).toContain('Message Sent Successfully!');
    expect(text).toContain('Thank you for your message. We&#x27;ll get back to you soon.');
    expect(text).toContain(`C-${row?.id}`);
  });

  test('takes its own five fields, whatever an extension of the browser adds to the form', async () => {
    const body = `${new URLSearchParams(GOOD)}&website=https://x.example&email=other@example.com`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = await app.visitor().send('/contact', { method: 'POST', headers, body });
    expect(sent.status).toBe(200);
    expect((await stored()).at(-1)).toMatchObject(GOOD);
  });

  test('returns an invalid message with its errors and everything typed, escaped', async () => {
    const before = await stored();
    const email = '"><script>alert(1)</script>';
    const message = '</script>';
    const { text } = await send(app.visitor(), { ...GOOD, name: 'A', email, message });
    for (const words of [
      'Name must be at least 2 characters',
      'Please enter a valid email address',
      'Message must be at least 10 characters',
      'value="A"',
      '<option value="cloud" selected="">',
      'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('<script>alert(1)');
    expect(await stored()).toEqual(before);
  });

  test('refuses what the call refuses, and saves nothing', async () => {
    const session = `session=${'s'.repeat(43)}`;
    const cases: [number, object, Record<string, string>][] = [
      [403, GOOD, { Origin: 'https://evil.example' }],
      [403, GOOD, { Origin: 'null', Cookie: session }],
      [415, GOOD, { 'Content-Type': 'text/plain' }],
      [415, GOOD, { 'Content-Type': 'multipart/form-data; boundary=x' }],
      [413, { ...GOOD, message: 'x'.repeat(70_000) }, {}],
      [400, { ...GOOD, service: 'none of them' }, {}],
      [400, {}, {}],
    ];
    const before = await stored();
    for (const [status, fields, headers] of cases) {
      const answered = await send(app.visitor(), fields, headers);
      expect(answered.status, JSON.stringify(headers)).toBe(status);
      expect(Object.fromEntries(answered.headers)).toMatchObject({
        'content-type': `text/${status === 400 ? 'html' : 'plain'}; charset=utf-8`,
        'cache-control': expect.stringMatching(/^no-store/),
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
    }
    expect(await stored()).toEqual(before);
  });

  test('shares the call’s limit, and says when to try again', async () => {
    const visitor = app.visitor();
    for (let i = 0; i < 5; i += 1) await visitor.post('/api/contact', GOOD);
    const { status, headers, text } = await send(visitor, GOOD);
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(text).toMatch(/Too many requests\. Please try again in \d+ seconds\./);
    expect(text).toContain('What you wrote is still in the form');
    // A page would cost a rendering each time.
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });
});

test('if a notification cannot be stored, nothing is; calls and form say so, and the form keeps what was typed', async () => {
  const broken = await ownTestApp(WITH_MAIL);
  await broken.database.db.schema.dropTable('outbox').execute();
  const message = 'Something went wrong on our end. Please try again.';
  for (const path of ['/api/contact', '/api/teams-chat']) {
    const { message: text, name, email } = GOOD;
    const { status, json } = await broken.visitor().post(path, { name, email, message: text });
    expect([path, status, json]).toEqual([path, 500, { message }]);
  }
  const form = await send(broken.visitor(), GOOD);
  expect(form.status).toBe(500);
  for (const words of ['Something went wrong on our end.', GOOD.message])
    expect(form.text).toContain(words);
  expect(await broken.database.db.selectFrom('threads').select('id').execute()).toEqual([]);
});
