import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertChatMessage, insertSubmission } from '../../tests/support/staff-steps.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { readFilter, writeFilter } from './inbox-api.ts';

const app = sharedTestApp();
let staff: Visitor;
beforeAll(async () => {
  staff = await app.staff();
});
beforeEach(async () => {
  await app.database.db.deleteFrom('threads').execute();
});

const TODAY = Date.now();

const write = (written: Parameters<typeof insertSubmission>[1] = {}) =>
  insertSubmission(app, written);
const say = (conversation: string, message: string) =>
  insertChatMessage(app, { conversation, message });

const names = async (query: string) =>
  (await staff.get(`/api/admin/contacts${query}`)).json.map((row: { name: string }) => row.name);

describe('staff read contact messages', () => {
  test('in full, with the reference number that the visitor was given', async () => {
    const written = {
      name: 'Dana Whitfield',
      email: 'dana@example.com',
      phone: '(770) 555-0134',
      service: 'voip',
      message: 'Our tablets lose Wi-Fi.',
      mark: 'new' as const,
    };
    const id = await write({ ...written, createdAt: TODAY });
    const createdAt = new Date(TODAY).toISOString();
    const expected = { ...written, id, reference: `C-${id}`, createdAt };
    expect((await staff.get('/api/admin/contacts')).json).toEqual([expected]);
    expect((await staff.get(`/api/admin/contacts/${id}`)).json).toEqual(expected);
  });

  test('of one day at the company, like conversations', async () => {
    const day = { createdAt: Date.parse('2026-12-22T02:30:00Z') };
    await write({ name: 'That Day', ...day });
    await write({ name: 'Next Day', createdAt: Date.parse('2026-12-22T05:00:00Z') });
    await insertChatMessage(app, { conversation: 'that day', message: 'Hello', ...day });
    await say('today', 'Hello');
    const query = 'from=2026-12-21&to=2026-12-21';
    expect(await names(`?${query}`)).toEqual(['That Day']);
    const chats = (await staff.get(`/api/admin/conversations?${query}`)).json;
    expect(chats).toMatchObject([{ lastAt: '2026-12-22T02:30:00.000Z' }]);
    for (const list of ['', '&list=conversations'])
      expect((await staff.get(`/api/admin/inbox/counts?${query}${list}`)).json.new).toBe(1);
  });

  test('found by names in any script, in either case', async () => {
    await write({ name: 'Иван Петров' });
    await write({ name: 'Éva Łódź' });
    for (const [search, name] of [
      ['Иван', 'Иван Петров'],
      ['пЕТРОВ', 'Иван Петров'],
      ['éVA', 'Éva Łódź'],
      ['łÓDŹ', 'Éva Łódź'],
    ] as const)
      expect(await names(`?find=${encodeURIComponent(search)}`), search).toEqual([name]);
  });

  test('newest first, in pages of 50', async () => {
    for (let n = 1; n <= 52; n += 1) await write({ name: `Visitor ${n}`, createdAt: TODAY + n });
    expect(await names('')).toHaveLength(52);
    const first = await names('?page=1');
    expect([first.length, first[0], first[49]]).toEqual([50, 'Visitor 52', 'Visitor 3']);
    expect(await names('?page=2')).toEqual(['Visitor 2', 'Visitor 1']);
    expect(await names('?page=3')).toEqual([]);
  });

  test.each([
    ['find=WHITfield', ['Dana Whitfield']],
    ['find=tablets%20lose', ['Dana Whitfield']],
    ['find=%25', ['50% off']],
    ['find=_', []],
    ['find=%27%20or%201%3D1--', []],
    ['find=%00', ['Hank', '50% off', 'Dana Whitfield']],
    ['service=voip', ['Hank']],
    ['service=none', ['50% off', 'Dana Whitfield']],
    ['mark=spam', ['50% off']],
    ['mark=nonsense&page=-1', ['Hank', '50% off', 'Dana Whitfield']],
  ])('filtered by %s', async (query, expected) => {
    await write({ createdAt: TODAY });
    await write({ name: '50% off', message: 'Buy now!', mark: 'spam', createdAt: TODAY + 1 });
    await write({ name: 'Hank', message: 'Phones', service: 'voip', createdAt: TODAY + 2 });
    expect(await names(`?${query}`)).toEqual(expected);
  });

  test('found by reference number', async () => {
    const [first] = [await write(), await write()];
    const { json } = await staff.get(`/api/admin/contacts?find=c-${first}`);
    expect(json).toMatchObject([{ id: first }]);
  });

  test('and mark one, which changes the counts', async () => {
    await write({ service: 'cloud' });
    const id = await write();
    await write({ service: 'cloud' });
    const { json } = await staff.post(`/api/admin/contacts/${id}/mark`, { mark: 'answered' });
    expect(json).toMatchObject({ id, mark: 'answered' });
    const counts = (await staff.get('/api/admin/inbox/counts')).json;
    expect(counts).toEqual({ new: 2, answered: 1, spam: 0 });
    const narrowed = (await staff.get('/api/admin/inbox/counts?service=cloud')).json;
    expect(narrowed).toEqual({ new: 2, answered: 0, spam: 0 });
  });
});

describe('chat conversations', () => {
  test('are sorted by their newest message, and contain all messages', async () => {
    const first = await say('a', 'Are you there?');
    await say('b', 'What does Essential cost?');
    const last = await say('a', 'It is urgent.');
    const { json } = await staff.get('/api/admin/conversations');
    expect(json).toMatchObject([
      { id: first, messages: 2, lastMessage: 'It is urgent.', reference: `T-${last}` },
      { messages: 1, lastMessage: 'What does Essential cost?' },
    ]);
    const whole = (await staff.get(`/api/admin/conversations/${first}`)).json;
    expect(whole.thread).toMatchObject([
      { message: 'Are you there?' },
      { message: 'It is urgent.' },
    ]);
    expect(JSON.stringify(whole)).not.toContain('"conversation"');
  });

  test('are found by any of their messages', async () => {
    const first = await say('a', 'Are you there?');
    await say('a', 'It is urgent.');
    await say('b', 'Hello');
    for (const search of ['there', 'urgent', `t-${first}`, 'SAM@']) {
      const { json } = await staff.get(`/api/admin/conversations?find=${search}`);
      expect(json.map((row: { id: number }) => row.id)).toContain(first);
    }
    expect((await staff.get('/api/admin/conversations?find=urgent')).json).toHaveLength(1);
  });

  test('are new again when the visitor writes once more', async () => {
    const first = await say('a', 'Are you there?');
    await staff.post(`/api/admin/conversations/${first}/mark`, { mark: 'answered' });
    expect((await staff.get('/api/admin/conversations?mark=answered')).json).toHaveLength(1);
    await say('a', 'And another thing');
    expect((await staff.get('/api/admin/conversations?mark=new')).json).toHaveLength(1);
    const counts = (await staff.get('/api/admin/inbox/counts?list=conversations')).json;
    expect(counts).toEqual({ new: 1, answered: 0, spam: 0 });
  });
});

test.each(['contacts', 'conversations'])('an unknown id in %s is not found', async (list) => {
  for (const id of ['1', '0', '-1', '1e3', '99999999999', 'x']) {
    expect((await staff.get(`/api/admin/${list}/${id}`)).status).toBe(404);
    expect((await staff.post(`/api/admin/${list}/${id}/mark`, { mark: 'spam' })).status).toBe(404);
  }
});

test('an invalid mark is refused and changes nothing', async () => {
  const id = await write();
  for (const body of [{ mark: 'deleted' }, { mark: 'spam', id: 2 }, {}])
    expect((await staff.post(`/api/admin/contacts/${id}/mark`, body)).status).toBe(400);
  expect((await staff.get(`/api/admin/contacts/${id}`)).json.mark).toBe('new');
});

const read = (query: string) => readFilter(new URLSearchParams(query));

test('a filter is the same after a round trip through the URL', () => {
  const query =
    'find=C-42&service=none&mark=answered&from=2026-11-20&to=2026-11-21&page=999999&list=conversations';
  expect(read(query)).toEqual({
    from: '2026-11-20',
    to: '2026-11-21',
    search: 'C-42',
    service: 'none',
    mark: 'answered',
    page: 999_999,
    list: 'conversations',
  });
  expect(String(writeFilter(read(query)))).toBe(query);
});

test.each(['find=', 'service=VOIP!', `service=${'a'.repeat(41)}`, 'mark=lost', 'page=0'])(
  'the invalid filter %j is ignored',
  (query) => {
    expect(read(query)).toEqual(read(''));
    expect(String(writeFilter(read(query)))).toBe('');
  },
);

test('a search text is one line of up to 200 characters, without broken characters', () => {
  expect(read('find=%20Ann%0A%00Moore%09').search).toBe('Ann Moore');
  expect(read(`find=${'x'.repeat(199)}😀`).search).toBe(`${'x'.repeat(199)}\uFFFD`);
});
