import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { OWN_PASSWORD, startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { MessageBudget } from '../platform/message-limits.server.ts';
import { receiveMessage } from './contact-message.server.ts';

const MESSAGE = {
  name: 'Ann Moore',
  email: 'ann@lakeside.example',
  phone: '(770) 555-0134',
  service: 'voip',
  message: 'Our phones drop calls.\nCan you look?',
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(OWN_PASSWORD);
});
afterAll(() => app.stop());

const send = (body: unknown) => app.visitor().post('/api/contact', body);
const stored = () =>
  app.database.db.selectFrom('contactSubmissions').selectAll().orderBy('id').execute();
const lastStored = async () => (await stored()).at(-1);

describe('a contact message', () => {
  test('is stored as it was written and answered with its reference', async () => {
    const { status, json } = await send(MESSAGE);
    expect(status).toBe(200);
    expect(json.contact).toEqual({
      id: expect.any(Number),
      ...MESSAGE,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(json.reference).toBe(`C-${json.contact.id}`);
    const { createdAt, ...row } = (await lastStored()) ?? {};
    expect(row).toEqual({ id: json.contact.id, ...MESSAGE, mark: 'new' });
    expect(createdAt).toBe(Date.parse(json.contact.createdAt));
  });

  test('that the browser posts twice, as a form without script does when it is pressed twice, is one message', async () => {
    const body = { ...MESSAGE, message: 'Pressed twice at once.' };
    const visitor = app.visitor();
    const answers = await Promise.all([1, 2].map(() => visitor.post('/api/contact', body)));
    const [first, second] = answers.map(({ json }) => json.reference);
    expect(second).toBe(first);
    const other = await visitor.post('/api/contact', { ...body, phone: '(770) 555-0135' });
    expect(other.json.reference).not.toBe(first);
    const rows = (await stored()).filter(({ message }) => message === body.message);
    expect(rows).toHaveLength(2);
  });

  test('needs neither phone nor service, however their absence is said', async () => {
    const { name, email, message } = MESSAGE;
    for (const absent of [{}, { phone: '', service: '' }, { phone: null, service: null }]) {
      const { status, json } = await send({ name, email, message, ...absent });
      expect(status).toBe(200);
      expect(json.contact).toMatchObject({ phone: null, service: null });
    }
  });

  test.each([
    ['a name of one letter', { name: 'A' }, 'name', 'Name must be at least 2 characters'],
    ['a long name', { name: 'x'.repeat(101) }, 'name', 'Please use at most 100 characters'],
    ['no email', { email: '' }, 'email', 'Please enter a valid email address'],
    [
      'a phone of 9 digits',
      { phone: '+1 (770) 555-01' },
      'phone',
      'Please enter at least 10 digits for your phone number',
    ],
    [
      'a service that is not offered',
      { service: 'plumbing' },
      'service',
      'Please select a service from the list',
    ],
    [
      'a short message',
      { message: '123456789 ' },
      'message',
      'Message must be at least 10 characters',
    ],
    [
      'a long message',
      { message: 'x'.repeat(5001) },
      'message',
      'Please use at most 5000 characters',
    ],
    [
      'a control character',
      { name: 'Ann\u0007Moore' },
      'name',
      'Please remove characters that can’t be displayed',
    ],
    [
      'a line break in the name',
      { name: 'Ann\nMoore' },
      'name',
      'Please remove characters that can’t be displayed',
    ],
  ])('with %s is refused at its field and not stored', async (_, change, path, message) => {
    const before = (await stored()).length;
    const { status, json } = await send({ ...MESSAGE, ...change });
    expect(status).toBe(400);
    expect(json).toEqual({ message, errors: [{ path, message }] });
    expect(await stored()).toHaveLength(before);
  });

  test.each([
    ['the shortest name', { name: 'Bo' }],
    ['a phone with 10 digits in any format', { phone: 'tel. 770.555.0134' }],
    ['the longest message', { message: 'x'.repeat(5000) }],
    ['a name in another script', { name: 'Łukasz 村上' }],
  ])('with %s is taken', async (_, change) => {
    expect((await send({ ...MESSAGE, ...change })).status).toBe(200);
    expect(await lastStored()).toMatchObject(change);
  });

  test('with a field that nobody asked for is refused', async () => {
    expect((await send({ ...MESSAGE, mark: 'answered' })).status).toBe(400);
  });

  test.each([
    ['two links', 'Our sites: https://a.example, www.b.example', 'new'],
    ['three links', 'http://a.example http://b.example www.c.example', 'spam'],
    ['markup of a link', 'Buy <a href="//a.example">here</a>', 'spam'],
  ])(
    'that holds %s gets the same answer, and a mark that only staff see',
    async (_, message, mark) => {
      const { status, json } = await send({ ...MESSAGE, message });
      expect(status).toBe(200);
      expect(Object.keys(json.contact)).toEqual([
        'id',
        'name',
        'email',
        'phone',
        'service',
        'message',
        'createdAt',
      ]);
      expect(await lastStored()).toMatchObject({ id: json.contact.id, mark });
    },
  );

  test('is not stored when staff cannot be notified of it', async () => {
    const { db } = app.database;
    const before = (await stored()).length;
    const call = receiveMessage({
      db,
      budget: new MessageBudget('(770) 555-0100'),
      notify: async () => {
        throw new Error('the outbox is full');
      },
    });
    const request = {
      body: { ...MESSAGE, message: 'The outbox is full today.' },
      params: {},
      query: new URLSearchParams(),
      headers: new Headers(),
      address: '10.1.1.1',
      limitKey: '10.1.1.1',
      staff: null,
      accept: () => undefined,
    };
    await expect(async () => call.handle(request)).rejects.toThrow('the outbox is full');
    expect(await stored()).toHaveLength(before);
    expect((await send(MESSAGE)).status).toBe(200);
  });
});

describe('the limits on contact messages', () => {
  test('one address sends 5 a minute; another is not held back', async () => {
    const visitor = app.visitor();
    for (let count = 0; count < 5; count += 1) {
      expect((await visitor.post('/api/contact', MESSAGE)).status).toBe(200);
    }
    const refused = await visitor.post('/api/contact', MESSAGE);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.json.message).toBe(`Too many requests. Please try again in ${seconds} seconds.`);
    expect((await send(MESSAGE)).status).toBe(200);
  });

  test('and 30 an hour', async () => {
    const visitor = app.visitor();
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (let minute = 0; minute < 6; minute += 1) {
        for (let count = 0; count < 5; count += 1) {
          expect((await visitor.post('/api/contact', MESSAGE)).status).toBe(200);
        }
        vi.setSystemTime(Date.now() + 61_000);
      }
      const refused = await visitor.post('/api/contact', MESSAGE);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50 * 60);
      expect(refused.json.message).toMatch(/Please try again in \d\d minutes\.$/);
    } finally {
      vi.useRealTimers();
    }
  });
});
