import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { expireSessions } from './expire-sessions.server.ts';
import { bucketsOf } from './failure-store.server.ts';

const HOUR = 60 * 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
afterEach(() => {
  vi.useRealTimers();
});

const sessions = () => app.database.db.selectFrom('sessions').selectAll().execute();

test('the door is tidied each hour, until that is stopped', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const halfADayLater = () => {
    vi.setSystemTime(Date.now() + 12 * HOUR);
    vi.advanceTimersByTime(HOUR);
  };
  const { start, stop } = expireSessions(app.database.db);
  await start();
  await app.staff();
  halfADayLater();
  await stop();
  expect(await sessions()).toEqual([]);
  await app.staff();
  halfADayLater();
  await stop();
  expect(await sessions()).toHaveLength(1);
});

test('who is counted in several places is counted in the same order, once in each', () => {
  const counted = Array.from({ length: 20 }, (_, index) => `name ${index}`);
  const buckets = bucketsOf('key', counted);
  expect(bucketsOf('key', [...counted.toReversed(), 'name 3'])).toEqual(buckets);
  expect(buckets).toEqual(buckets.toSorted((one, other) => one - other));
  expect(bucketsOf('another key', counted)).not.toEqual(buckets);
});
