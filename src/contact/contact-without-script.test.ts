import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWN_PASSWORD, startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';

const FORM = {
  name: 'Ann Moore',
  email: 'ann@lakeside.example',
  phone: '',
  service: 'cloud',
  message: 'Please call me about backups.',
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(OWN_PASSWORD);
});
afterAll(() => app.stop());

function post(fields: Record<string, string>, headers = {}, visitor: Visitor = app.visitor()) {
  return visitor.send('/contact', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: app.address,
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
}

const stored = () =>
  app.database.db.selectFrom('contactSubmissions').selectAll().orderBy('id').execute();

describe('the contact form without script', () => {
  test('stores the message and thanks with a page that nobody keeps', async () => {
    const { status, headers, text } = await post(FORM);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    const row = (await stored()).at(-1);
    expect(row).toMatchObject({
      name: 'Ann Moore',
      phone: null,
      service: 'cloud',
      message: 'Please call me about backups.',
      mark: 'new',
    });
    expect(text).toContain('Message Sent Successfully!');
    expect(text).toContain('Thank you for your message. We&#x27;ll get back to you soon.');
    expect(text).toContain(`C-${row?.id}`);
  });

  test('sends a faulty message back with its faults and everything that was typed', async () => {
    const before = (await stored()).length;
    const typed = { ...FORM, name: 'A', email: '"><script>alert(1)</script>', message: 'short' };
    const { status, text } = await post(typed);
    expect(status).toBe(400);
    expect(text).toContain('Name must be at least 2 characters');
    expect(text).toContain('Please enter a valid email address');
    expect(text).toContain('Message must be at least 10 characters');
    expect(text).toContain('value="A"');
    expect(text).toContain('>short</textarea>');
    expect(text).toMatch(/<option value="cloud" selected="">/);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(text).not.toContain('<script>alert(1)');
    expect(await stored()).toHaveLength(before);
  });

  test('shares its limit with the form that has script, and says when to try again', async () => {
    const visitor = app.visitor();
    for (let count = 0; count < 5; count += 1) await visitor.post('/api/contact', FORM);
    const { status, headers, text } = await post(FORM, {}, visitor);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(text).toContain('Too many requests. Please try again in 60 seconds.');
    expect(text).toContain('What you wrote is still in the form');
    // The same for everybody, or each refusal would cost a rendering.
    expect(text).not.toContain('Please call me about backups.');
    expect((await post({ ...FORM, name: 'Bo Ek' }, {}, visitor)).text).toBe(text);
  });

  test('its address leads to the form', async () => {
    const { status, headers } = await app.visitor().get('/contact');
    expect(status).toBe(302);
    expect(headers.get('location')).toBe('/#contact');
  });

  test('the page that is asked for stands ready for it', async () => {
    const { text } = await app.visitor().get('/');
    expect(text).toMatch(/<form [^>]*method="post"/);
    expect(text).toMatch(/<form [^>]*action="\/contact"/);
    expect(text).not.toContain('noValidate');
  });
});

describe('when the database fails', () => {
  test('call and form say so, and nothing breaks', async () => {
    const broken = await startTestApp();
    await broken.database.db.schema.dropTable('contactSubmissions').execute();
    const call = await broken.visitor().post('/api/contact', FORM);
    expect(call.status).toBe(500);
    expect(call.json).toEqual({ message: 'Something went wrong on our end. Please try again.' });
    const form = await broken.visitor().send('/contact', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(FORM).toString(),
    });
    expect(form.status).toBe(500);
    expect(form.text).toContain('Something went wrong on our end.');
    expect(form.text).toContain('Please call me about backups.');
    expect((await broken.visitor().get('/')).status).toBe(200);
    await broken.stop();
  });
});
