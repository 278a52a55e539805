import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EVERY_CALL, type Limit, RateLimits } from './rate-limit.server.ts';

const ONCE: Limit = { name: 'once', rules: [{ calls: 1, seconds: 60 }] };

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('a window in which nothing counts any more begins with the next call', () => {
  const limits = new RateLimits();
  limits.take(ONCE, 'a').giveBack();
  vi.advanceTimersByTime(30_000);
  limits.take(ONCE, 'a');
  expect(limits.take(ONCE, 'a').wait).toBe(60);
});

test('a call for which there was no room counts among all calls', () => {
  const limits = new RateLimits();
  for (let times = 0; times < 300; times += 1) limits.refuse(60, 'a');
  expect(limits.wait(EVERY_CALL, 'a')).toBe(60);
});

test('only so many keys are remembered, the latest', () => {
  const limits = new RateLimits();
  for (let key = 0; key < 30_000; key += 1) limits.take(ONCE, `${key}`);
  expect(limits.take(ONCE, '29999').wait).toBe(60);
  expect(limits.take(ONCE, '10000').wait).toBe(60);
  expect(limits.take(ONCE, '9999').wait).toBe(0);
});

test('a clock that is set back by a day keeps nobody waiting for a day', () => {
  const limits = new RateLimits();
  limits.take(ONCE, 'a');
  vi.setSystemTime(Date.now() - 86_400_000);
  expect(limits.take(ONCE, 'a').wait).toBe(0);
});
