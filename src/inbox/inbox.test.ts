import { beforeEach, describe, expect, test } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { insertChatMessage, insertSubmission } from '../../tests/support/staff-steps.ts';
import { sharedStaff, sharedTestApp } from '../../tests/support/test-app.ts';
import { addEntry } from '../threads/thread-store.server.ts';
import { INBOX_FILTER } from './inbox-api.ts';

const app = sharedTestApp();
const staff = sharedStaff(() => app);
beforeEach(async () => {
  await app.database.db.deleteFrom('threads').execute();
});

const TODAY = Date.now();

const write = (written: Parameters<typeof insertSubmission>[1] = {}) =>
  insertSubmission(app, written);
const say = (conversation: string, message: string, written = {}) =>
  insertChatMessage(app, { conversation, message, ...written });

const list = async (query: string) => (await staff.get(`/api/admin/contacts${query}`)).json;
const names = async (query: string) => (await list(query)).map((row: { name: string }) => row.name);
const open = async (id: number) => (await staff.get(`/api/admin/threads/${id}`)).json;
const countsOf = async (query = '') => (await staff.get(`/api/admin/inbox/counts?${query}`)).json;

describe('staff read contact messages', () => {
  test('in full, with the reference number that the visitor was given', async () => {
    const written = {
      name: 'Dana Whitfield',
      email: 'dana@example.com',
      phone: '(770) 555-0134',
      service: 'voip',
      message: 'Our tablets lose Wi-Fi.',
      status: 'new' as const,
    };
    const id = await write({ ...written, createdAt: TODAY });
    const createdAt = new Date(TODAY).toISOString();
    const expected = {
      ...written,
      id,
      kind: 'contact',
      reference: `C-${id}`,
      messages: 1,
      assignee: null,
      mine: false,
      createdAt,
      lastAt: createdAt,
      waitsSince: createdAt,
      undelivered: null,
      stillTried: false,
    };
    expect(await list('')).toEqual([expected]);
    expect(await open(id)).toMatchObject({
      ...expected,
      entries: [{ kind: 'visitor', text: written.message, author: null, at: createdAt }],
    });
  });

  test('without a page alone, the newest first, as the specification has it', async () => {
    await write({ name: 'First', createdAt: TODAY, status: 'new' });
    await write({ name: 'Second', createdAt: TODAY + 1, status: 'answered' });
    await say('a', 'Hello');
    expect(await names('')).toEqual(['Second', 'First']);
  });

  test('without a page, as many of the newest as a short answer holds, however long they are', async () => {
    const message = '“'.repeat(5_000);
    for (let n = 1; n <= 60; n += 1)
      await write({ name: `${n}`, createdAt: TODAY + n, message: n > 50 ? message : 'Hello' });
    const all = Array.from({ length: 60 }, (_, index) => `${60 - index}`);
    expect(await names('')).toEqual(all);
    await app.database.db.updateTable('entries').set({ text: message }).execute();
    expect(await names('')).toEqual(all.slice(0, 20));
  });

  test('of one day at the company, like conversations', async () => {
    const day = { createdAt: Date.parse('2026-12-22T02:30:00Z') };
    await write({ name: 'That Day', ...day });
    await write({ name: 'Next Day', createdAt: Date.parse('2026-12-22T05:00:00Z') });
    await say('that day', 'Hello', day);
    await say('today', 'Hello');
    const query = 'from=2026-12-21&to=2026-12-21';
    expect(await names(`?page=1&${query}`)).toEqual(['That Day', 'Olga']);
    expect((await countsOf(query)).new).toBe(2);
    expect(await names(`?page=1&find=olga&${query}`)).toEqual(['Olga']);
  });

  test('found among those of a day by a word that was written before it', async () => {
    const day = { createdAt: Date.parse('2026-12-22T02:30:00Z') };
    await say('that day', 'The zebra printer', { createdAt: day.createdAt - 2 * 86_400_000 });
    await say('that day', 'Hello', day);
    await say('another', 'The zebra printer', { createdAt: day.createdAt - 2 * 86_400_000 });
    expect(await names('?page=1&find=zebra&from=2026-12-21&to=2026-12-21')).toEqual(['Olga']);
  });

  test('found by a reference number however it was copied or typed: in a mail’s subject, with #, without a hyphen', async () => {
    await write({ name: 'Other' });
    const id = await write({ name: 'Sought' });
    const number = `C-${id}`;
    const subject = `Re: Your inquiry to Tidewell (${number})`;
    const typed = [`c${id}`, `C ${id}`, `C–${id}`];
    for (const search of [number, `(${number})`, `#${number.toLowerCase()}`, subject, ...typed])
      expect(await names(`?page=1&find=${encodeURIComponent(search)}`), search).toEqual(['Sought']);
  });

  test('found by names in any script, in either case and Unicode form', async () => {
    await write({ name: 'Иван Петров' });
    await write({ name: 'Éva Łódź' });
    for (const [search, name] of [
      ['Иван', 'Иван Петров'],
      ['пЕТРОВ', 'Иван Петров'],
      ['éVA', 'Éva Łódź'],
      ['łÓDŹ', 'Éva Łódź'],
      ['Éva'.normalize('NFD'), 'Éva Łódź'],
    ] as const)
      expect(await names(`?page=1&find=${encodeURIComponent(search)}`), search).toEqual([name]);
  });

  test('found by what a colleague of the visitor wrote by mail', async () => {
    await write({ name: 'Other' });
    const threadId = await write({ name: 'Sought' });
    const reply = {
      kind: 'third-party',
      text: 'The zebra printer',
      sender: 'b@x.example',
    } as const;
    await addEntry(app.database.db, { threadId, ...reply });
    expect(await names('?page=1&find=ZEBRA')).toEqual(['Sought']);
  });

  test('in pages of 50: who waits from the oldest on, then the others from the newest on', async () => {
    for (let n = 1; n <= 52; n += 1)
      await write({
        name: `Visitor ${n}`,
        createdAt: TODAY + n,
        status: n > 48 ? 'answered' : 'new',
      });
    expect(await names('')).toHaveLength(52);
    const first = await names('?page=1');
    expect([first.length, first[0], first[49]]).toEqual([50, 'Visitor 1', 'Visitor 51']);
    expect(await names('?page=2')).toEqual(['Visitor 50', 'Visitor 49']);
    expect(await names('?page=3')).toEqual([]);
  });

  test.each([
    ['find=WHITfield', ['Dana Whitfield']],
    ['find=tablets%20lose', ['Dana Whitfield']],
    ['find=%25', ['50% off']],
    ['find=_', []],
    ['find=%27%20or%201%3D1--', []],
    ['find=%00', ['Dana Whitfield', 'Hank', '50% off']],
    ['service=voip', ['Hank']],
    ['service=none', ['Dana Whitfield', '50% off']],
    ['status=spam', ['50% off']],
    ['status=nonsense', ['Dana Whitfield', 'Hank', '50% off']],
  ])('filtered by %s', async (query, expected) => {
    await write({ createdAt: TODAY });
    await write({ name: '50% off', message: 'Buy now!', status: 'spam', createdAt: TODAY + 1 });
    await write({ name: 'Hank', message: 'Phones', service: 'voip', createdAt: TODAY + 2 });
    expect(await names(`?page=1&${query}`)).toEqual(expected);
  });

  test('and mark one, which changes the counts', async () => {
    await write({ service: 'cloud' });
    const id = await write();
    await write({ service: 'cloud' });
    const mark = (status: string) => staff.post(`/api/admin/threads/${id}/status`, { status });
    const { json } = await mark('answered');
    expect((await mark('waiting')).status).toBe(400);
    expect(json).toMatchObject({
      status: 'answered',
      entries: [{}, { kind: 'event', text: 'admin marked it as answered' }],
    });
    expect(await countsOf()).toMatchObject({ new: 2, waiting: 0, answered: 1, spam: 0 });
    expect(await countsOf('service=cloud')).toMatchObject({
      new: 2,
      waiting: 0,
      answered: 0,
      spam: 0,
    });
  });
});

describe('chat conversations', () => {
  const idOf = async (messageId: number) => (await list(`?page=1&find=t-${messageId}`))[0].id;

  test('are sorted by how long their visitor waits, and contain all messages', async () => {
    const first = await say('a', 'Are you there?', { createdAt: TODAY });
    await say('b', 'What does Essential cost?', { createdAt: TODAY + 1 });
    await say('a', 'It is urgent.', { createdAt: TODAY + 2 });
    const waitsSince = new Date(TODAY).toISOString();
    expect(await list('?page=1')).toMatchObject([
      { kind: 'chat', messages: 2, message: 'It is urgent.', reference: `T-${first}`, waitsSince },
      { messages: 1, message: 'What does Essential cost?' },
    ]);
    const { entries, ...thread } = await open(await idOf(first));
    expect(entries).toMatchObject([
      { kind: 'visitor', text: 'Are you there?', reference: `T-${first}` },
      { kind: 'reply' },
      { kind: 'visitor', text: 'It is urgent.' },
      { kind: 'reply' },
    ]);
    expect(Object.keys(thread)).not.toContain('keyHash');
  });

  test('are found by any of their messages', async () => {
    const first = await say('a', 'Are you there?');
    await say('a', 'It is urgent.');
    await say('b', 'Hello');
    const id = await idOf(first);
    for (const search of ['there', 'urgent', 'SAM@'])
      expect(await list(`?page=1&find=${search}`)).toContainEqual(expect.objectContaining({ id }));
    expect(await list('?page=1&find=urgent')).toHaveLength(1);
  });

  test('wait for staff when the visitor writes once more, and come before what waits for nobody', async () => {
    const id = await idOf(await say('a', 'Are you there?', { createdAt: TODAY }));
    await staff.post(`/api/admin/threads/${id}/status`, { status: 'answered' });
    await write({ status: 'answered', createdAt: TODAY + 5 });
    await say('a', 'And another thing', { createdAt: TODAY + 1 });
    await write({ status: 'new', createdAt: TODAY + 9 });
    expect(await list('?page=1')).toMatchObject([
      { id, status: 'waiting' },
      { status: 'new' },
      { status: 'answered' },
    ]);
    expect(await countsOf('kind=chat')).toMatchObject({ new: 0, waiting: 1, answered: 0, spam: 0 });
    expect(await list('?page=1&status=waiting')).toMatchObject([{ id }]);
  });

  test('are news to a list that was loaded before their last message', async () => {
    await say('a', 'Are you there?', { createdAt: TODAY });
    const { at } = await countsOf();
    expect(await countsOf(`since=${at}`)).toMatchObject({ new: 0, waiting: 0 });
    await say('a', 'It is urgent.', { createdAt: at + 1 });
    await write({ createdAt: TODAY });
    expect(await countsOf(`since=${at}`)).toMatchObject({ new: 1, waiting: 0 });
  });
});

test('staff find an order and its customer’s messages by its number, however they write it', async () => {
  const email = 'jane@dealer.example';
  const id = await write({ email });
  await write();
  const { id: order } = await savedOrder(app.database.db, { email, status: 'paid' });
  const inThrees = (by: string) => `${order}`.replace(/\B(?=(\d{3})+$)/g, by);
  for (const written of [`O-${order}`, `o–${inThrees(' ')}`, `${order}`, `#${inThrees('.')}`]) {
    const query = new URLSearchParams({ page: '1', find: written }).toString();
    expect(await list(`?${query}`)).toMatchObject([{ id }]);
    expect(await countsOf(query)).toMatchObject({
      sale: { path: `/admin/orders?open=${order}`, about: 'Jane Doe, Essential' },
    });
  }
  expect(await countsOf(`find=Q-${order}`)).toMatchObject({ sale: null });
});

test('staff read at a message what its sender pays for', async () => {
  const email = 'jane@dealer.example';
  const { id: order } = await savedOrder(app.database.db, { email, status: 'paid' });
  const { person } = await open(await write({ email }));
  expect(person).toContainEqual(
    expect.objectContaining({
      path: `/admin/orders?open=${order}`,
      amount: 450,
      badge: { label: 'Paid', tone: 'primary' },
      runs: true,
    }),
  );
});

test('staff read at a message on which day its sender’s plan starts', async () => {
  const email = 'starts@dealer.example';
  const { db } = app.database;
  const unpaid = { status: 'processing', subscriptionStatus: 'trialing' } as const;
  const { id } = await savedOrder(db, { email, ...unpaid });
  await db.updateTable('orders').set({ startsOn: '2027-01-04' }).where('id', '=', id).execute();
  const { person } = await open(await write({ email }));
  expect(person).toMatchObject([{ badge: { label: 'Starts January 4, 2027' } }]);
});

test('an unknown thread is not found', async () => {
  for (const id of ['1', '0', '-1', '1e3', '99999999999', 'x']) {
    expect((await staff.get(`/api/admin/threads/${id}`)).status).toBe(404);
    const body = { status: 'spam' };
    expect((await staff.post(`/api/admin/threads/${id}/status`, body)).status).toBe(404);
  }
});

test('a search text is one line of up to 200 characters, without broken characters', () => {
  const read = (find: string) => INBOX_FILTER.read(new URLSearchParams({ find })).search;
  expect(read(' Ann\n\0Moore\t')).toBe('Ann Moore');
  expect(read(`${'x'.repeat(199)}😀`)).toBe(`${'x'.repeat(199)}\uFFFD`);
});

test.each([
  ['Hello@tidewell.example', true],
  ['jane@dealer.example', false],
  [null, false],
])(
  'staff read at a thread of %s whether that is our own address: %j',
  async (email, ownAddress) => {
    expect(await open(await write({ email }))).toMatchObject({ ownAddress });
  },
);
