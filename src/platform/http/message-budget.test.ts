import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { MessageBudget } from './message-budget.server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const MEGABYTE = { message: '😀'.repeat(250_000) };

test('strangers who store more than 200 MB in a day read the telephone number, and what failed counts nothing', async () => {
  const budget = new MessageBudget('(770) 555-0100');
  const { db } = app.database;
  const store = (message: object) => budget.spend(db, message, async (_, take) => take());
  for (let tries = 0; tries < 250; tries += 1) {
    const failing = budget.spend(db, MEGABYTE, async (_, take) => {
      expect(take()).toBeUndefined();
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
  }
  for (let taken = 0; taken < 199; taken += 1) expect(await store(MEGABYTE)).toBeUndefined();
  const refused = await store(MEGABYTE);
  expect(refused?.status).toBe(503);
  expect(refused?.headers.get('retry-after')).toBe('3600');
  expect(await refused?.text()).toContain('(770) 555-0100');
  expect(await store({ message: 'Short.' })).toBeUndefined();
});
