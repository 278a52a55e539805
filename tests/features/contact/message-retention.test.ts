/** Messages are kept no longer than configured, and the privacy policy says how long. */

import { describe, expect, test, vi } from 'vitest';
import { readEnv } from '../../../src/env.server.ts';
import { expireMessages, keepMessages } from '../../../src/privacy/expire-messages.server.ts';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { eventually } from '../../support/eventually.ts';
import { tablesWith } from '../../support/every-row.ts';
import { ownContent } from '../../support/own-content.ts';
import { orderByQuote, QUOTE } from '../../support/quote-site.ts';
import { siteWith } from '../../support/site-with.ts';
import { DEMO } from '../../support/staff-steps.ts';
import { storedMessages } from '../../support/stored-messages.ts';
import { WITH_MAIL } from '../../support/stripe-shop.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;
const message = { name: 'Dana Whitfield', email: 'dana@example.com', message: 'Words of old.' };

const app = sharedTestApp({ ...WITH_MAIL, KEEP_MESSAGES_DAYS: '500' });

const write = async () => (await app.visitor().post('/api/contact', message)).json.contact.id;
/** Sends a chat message and returns the id of its thread. */
const say = async (visitor = app.visitor()) => {
  await visitor.post('/api/teams-chat', message);
  return (await storedMessages(app, 'chat')).at(-1)?.conversation;
};

async function kept() {
  const { db } = app.database;
  const contacts = await storedMessages(app, 'contact');
  const chats = await storedMessages(app, 'chat');
  const topics = await db.selectFrom('outbox').select('topic').distinct().execute();
  return {
    contacts: contacts.map(({ id }) => id),
    chats: chats.map(({ conversation }) => conversation),
    topics: topics.map(({ topic }) => topic).sort(),
  };
}
/** Makes every contact message as old as possible. */
const ageContacts = () => app.database.db.updateTable('threads').set({ lastAt: 1 }).execute();

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
      topics: [`thread ${lively}`, `thread ${quiet}`, `thread ${contact}`].sort(),
    };
    await onDay(29, 30);
    expect(await kept()).toEqual(all);
    await onDay(1000, 0);
    expect(await kept()).toEqual(all);

    const lastAt = Date.now() - 5 * DAY;
    const chats = app.database.db.updateTable('threads').set({ lastAt });
    await chats.where('kind', '=', 'chat').execute();
    await say(livelyVisitor);
    await onDay(27, 30);
    expect(await kept()).toEqual({
      contacts: [contact],
      chats: [lively, lively],
      topics: [`thread ${lively}`, `thread ${contact}`].sort(),
    });
    await onDay(31, 30);
    expect(await kept()).toEqual({ contacts: [], chats: [], topics: [] });
  });

  test('are erased at the start and every hour; orders stay', async () => {
    const { db } = app.database;
    const { json } = await app.visitor().post('/api/create-payment-intent', SAMPLE_ORDER);
    await db.updateTable('orders').set({ createdAt: 1 }).execute();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const keeping = keepMessages(siteWith({ env: readEnv({}), db }));
    await keeping.start();
    await write();
    await ageContacts();
    vi.advanceTimersByTime(HOUR);
    vi.useRealTimers();
    await eventually(async () => expect((await kept()).contacts).toEqual([]));
    await keeping.stop();

    await write();
    await ageContacts();
    Object.assign(app, await app.restart());
    await eventually(async () => expect((await kept()).contacts).toEqual([]));
    const orders = await app.database.db.selectFrom('orders').select(['id', 'email']).execute();
    expect(orders).toEqual([{ id: json.orderId, email: SAMPLE_ORDER.email }]);
  });
});

test('quotes are erased with links and notifications some days after they expire; their orders stay', async () => {
  const { db } = app.database;
  const save = async () => {
    const { reference, url } = (await app.visitor().post('/api/quotes', QUOTE)).json;
    return { id: Number(reference.replace(/\D/g, '')), token: url.split('/').at(-1) };
  };
  const [left, paid] = [await save(), await save()];
  const buyer = app.visitor();
  const order = await buyer.post('/api/create-payment-intent', orderByQuote(paid.token));
  const { orderId, clientSecret } = order.json;
  await buyer.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  const stored = async () => {
    const quotes = await db.selectFrom('quotes').select('id').orderBy('id').execute();
    const links = await db.selectFrom('quoteLinks').select('quoteId').execute();
    const topics = (await kept()).topics.filter((topic) => topic.startsWith('quote '));
    return { quotes: quotes.map(({ id }) => id), links: links.length, topics };
  };
  const quotes = [left.id, paid.id];
  // A quote is valid until its thirtieth day ends, then kept for 30 more.
  await onDay(59.9, 30);
  expect(await stored()).toMatchObject({ quotes, topics: quotes.map((id) => `quote ${id}`) });
  await onDay(61.1, 30);
  expect(await stored()).toEqual({ quotes: [], links: 0, topics: [] });
  expect((await app.visitor().post('/api/quote', { token: left.token })).status).toBe(404);
  const { email } = SAMPLE_ORDER;
  expect((await buyer.get(`/api/orders/${orderId}`)).json).toMatchObject({ status: 'paid', email });
});

test('a start deletes addresses that only asked for an email after a day, ended sessions, and log lines after two days', async () => {
  const [yesterday, today] = ['of-yesterday', 'of-today'];
  const email = `${yesterday}@example.com`;
  const ask = (path: string, body: object, agent = '') =>
    app.visitor().post(path, body, { 'User-Agent': agent });
  for (const name of [yesterday, today]) {
    const of = { email: `${name}@example.com` };
    await ask('/api/safeguards-report', { ...of, answers: { consumers: 'yes' } });
    await ask('/api/order-page/links', of);
    await ask('/api/admin/login', DEMO, name);
  }
  // Stores the log.
  await (await app.staff()).get('/api/admin/logs');
  const { db } = app.database;
  const createdAt = Date.now() - DAY;
  for (const table of ['safeguardsReports', 'orderLinkRequests'] as const)
    await db.updateTable(table).set({ createdAt }).where('email', '=', email).execute();
  const recipients = db.updateTable('mailRecipients').set({ since: createdAt });
  await recipients.where('email', '=', email).execute();
  const sessions = db.updateTable('sessions').set({ createdAt: Date.now() - 12 * HOUR });
  await sessions.where('userAgent', '=', yesterday).execute();
  const lines = db.updateTable('accessLog').set({ at: Date.now() - 2 * DAY });
  await lines.where('userAgent', '=', yesterday).execute();
  const tables = 'accessLog mailRecipients orderLinkRequests safeguardsReports sessions'.split(' ');
  expect(await tablesWith(app.database, yesterday)).toEqual(tables);
  Object.assign(app, await app.restart());
  await eventually(async () => expect(await tablesWith(app.database, yesterday)).toEqual([]));
  expect(await tablesWith(app.database, today)).toEqual(tables);
});

test('the privacy policy says how long messages are kept, as configured', async () => {
  const { text } = await app.visitor().get('/privacy-policy');
  expect(text.replace(/<[^>]*>/g, '')).toContain('until 500 days have passed since the last one');
  expect(JSON.stringify(ownContent(0).texts)).toContain('"until you ask us to delete them"');
});
