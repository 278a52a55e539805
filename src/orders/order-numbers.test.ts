/** The number of an order tells when it was placed, and not how many there are. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(async () => {
  vi.useRealTimers();
  await app.stop();
});

const placed = async () => (await savedOrder(app.database.db)).id;
const at = (time: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) });

test('it is the second since 2020, or the next number after the last', async () => {
  at('2020-01-01T00:00:00Z');
  expect(await placed()).toBe(1);
  at('2026-11-21T12:00:00.999Z');
  const first = Date.UTC(2026, 10, 21, 12) / 1000 - Date.UTC(2020, 0, 1) / 1000;
  expect([await placed(), await placed(), await placed()]).toEqual([first, first + 1, first + 2]);
  at('2026-11-21T12:00:02.000Z');
  expect(await placed()).toBe(first + 3);
  at('2026-11-21T12:01:00.000Z');
  expect(await placed()).toBe(first + 60);
});

test('a clock that is wrong gives no number twice, and uses none up', async () => {
  at('2026-11-21T12:00:00Z');
  const before = await placed();
  at('2019-12-31T12:00:00Z');
  expect(await placed()).toBe(before + 1);
  at('2100-01-01T00:00:00Z');
  expect(await placed()).toBe(before + 2);
});

test('of many orders at once each has its own', async () => {
  const numbers = await Promise.all(Array.from({ length: 30 }, placed));
  expect(new Set(numbers).size).toBe(30);
});
