/** A database of the version that stored contact and chat messages in tables of their own is carried over to threads. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readEnv } from '../../../src/env.server.ts';
import { openDatabase, openUnmigrated } from '../../../src/platform/database/database.server.ts';
import { createTables } from '../../../src/platform/database/migrations/001-tables.server.ts';
import type { Db } from '../../../src/platform/database/tables.server.ts';
import { databaseForEachTest, startTestApp } from '../../support/test-app.ts';

const ground = databaseForEachTest();

/** By number; the numbers between belong to erased messages. */
const CONTACTS: Record<number, readonly unknown[]> = {
  1: [
    'Ann Moore',
    'ann@lakeside.example',
    '(770) 555-0134',
    'voip',
    'Phones drop.',
    'answered',
    10,
  ],
  4: ['Bo', 'bo@garage.example', null, null, 'Éva 🙂\nsecond line', 'new', 50],
};
const CHATS: Record<number, readonly unknown[]> = {
  2: ['a', null, null, 'Anybody there?', 'Thank you.', 'answered', 20],
  3: ['b', null, null, 'Hello', 'Thank you.', 'spam', 30],
  7: ['a', 'Ann', 'ann@lakeside.example', 'It is Ann.', 'Thank you, Ann.', 'new', 40],
  8: ['a', null, null, 'Still here.', 'Thank you.', 'new', 70],
};
const LAST = 9;

/** Makes the tables as the version before threads left them. */
async function makeOldTables(fill: (db: Db) => Promise<void>): Promise<void> {
  const { db, engine, close } = await openUnmigrated(readEnv(ground.variables));
  await createTables(db, engine);
  await sql`create table kysely_migration
    (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  await sql`insert into kysely_migration
    values ('001-tables-of-2026-11-26', '2026-11-26')`.execute(db);
  await fill(db);
  await close();
}

async function fillOldTables(db: Db): Promise<void> {
  const erased = ['', '', '', '', '', 'new', 0];
  for (let id = 1; id <= LAST; id += 1) {
    await sql`insert into "contactSubmissions"
      ("name", "email", "phone", "service", "message", "mark", "createdAt")
      values (${sql.join(CONTACTS[id] ?? erased)})`.execute(db);
    await sql`insert into "chatMessages"
      ("conversation", "name", "email", "message", "response", "mark", "createdAt")
      values (${sql.join(CHATS[id] ?? erased)})`.execute(db);
  }
  for (const table of ['contactSubmissions', 'chatMessages'])
    await sql`delete from ${sql.table(table)} where "createdAt" = 0`.execute(db);
}

async function readThreads() {
  const { db, close } = await openDatabase(readEnv(ground.variables));
  const threads = await db.selectFrom('threads').selectAll().orderBy('id').execute();
  const entries = await db
    .selectFrom('entries')
    .selectAll()
    .orderBy('threadId')
    .orderBy('at')
    .orderBy('id')
    .execute();
  await close();
  return threads.map((thread) => ({
    ...thread,
    entries: entries.filter(({ threadId }) => threadId === thread.id),
  }));
}

test('no message is lost, each keeps its number, and a second start changes nothing', async () => {
  await makeOldTables(fillOldTables);
  const threads = await readThreads();
  const none = { owner: null, keyHash: null, endedAt: null };
  expect(threads).toMatchObject([
    {
      ...none,
      ...{ id: 1, kind: 'contact', name: 'Ann Moore', email: 'ann@lakeside.example' },
      ...{ phone: '(770) 555-0134', service: 'voip', mark: 'answered', createdAt: 10, lastAt: 10 },
      entries: [{ kind: 'visitor', text: 'Phones drop.', author: null, at: 10, seenAt: null }],
    },
    {
      ...none,
      ...{ id: 4, kind: 'contact', name: 'Bo', phone: null, service: null, mark: 'new' },
      entries: [{ kind: 'visitor', text: 'Éva 🙂\nsecond line', at: 50 }],
    },
    {
      ...none,
      ...{ kind: 'chat', name: 'Ann', email: 'ann@lakeside.example', mark: 'new' },
      ...{ createdAt: 20, lastAt: 70 },
      entries: [
        { id: 2, kind: 'visitor', text: 'Anybody there?', at: 20 },
        { kind: 'reply', text: 'Thank you.', at: 20 },
        { id: 7, kind: 'visitor', text: 'It is Ann.', at: 40 },
        { kind: 'reply', text: 'Thank you, Ann.', at: 40 },
        { id: 8, kind: 'visitor', text: 'Still here.', at: 70 },
        { kind: 'reply', text: 'Thank you.', at: 70 },
      ],
    },
    {
      ...none,
      ...{ kind: 'chat', name: null, email: null, mark: 'spam' },
      entries: [{ id: 3, kind: 'visitor', text: 'Hello' }, { kind: 'reply' }],
    },
  ]);
  expect(await readThreads()).toEqual(threads);
});

test('the number of an erased message is never given again', async () => {
  await makeOldTables(fillOldTables);
  const app = await startTestApp(ground.variables);
  const visitor = app.visitor();
  const numbers: string[] = [];
  for (const path of ['/api/contact', '/api/teams-chat']) {
    const body = { name: 'Ann', email: 'ann@lakeside.example', message: 'Once more, please.' };
    numbers.push((await visitor.post(path, body)).json.reference);
  }
  await app.stop();
  for (const number of numbers) expect(Number(number.slice(2))).toBeGreaterThan(LAST);
});

test('an empty database of that version is carried over, too', async () => {
  await makeOldTables(async () => undefined);
  expect(await readThreads()).toEqual([]);
});
