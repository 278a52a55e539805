/** A conversation is read, marked as seen and ended only by the browser that holds its key. */
import { describe, expect, test } from 'vitest';
import { executedStatements } from '../../tests/support/executed-statements.ts';
import { insertAccount, sendChatMessage } from '../../tests/support/staff-steps.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { CONVERSATION_CALLS } from '../limits.ts';
import { addEntry } from '../threads/thread-store.server.ts';

const app = sharedTestApp(OWN_PASSWORD);
const NOTHING = { id: null, entries: [], more: false, name: null, email: null };
const ANN = { name: 'Ann Moore', email: 'ann@lakeside.example' };

const chat = (visitor = app.visitor()) => sendChatMessage(app, visitor, ANN);
async function add(
  threadId: number,
  kind: 'staff' | 'note' | 'visitor',
  text: string,
  at = Date.now(),
) {
  const { db } = app.database;
  const authorId = await insertAccount(db, 'Maria Lopez');
  return Number(await addEntry(db, { threadId, kind, text, authorId, at }));
}
const read = async (visitor: Visitor) => (await visitor.get('/api/chat/conversation')).json;
const withKeyOf = (other: Visitor) => {
  const visitor = app.visitor();
  visitor.cookies.set('chat', other.cookies.get('chat') ?? '');
  return visitor;
};

describe('a visitor', () => {
  test('reads messages, replies and answers, but no note and no answer that has not left', async () => {
    const { visitor, thread, response, reference } = await chat();
    const answer = await add(thread, 'staff', 'On our way.');
    await add(thread, 'note', 'Difficult customer.');
    await add(thread, 'staff', 'Not yet.', Date.now() + 10_000);
    const { entries, ...rest } = await read(visitor);
    expect(rest).toEqual({ id: thread, more: false, ...ANN });
    const shown = { author: '', reference: '', key: '', seen: false, id: expect.any(Number) };
    expect(entries).toEqual([
      { ...shown, kind: 'visitor', text: 'Anybody there?', reference, at: expect.any(String) },
      { ...shown, kind: 'reply', text: response, at: entries[0].at },
      {
        ...{ id: answer, kind: 'staff', text: 'On our way.', author: 'Maria Lopez' },
        ...{ reference: '', key: '', seen: false, at: expect.any(String) },
      },
    ]);
  });

  test('reads no bubble of an email of theirs without words', async () => {
    const { visitor, thread } = await chat();
    await add(thread, 'visitor', '');
    expect((await read(visitor)).entries.map(({ text }: { text: string }) => text)).not.toContain(
      '',
    );
  });

  test('is given one number for the conversation, however many messages it has', async () => {
    const { visitor, reference } = await chat();
    const { json } = await visitor.post('/api/teams-chat', { message: 'Hello again' });
    expect(json.reference).toBe(reference);
    const { entries } = await read(visitor);
    const numbers = entries.map((entry: { reference: string }) => entry.reference).filter(Boolean);
    expect(numbers).toEqual([reference, reference]);
  });

  test('of a very long conversation reads at most 64 KB at once, and all of it page by page', async () => {
    const { visitor, thread } = await chat();
    const texts = Array.from({ length: 150 }, (_, n) => `${n} ${'é"'.repeat(n % 3 ? 20 : 1_990)}`);
    for (const [n, text] of texts.entries())
      await add(thread, n % 2 ? 'staff' : 'visitor', text, n < 100 ? Date.now() : undefined);
    const read: string[] = [];
    let before = '';
    for (let pages = 1; ; pages += 1) {
      const { json, headers } = await visitor.get(`/api/chat/conversation${before}`);
      expect(JSON.stringify(json).length).toBeLessThan(64 * 1024);
      expect(Buffer.byteLength(JSON.stringify(json))).toBeLessThanOrEqual(64 * 1024);
      expect(headers.get('content-type')).toMatch('json');
      read.unshift(...json.entries.map(({ text }: { text: string }) => text));
      expect(json.entries.length).toBeGreaterThan(0);
      if (!json.more) break;
      before = `?before=${json.entries[0].id}`;
      expect(pages).toBeLessThan(30);
    }
    expect(read.slice(2)).toEqual(texts);
  });

  test('reads it from an allowance of its own, which leaves them the others', async () => {
    const { visitor } = await chat();
    const [calls = 0] = CONVERSATION_CALLS.rules[0] ?? [];
    for (let each = 0; each < calls; each += 1) await read(visitor);
    const refused = await visitor.get('/api/chat/conversation');
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      expect.any(Number),
    ]);
    expect((await visitor.post('/api/teams-chat', { message: 'Still here' })).status).toBe(200);
    expect((await visitor.get('/api/plans')).status).toBe(200);
  });

  test('reads nothing with no key, an invented one, or one whose conversation has ended', async () => {
    const { visitor } = await chat();
    const ended = withKeyOf(visitor);
    await visitor.post('/api/chat/end');
    await chat(visitor);
    const forged = app.visitor();
    forged.cookies.set('chat', 'A'.repeat(43));
    for (const other of [ended, forged, app.visitor()]) {
      expect(await read(other)).toEqual(NOTHING);
      expect((await other.post('/api/chat/end')).status).toBe(204);
      expect((await other.post('/api/chat/seen', { entry: 1 })).status).toBe(204);
    }
    expect((await read(visitor)).entries).toHaveLength(2);
  });

  test('is shown nothing of it by another site', async () => {
    const { visitor } = await chat();
    for (const [name, value] of [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Origin', 'https://evil.example'],
    ] as const)
      expect((await visitor.get('/api/chat/conversation', { [name]: value })).status).toBe(403);
  });

  test('who has seen an answer has seen those before it, and none that came later', async () => {
    const { visitor, thread } = await chat();
    const now = Date.now();
    const held = await add(thread, 'staff', 'Held back.', now + 10_000);
    await add(thread, 'staff', 'First.', now - 20);
    const second = await add(thread, 'staff', 'Second.', now - 10);
    await add(thread, 'staff', 'Third.', now - 5);
    const { thread: elsewhere } = await chat();
    const foreign = await add(elsewhere, 'staff', 'Not yours.');
    const seen = async (entry: number) => {
      expect((await visitor.post('/api/chat/seen', { entry })).status).toBe(204);
      const { entries } = await read(visitor);
      return entries.filter((each: { seen: boolean }) => each.seen).length;
    };
    expect(await seen(held)).toBe(0);
    expect(await seen(foreign)).toBe(0);
    expect(await seen(second)).toBe(2);
    const executed = executedStatements(app);
    expect(await seen(second)).toBe(2);
    expect(executed.filter((statement) => /^update|for no key/.test(statement))).toEqual([]);
  });

  test('who has ended the conversation leaves none in the browser; staff read that it has ended', async () => {
    const { visitor, thread } = await chat();
    const copied = withKeyOf(visitor);
    const { headers } = await visitor.post('/api/chat/end');
    expect(headers.get('set-cookie')).toMatch(/^chat=; Max-Age=0; Path=\/; HttpOnly/);
    expect(await read(copied)).toEqual(NOTHING);
    const opened = (await (await app.staff()).get(`/api/admin/threads/${thread}`)).json;
    expect(opened).toMatchObject({ ended: true, inPanel: false });
    expect(opened.entries.at(-1)).toMatchObject({
      kind: 'event',
      text: 'The visitor ended the conversation',
    });
    expect((await chat(copied)).thread).not.toBe(thread);
  });
});
