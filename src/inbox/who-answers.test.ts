import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { colleague, sendChatMessage } from '../../tests/support/staff-steps.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { threadAnswered } from './thread-answered.server.ts';

const app = sharedTestApp(OWN_PASSWORD);

const openThread = async (staff: Visitor, id: number) =>
  (await staff.get(`/api/admin/threads/${id}`)).json;

async function write(staff: Visitor, id: number, kind = 'staff') {
  const { entries } = await openThread(staff, id);
  const body = { kind, text: 'Yes.', after: entries.at(-1).id, key: randomUUID() };
  const { status, json } = await staff.post(`/api/admin/threads/${id}/entries`, body);
  expect(status).toBe(200);
  return json.entries.at(-1);
}

const chat = () => sendChatMessage(app, undefined, { name: 'Ann', email: 'ann@lakeside.example' });

test('a colleague who gets the name of another gets nothing of what was hers', async () => {
  const { db } = app.database;
  const { thread } = await chat();
  const dana = await colleague(app, 'Dana Whitfield');
  await dana.post(`/api/admin/threads/${thread}/assignee`, { mine: true });
  await write(dana, thread, 'note');
  await db
    .updateTable('accounts')
    .set({ name: 'Dana Frost' })
    .where('name', '=', 'Dana Whitfield')
    .execute();
  const namesake = await colleague(app, 'Dana Whitfield');
  const seen = await openThread(namesake, thread);
  expect(seen).toMatchObject({ assignee: 'Dana Frost', mine: false });
  expect(seen.entries.at(-1)).toMatchObject({ author: 'Dana Frost', mine: false });
  expect(seen.entries.at(-2).text).toBe('Dana Frost took it');
  expect(await openThread(dana, thread)).toMatchObject({ mine: true });
});

test('what a colleague did whose account is gone is still there', async () => {
  const { thread } = await chat();
  const left = await colleague(app, 'Lee Left');
  await write(left, thread, 'note');
  await app.database.db.deleteFrom('accounts').where('name', '=', 'Lee Left').execute();
  const { entries } = await openThread(await app.staff(), thread);
  expect(entries.at(-1)).toMatchObject({ author: 'Former colleague', mine: false });
});

test('a customer never reads a user name: the support name, or the name that the colleague has set', async () => {
  const { db } = app.database;
  const { visitor, thread } = await chat();
  const staff = await app.staff();
  const { id } = await write(staff, thread);
  await db.updateTable('entries').set({ at: 1 }).where('id', '=', id).execute();
  const answer = await threadAnswered.find(db, id, null);
  expect(answer).toMatchObject({ author: 'admin', publicName: '' });
  const authors = async () => {
    const { entries } = (await visitor.get('/api/chat/conversation')).json;
    return entries.map(({ author }: { author: string }) => author);
  };
  expect(await authors()).toEqual(['', '', '']);

  const named = (name: string) => staff.post('/api/admin/account/name', { name });
  await colleague(app, 'Pat');
  expect((await named('Jane Desk')).status).toBe(204);
  expect(await authors()).toContain('Jane Desk');
  expect(await threadAnswered.find(db, id, null)).toMatchObject({ publicName: 'Jane Desk' });
});

test('a work account’s name for customers comes from the provider', async () => {
  const pat = await colleague(app, 'Pat Lee');
  expect((await pat.post('/api/admin/account/name', { name: 'Boss' })).status).toBe(409);
});
