import { afterEach, expect, test } from 'vitest';
import { startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';

let site: TestOutbox;
afterEach(() => site.stop());

test('what none of the channels is for is taken, and waits for nothing', async () => {
  const channel = {
    name: 'mail-customer',
    atOnce: 1,
    paceMs: null,
    deadlineMs: 1_000,
    deliver: () => Promise.reject(new Error('nobody is to hear of it')),
    close: () => undefined,
  } as const;
  site = await startTestOutbox({}, [channel]);
  const { db } = site.database;
  await site.chat();
  expect(await db.selectFrom('chatMessages').select('message').execute()).toHaveLength(1);
  expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([]);
});
