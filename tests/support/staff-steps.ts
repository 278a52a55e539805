/** What staff do in the staff area, and the messages they find there. */
import type { Page } from 'playwright-core';
import type { Db, NewRow } from '../../src/platform/database/tables.server.ts';
import { randomId } from '../../src/platform/fetch-call.ts';
import { openSession } from '../../src/staff/sessions.server.ts';
import type { ThreadKind } from '../../src/threads/thread.ts';
import { addEntry, changeThread } from '../../src/threads/thread-store.server.ts';
import type { TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

export const DEMO = { username: 'admin', password: 'showroom-demo' };

export async function signIn(page: Page, { username, password } = DEMO): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a staff page, which redirects to the sign-in and back. */
export async function openAsStaff(page: Page, app: TestApp, address: string): Promise<void> {
  await page.goto(app.address + address);
  await signIn(page);
  await page.waitForURL(app.address + address);
}

/** Inserts a work account whose name customers read, too, and returns its id. */
export async function insertAccount(db: Db, name: string): Promise<number> {
  const { id } = await db
    .insertInto('accounts')
    .values({
      ...{ name, foldedName: randomId(), publicName: name },
      ...{ passwordHash: '', externalKey: randomId() },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** On a phone, who a thread is from, its status and its assignee are behind a button. */
export async function openDetails(page: Page): Promise<void> {
  const details = page.getByRole('button', { name: 'Details', exact: true });
  if ((page.viewportSize()?.width ?? 0) < 1280) await details.click();
}

/** On a phone, the search and the filters are behind a button. */
export async function openFilters(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 1024) await openAllFilters(page);
}

/** On a desktop, the rarer filters are behind a button, too. */
export async function openAllFilters(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Filters/ }).click();
}

/** Another member of staff, who has signed in with a work account. */
export async function colleague(app: TestApp, username: string): Promise<Visitor> {
  const { db } = app.database;
  const id = await insertAccount(db, username);
  const visitor = app.visitor();
  const { cookies, address } = visitor;
  const session = await openSession(db, id, 'oidc', { cookies, headers: new Headers(), address });
  cookies.set('session', session);
  return visitor;
}

/** A recent time for older messages: the site deletes very old ones by itself. */
export const YESTERDAY = Date.now() - 86_400_000;

interface Written extends Partial<Omit<NewRow<'threads'>, 'kind'>> {
  message?: string;
}

/** Inserts a thread with a message of its visitor. */
async function insertThread(db: Db, kind: ThreadKind, { message = '', ...written }: Written) {
  const createdAt = written.createdAt ?? Date.now();
  const status = written.status ?? 'new';
  const waitsSince = status === 'new' || status === 'waiting' ? createdAt : null;
  const times = { createdAt, lastAt: createdAt, waitsSince, changedAt: createdAt };
  const { id } = await db
    .insertInto('threads')
    .values({ kind, status, ...times, ...written })
    .returning('id')
    .executeTakeFirstOrThrow();
  const entry = { threadId: id, kind: 'visitor', text: message, at: createdAt } as const;
  return { id, entryId: Number(await addEntry(db, entry)) };
}

/** Inserts a contact message and returns its id. */
export async function insertSubmission(
  { database: { db } }: Pick<TestApp, 'database'>,
  written: Written = {},
): Promise<number> {
  const { id } = await insertThread(db, 'contact', {
    name: 'Dana Whitfield',
    email: 'dana@example.com',
    message: 'Our service-lane tablets lose Wi-Fi every afternoon.',
    ...written,
  });
  return id;
}

interface WrittenInChat extends Written {
  /** Messages with the same word belong to one conversation. */
  conversation?: string;
}

const REPLY = JSON.stringify({ until: '5:30 PM ET', opens: null, minutes: null, byEmail: true });

/** Inserts a chat message and the automatic reply, as the call does. Returns the message's id. */
export async function insertChatMessage(
  { database: { db } }: Pick<TestApp, 'database'>,
  { conversation = 'one', ...written }: WrittenInChat,
): Promise<number> {
  const at = written.createdAt ?? Date.now();
  const text = written.message ?? 'Are you there?';
  const known = await db
    .selectFrom('threads')
    .selectAll()
    .where('keyHash', '=', conversation)
    .executeTakeFirst();
  if (known) {
    const status = known.status === 'answered' ? 'waiting' : known.status;
    await changeThread(db, known.id, { status, lastAt: at, waitsSince: known.waitsSince ?? at });
    const entryId = await addEntry(db, { threadId: known.id, kind: 'visitor', text, at });
    await addEntry(db, { threadId: known.id, kind: 'reply', data: REPLY, at });
    return Number(entryId);
  }
  const { id, entryId } = await insertThread(db, 'chat', {
    name: 'Olga',
    email: 'sam@example.com',
    keyHash: conversation,
    ...written,
    message: text,
  });
  await addEntry(db, { threadId: id, kind: 'reply', data: REPLY, at });
  return entryId;
}

/** The id of the thread that has this entry. */
export async function threadOf(
  { database: { db } }: Pick<TestApp, 'database'>,
  entry: number,
): Promise<number> {
  const rows = db.selectFrom('entries').select('threadId').where('id', '=', entry);
  return (await rows.executeTakeFirstOrThrow()).threadId;
}

/** Sends a chat message as the panel does. Returns the answer, its number and its thread. */
export async function sendChatMessage(app: TestApp, visitor = app.visitor(), change: object = {}) {
  const body = { message: 'Anybody there?', ...change };
  const { response, reference } = (await visitor.post('/api/teams-chat', body)).json;
  const entry = Number(reference.slice(2));
  return { visitor, response, reference, entry, thread: await threadOf(app, entry) };
}
