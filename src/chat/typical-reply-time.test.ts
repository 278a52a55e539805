import { beforeEach, expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import { insertChatMessage, insertSubmission, threadOf } from '../../tests/support/staff-steps.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { CLOSED, OPEN } from '../../tests/support/test-outbox.ts';
import { addEntry } from '../threads/thread-store.server.ts';
import { replyAt, replyInWords } from './automatic-reply.server.ts';
import { typicalReplyMinutes } from './typical-reply-time.server.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const content = ownContent();
const { company } = content;

const app = sharedTestApp();
beforeEach(() => app.database.db.deleteFrom('threads').execute());

const usual = (now = OPEN + DAY) => typicalReplyMinutes(app.database.db, company.hours, now);
const answer = (threadId: number, at: number) =>
  addEntry(app.database.db, { threadId, kind: 'staff', text: 'Yes.', authorId: 1, at });

/** Chats whose only message came at `at`, each answered after so many minutes. */
async function answered(waits: number[], at = OPEN): Promise<void> {
  for (const [place, wait] of waits.entries()) {
    const id = await insertChatMessage(app, { conversation: `${at} ${place}`, createdAt: at });
    await answer(await threadOf(app, id), at + wait * MINUTE);
  }
}

/** With ten minutes to promise. */
function replyOn(at: number) {
  const data = JSON.stringify(replyAt(company, at, 10, true));
  return replyInWords({ content, company }, data, { name: null, email: null });
}

const waits = (count: number, minutes: number) => Array<number>(count).fill(minutes);

test('a visitor is promised the time within which four of five chats have been answered', async () => {
  await answered([...waits(16, 7), ...waits(4, 50)]);
  expect(await usual()).toBe(10);
  const reply = replyOn(OPEN);
  expect(reply).toContain('open until 5:30 PM ET. We usually answer within 10 minutes.');
});

test('nothing is promised from fewer than twenty answers, or from slow ones', async () => {
  await answered(waits(19, 7));
  expect(await usual()).toBe(null);
  await answered(waits(20, 90), OPEN + 1);
  expect(await usual()).toBe(null);
});

test('nothing is promised while the desk is closed', () => {
  const reply = replyOn(CLOSED);
  expect(reply).not.toContain('usually');
});

test('answers count for 30 days, and only to what came while the desk was open, in the chat', async () => {
  await answered(waits(20, 5));
  await answered(waits(40, 55), CLOSED);
  const contact = await insertSubmission(app, { createdAt: OPEN });
  await answer(contact, OPEN + 55 * MINUTE);
  expect(await usual()).toBe(5);
  expect(await usual(OPEN + 31 * DAY)).toBe(null);
});

test('the time counts from the first message that was not answered yet', async () => {
  await answered(waits(20, 5));
  const { db } = app.database;
  const threads = await db.selectFrom('threads').select(['id', 'keyHash']).execute();
  for (const { id, keyHash } of threads)
    for (const wait of [15, 25, 35]) {
      const createdAt = OPEN + wait * MINUTE;
      await insertChatMessage(app, { conversation: keyHash ?? '', createdAt });
      if (wait === 35) await answer(id, createdAt + 5 * MINUTE);
    }
  // 5 minutes for the first answer in each chat, 25 for the second.
  expect(await usual()).toBe(25);
});
