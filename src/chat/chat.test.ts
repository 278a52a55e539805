import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import { OWN_PASSWORD, startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { Cookies } from '../platform/http/cookies.server.ts';
import { MessageBudget } from '../platform/message-limits.server.ts';
import { answerVisitor } from './chat-message.server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(OWN_PASSWORD);
});
afterAll(() => app.stop());

const send = (body: unknown) => app.visitor().post('/api/teams-chat', body);
const stored = () => app.database.db.selectFrom('chatMessages').selectAll().orderBy('id').execute();

describe('a chat message', () => {
  test('is stored with its answer, and answered with a reference', async () => {
    const { status, json } = await send({
      message: ' Do you support Reynolds? ',
      name: 'Ann',
      email: 'ann@lakeside.example',
    });
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['response', 'reference']);
    const row = (await stored()).at(-1);
    expect(row).toMatchObject({
      name: 'Ann',
      email: 'ann@lakeside.example',
      message: 'Do you support Reynolds?',
      response: json.response,
      mark: 'new',
    });
    expect(json.reference).toBe(`T-${row?.id}`);
    expect(json.response).toMatch(/^Thank you, Ann\..*ann@lakeside\.example\.$/s);
  });

  test('needs no name and no email', async () => {
    for (const who of [{}, { name: '', email: '' }, { name: null, email: null }]) {
      const { status, json } = await send({ message: 'Hello', ...who });
      expect(status).toBe(200);
      expect(json.response).toMatch(/^Thank you\. /);
      expect((await stored()).at(-1)).toMatchObject({ name: null, email: null });
    }
  });

  test('joins the conversation of its browser for 30 days; another browser begins its own', async () => {
    const visitor = app.visitor();
    const first = await visitor.post('/api/teams-chat', { message: 'One' });
    expect(first.headers.get('set-cookie')).toMatch(
      /^chat=[\w-]{36}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    await visitor.post('/api/teams-chat', { message: 'Two' });
    await send({ message: 'Three' });
    const [one, two, three] = (await stored()).slice(-3);
    expect(two?.conversation).toBe(one?.conversation);
    expect(three?.conversation).not.toBe(one?.conversation);
  });

  test('with a cookie that this server never set begins a conversation', async () => {
    const visitor = app.visitor();
    visitor.cookies.set('chat', '1');
    expect((await visitor.post('/api/teams-chat', { message: 'Hi' })).status).toBe(200);
    expect((await stored()).at(-1)?.conversation).toMatch(/^[\w-]{36}$/);
  });

  test.each([
    ['nothing in it', { message: '' }, 'message', 'Message is required'],
    ['only spaces in it', { message: ' \n ' }, 'message', 'Message is required'],
    [
      'too much in it',
      { message: 'x'.repeat(2001) },
      'message',
      'Please use at most 2000 characters',
    ],
    [
      'U+0000 in it',
      { message: 'a\u0000b' },
      'message',
      'Please remove characters that can’t be displayed',
    ],
    [
      'a faulty email',
      { message: 'Hi', email: 'ann@x' },
      'email',
      'Please enter a valid email address',
    ],
    [
      'a line break in the name',
      { message: 'Hi', name: 'A\nB' },
      'name',
      'Please remove characters that can’t be displayed',
    ],
  ])('with %s is refused and not stored', async (_, body, path, message) => {
    const before = (await stored()).length;
    const { status, json } = await send(body);
    expect(status).toBe(400);
    expect(json).toEqual({ message, errors: [{ path, message }] });
    expect(await stored()).toHaveLength(before);
  });

  test.each([
    ['link markup', '[url=https://x.example]x[/url]', 'spam'],
    ['two links', 'see www.x.example and https://y.example', 'new'],
  ])('with %s is answered like any other and marked for staff', async (_, message, mark) => {
    const { status, json } = await send({ message });
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['response', 'reference']);
    expect((await stored()).at(-1)?.mark).toBe(mark);
  });

  test('is not stored when staff cannot be notified of it', async () => {
    const before = (await stored()).length;
    const call = answerVisitor({
      db: app.database.db,
      cookies: new Cookies(false),
      budget: new MessageBudget('(770) 555-0100'),
      company: ownContent().company,
      notify: async () => {
        throw new Error('the outbox is full');
      },
    });
    const request = {
      body: { message: 'Hello', name: null, email: null },
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
  });

  test('is taken 20 times a minute from one address; another is not held back', async () => {
    const visitor = app.visitor();
    for (let count = 0; count < 20; count += 1) {
      expect((await visitor.post('/api/teams-chat', { message: 'Hi' })).status).toBe(200);
    }
    const refused = await visitor.post('/api/teams-chat', { message: 'Hi' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.json.message).toMatch(
      /^Too many requests\. Please try again in \d+ seconds?\.$/,
    );
    expect((await send({ message: 'Hi' })).status).toBe(200);
  });
});
