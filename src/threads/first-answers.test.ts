import { expect, test, vi } from 'vitest';
import { insertSubmission, sendChatMessage } from '../../tests/support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { CLOSED, OPEN } from '../../tests/support/test-outbox.ts';
import { addEntry } from './thread-store.server.ts';

const MINUTE = 60_000;

/** Messages of which each was answered after so many minutes, or not at all. */
async function written(app: TestApp, waits: (number | null)[], createdAt: number) {
  for (const wait of waits) {
    const threadId = await insertSubmission(app, { createdAt, message: 'Our phones are down.' });
    if (wait !== null) {
      const at = createdAt + wait * MINUTE;
      await addEntry(app.database.db, { threadId, kind: 'staff', text: 'Yes.', authorId: 1, at });
    }
  }
}

test('visitors read the median of a person’s first answers once twenty say it, and staff by week', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: OPEN + 5 * 24 * 60 * MINUTE });
  const quiet = await startTestApp();
  await written(quiet, [...Array<number>(10).fill(3), ...Array<number>(9).fill(8)], OPEN);
  const still = await quiet.restart();
  const sentence = /Our median first answer by a person took/;
  expect((await still.visitor().get('/')).text).not.toMatch(sentence);
  await written(still, [8, null], OPEN);
  await written(still, [600], CLOSED);
  const app = await still.restart();
  const said =
    /took 3 minutes, over 20 messages that came during support hours in the last 30 days/;
  for (const path of ['/', '/trust'])
    await expect.poll(async () => (await app.visitor().get(path)).text).toMatch(said);
  const { json } = await (await app.staff()).get('/api/admin/first-answers');
  expect(json.weeks).toEqual([{ week: '2026-11-16', threads: 21, answered: 20, minutes: 3 }]);
  expect((await sendChatMessage(app)).response).toContain('usually answer within 5 minutes');
  await app.stop();
});
