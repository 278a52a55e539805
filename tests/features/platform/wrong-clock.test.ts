/** What a clock that was a week ahead left behind holds nobody up once it is right again. */
import { expect, test, vi } from 'vitest';
import { getOrder } from '../../../src/billing/order-store.server.ts';
import { accessLink } from '../../../src/orders/order-access.server.ts';
import { DAY_MS } from '../../../src/platform/time.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { customer } from '../../support/own-page.ts';
import { QUOTE } from '../../support/quote-site.ts';
import { OWN_PASSWORD } from '../../support/test-app.ts';

const site = notifiedSite('each test', OWN_PASSWORD);
const AHEAD_MS = 7 * DAY_MS;

async function whileAhead<Done>(act: () => Promise<Done>): Promise<Done> {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + AHEAD_MS });
  const done = await act();
  vi.setSystemTime(now);
  return done;
}

test('a customer who asked for links then is sent new ones now', async () => {
  await customer(site.app);
  const ask = () => site.app.visitor().post('/api/order-page/links', { email: SAMPLE_ORDER.email });
  const links = () =>
    site.subjects(SAMPLE_ORDER.email).filter((subject) => subject.startsWith('Your orders at'));
  await whileAhead(ask);
  await expect.poll(links).toHaveLength(1);
  await ask();
  await expect.poll(links).toHaveLength(2);
});

test('a link that was mailed then opens nothing now', async () => {
  const { orderId, token } = await customer(site.app);
  const { db } = site.app.database;
  const order = await getOrder(db, { id: orderId });
  const url = await whileAhead(() => accessLink({ db, publicUrl: site.app.address }, order));
  const access = new URL(url).hash.split('/access/')[1];
  const opened = await site.app.visitor().post('/api/order-page/open', { token, access });
  expect(opened.status).toBe(409);
});

test('a mailbox that had its mails of the day then gets one now', async () => {
  const save = (by = site.app.visitor()) => by.post('/api/quotes', QUOTE);
  await whileAhead(async () => {
    for (let count = 0; count < 5; count += 1) expect((await save()).status).toBe(201);
    expect((await save()).status).toBe(429);
  });
  expect((await save()).status).toBe(201);
});

test('a visitor who sent what an hour allows then can send more now', async () => {
  const visitor = site.app.visitor();
  const write = () => visitor.post('/api/contact', SAMPLE_MESSAGE);
  await whileAhead(async () => {
    for (let count = 0; count < 5; count += 1) await write();
    expect((await write()).status).toBe(429);
  });
  expect((await write()).status).toBe(200);
});

test('a customer whose plan was being changed then can change it now', async () => {
  const { orderId, ask } = await customer(site.app);
  const until = Date.now() + AHEAD_MS;
  await site.app.database.db.insertInto('orderClaims').values({ orderId, until }).execute();
  expect((await ask('cancel')).status).toBe(200);
});

test('a visitor reads now what was written then', async () => {
  const visitor = site.app.visitor();
  await whileAhead(() => visitor.post('/api/teams-chat', SAMPLE_MESSAGE));
  const { entries } = (await visitor.get('/api/chat/conversation')).json;
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(['visitor', 'reply']);
});

test('a visitor without an address who wrote then is greeted and can be answered now', async () => {
  const visitor = site.app.visitor();
  const write = () => visitor.post('/api/teams-chat', { message: 'Anybody there?' });
  await whileAhead(write);
  expect((await write()).json.response).toMatch(/^Thank you/);
  const { id } = (await visitor.get('/api/chat/conversation')).json;
  const thread = await (await site.app.staff()).get(`/api/admin/threads/${id}`);
  expect(thread.json.inPanel).toBe(true);
});

test('an answer that was to leave then leaves now', async () => {
  const { json } = await site.app.visitor().post('/api/contact', SAMPLE_MESSAGE);
  const answer = { kind: 'staff', text: 'We are on it.', after: 1, key: crypto.randomUUID() };
  const path = `/api/admin/threads/${json.contact.id}/entries`;
  const { status } = await whileAhead(async () => (await site.app.staff()).post(path, answer));
  expect(status).toBe(200);
  const answers = () =>
    site.subjects(SAMPLE_MESSAGE.email).filter((subject) => subject.startsWith('Re: '));
  await expect.poll(answers).toHaveLength(1);
});

test('who repeats the first message of a conversation from then gets no cookie now', async () => {
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const send = async (by = site.app.visitor()) => {
    const { status } = await by.post('/api/teams-chat', SAMPLE_MESSAGE, key);
    return [status, by.cookies.has('chat')];
  };
  expect(await whileAhead(send)).toEqual([200, true]);
  expect(await send()).toEqual([200, false]);
});

test('a contact message that was sent then too is a new one now', async () => {
  const send = async () =>
    (await site.app.visitor().post('/api/contact', SAMPLE_MESSAGE)).json.contact.id;
  const then = await whileAhead(send);
  expect(await send()).not.toBe(then);
});
