/** Messages are kept no longer than configured, and the privacy policy says how long. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expireMessages, keepMessagesFor } from '../../../src/privacy/expire-messages.server.ts';
import { eventually } from '../../support/eventually.ts';
import { ownContent } from '../../support/own-content.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;
const message = { name: 'Dana Whitfield', email: 'dana@example.com', message: 'Words of old.' };

const app = sharedTestApp({
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'web@example.com',
  MAIL_TO: 'desk@example.com',
  KEEP_MESSAGES_DAYS: '500',
});
afterEach(() => vi.useRealTimers());

const write = async () => (await app.visitor().post('/api/contact', message)).json.contact.id;
/** Sends a chat message and returns its conversation. */
const say = async (visitor = app.visitor()) => {
  await visitor.post('/api/teams-chat', message);
  return visitor.cookies.get('chat');
};

async function kept() {
  const { db } = app.database;
  const contacts = await db.selectFrom('contactSubmissions').select('id').orderBy('id').execute();
  const chats = await db.selectFrom('chatMessages').select('conversation').orderBy('id').execute();
  const deliveries = await db.selectFrom('outbox').select('topic').execute();
  return {
    contacts: contacts.map(({ id }) => id),
    chats: chats.map(({ conversation }) => conversation),
    topics: [...new Set(deliveries.map(({ topic }) => topic))].sort(),
  };
}

/** Expires messages older than `days`, as a server does on that day. */
async function onDay(day: number, days: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + day * DAY });
  await expireMessages(days, app.database.db);
  vi.useRealTimers();
}

describe('messages and conversations', () => {
  test('are erased with their notifications once their newest message is old enough', async () => {
    const contact = await write();
    const quiet = await say();
    const livelyVisitor = app.visitor();
    const lively = await say(livelyVisitor);
    const all = {
      contacts: [contact],
      chats: [quiet, lively],
      topics: [`conversation ${lively}`, `conversation ${quiet}`, `submission ${contact}`].sort(),
    };
    await onDay(29, 30);
    expect(await kept()).toEqual(all);
    await onDay(1000, 0);
    expect(await kept()).toEqual(all);

    await app.database.db
      .updateTable('chatMessages')
      .set({ createdAt: Date.now() - 5 * DAY })
      .execute();
    await say(livelyVisitor);
    await onDay(27, 30);
    expect(await kept()).toEqual({
      contacts: [contact],
      chats: [lively, lively],
      topics: [`conversation ${lively}`, `submission ${contact}`],
    });
    await onDay(31, 30);
    expect(await kept()).toEqual({ contacts: [], chats: [], topics: [] });
  });

  test('are erased in batches, by several servers at once', async () => {
    const { db } = app.database;
    const rows = [...Array(900).keys()];
    await db
      .insertInto('contactSubmissions')
      .values(rows.map((createdAt) => ({ ...message, mark: 'new' as const, createdAt })))
      .execute();
    const chat = { ...message, response: 'Thanks.', mark: 'new' as const };
    await db
      .insertInto('chatMessages')
      .values(rows.map((at) => ({ ...chat, conversation: `c${at % 3}`, createdAt: at })))
      .execute();
    const fresh = await write();
    let batches = 0;
    await expireMessages(30, db, () => batches++ >= 2);
    expect((await kept()).contacts.length).toBe(900 - 2 * 200 + 1);
    await Promise.all([1, 2, 3].map(() => expireMessages(30, db)));
    expect(await kept()).toMatchObject({ contacts: [fresh], chats: [] });
    await db.deleteFrom('contactSubmissions').execute();
  });

  test('are erased at the start and every hour; orders stay', async () => {
    const { db } = app.database;
    const { json } = await app.visitor().post('/api/create-payment-intent', {
      ...{ name: message.name, email: message.email, planId: 1, amount: 450 },
    });
    await db.updateTable('orders').set({ createdAt: 1 }).execute();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const keeping = keepMessagesFor(730, db);
    await keeping.start();
    await write();
    await db.updateTable('contactSubmissions').set({ createdAt: 1 }).execute();
    vi.advanceTimersByTime(HOUR);
    vi.useRealTimers();
    await eventually(async () => expect((await kept()).contacts).toEqual([]));
    await keeping.stop();

    await write();
    await db.updateTable('contactSubmissions').set({ createdAt: 1 }).execute();
    Object.assign(app, await app.restart());
    await eventually(async () => expect((await kept()).contacts).toEqual([]));
    const orders = await app.database.db.selectFrom('orders').select(['id', 'email']).execute();
    expect(orders).toEqual([{ id: json.orderId, email: message.email }]);
  });
});

test('quotes are erased with links and notifications some days after they expire; their orders stay', async () => {
  const { db } = app.database;
  const { name, email } = message;
  const wanted = { name, email, planId: 1, ms365Option: 'none', includeCloudBackup: false };
  const save = async () => {
    const { reference, url } = (await app.visitor().post('/api/quotes', wanted)).json;
    return { id: Number(reference.slice(2)), token: url.split('/').at(-1) };
  };
  const [left, paid] = [await save(), await save()];
  const buyer = app.visitor();
  const order = await buyer.post('/api/create-payment-intent', {
    ...{ ...wanted, amount: 450, quote: paid.token },
  });
  const { orderId, clientSecret } = order.json;
  await buyer.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  const stored = async () => {
    const quotes = await db.selectFrom('quotes').select('id').orderBy('id').execute();
    const links = await db.selectFrom('quoteLinks').select('quoteId').execute();
    const topics = (await kept()).topics.filter((topic) => topic.startsWith('quote '));
    return { quotes: quotes.map(({ id }) => id), links: links.length, topics };
  };
  const both = [left.id, paid.id];
  const all = { quotes: both, topics: both.map((id) => `quote ${id}`) };
  // A quote is valid for 30 days, then kept for 30 more.
  await onDay(59.9, 30);
  expect(await stored()).toMatchObject(all);
  await onDay(60.1, 30);
  expect(await stored()).toEqual({ quotes: [], links: 0, topics: [] });
  expect((await app.visitor().post('/api/quote', { token: left.token })).status).toBe(404);
  expect((await buyer.get(`/api/orders/${orderId}`)).json).toMatchObject({ status: 'paid', email });
});

test('the privacy policy says how long messages are kept, as configured', async () => {
  const { text } = await app.visitor().get('/privacy-policy');
  expect(text.replace(/<[^>]*>/g, '')).toContain('until 500 days have passed since the last one');
  expect(JSON.stringify(ownContent(0).texts)).toContain('"until you ask us to delete them"');
});
