import { describe, expect, test } from 'vitest';
import { callDirectly } from '../../tests/support/call-directly.ts';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';
import { MessageBudget } from '../platform/message-limits.server.ts';
import { receiveContactMessage } from './contact-message.server.ts';

const MESSAGE = {
  name: 'Ann Moore',
  email: 'ann@lakeside.example',
  phone: '(770) 555-0134',
  service: 'voip',
  message: 'Our phones drop calls.\nCan you look?',
};

const app = sharedTestApp(OWN_PASSWORD);

const send = (body: unknown) => app.visitor().post('/api/contact', body);
const stored = () =>
  app.database.db.selectFrom('contactSubmissions').selectAll().orderBy('id').execute();
const lastStored = async () => (await stored()).at(-1);

describe('a contact message', () => {
  test('is saved as written and answered with its reference', async () => {
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

  test('that is posted twice in a minute, as by two presses without script, is saved once', async () => {
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

  test('needs neither phone nor service: missing, empty or null', async () => {
    const { name, email, message } = MESSAGE;
    for (const absent of [{}, { phone: '', service: '' }, { phone: null, service: null }]) {
      const { status, json } = await send({ name, email, message, ...absent });
      expect(status).toBe(200);
      expect(json.contact).toMatchObject({ phone: null, service: null });
    }
  });

  test.each([
    [{ name: 'A' }, 'name', 'Name must be at least 2 characters'],
    [{ phone: '555-01' }, 'phone', 'Please enter at least 10 digits for your phone number'],
    [{ service: 'plumbing' }, 'service', 'Please select a service from the list'],
    [{ message: '123456789 ' }, 'message', 'Message must be at least 10 characters'],
  ])('with %j is refused at its field and not saved', async (change, path, message) => {
    const before = await stored();
    const { status, json } = await send({ ...MESSAGE, ...change });
    expect([status, json]).toEqual([400, { message, errors: [{ path, message }] }]);
    expect(await stored()).toEqual(before);
  });

  test('may have the longest text, a name in another script, and a phone in any format', async () => {
    const message = 'x'.repeat(5000);
    const change = { name: 'Łukasz 村上', phone: 'tel. 770.555.0134', message };
    expect((await send({ ...MESSAGE, ...change })).status).toBe(200);
    expect(await lastStored()).toMatchObject(change);
  });

  test('that looks like spam is answered as usual and marked for staff', async () => {
    const message = 'http://a.example http://b.example www.c.example';
    const { status, json } = await send({ ...MESSAGE, message });
    expect(status).toBe(200);
    expect(json.contact).not.toHaveProperty('mark');
    expect(await lastStored()).toMatchObject({ id: json.contact.id, mark: 'spam' });
  });

  test('is not saved if its notification cannot be saved', async () => {
    const before = await stored();
    const call = receiveContactMessage({
      db: app.database.db,
      budget: new MessageBudget('(770) 555-0100'),
      notify: async () => {
        throw new Error('the outbox is full');
      },
    });
    const body = { ...MESSAGE, message: 'The outbox is full today.' };
    const sending = callDirectly([call], 'POST /api/contact', { body });
    await expect(sending).rejects.toThrow('the outbox is full');
    expect(await stored()).toEqual(before);
  });
});

test('a site without Teams and mail accepts messages and orders, and leaves nothing waiting in the outbox', async () => {
  const visitor = app.visitor();
  expect((await visitor.post('/api/contact', MESSAGE)).status).toBe(200);
  expect((await visitor.post('/api/create-payment-intent', SAMPLE_ORDER)).status).toBe(200);
  expect(await app.database.db.selectFrom('outbox').selectAll().execute()).toEqual([]);
});
