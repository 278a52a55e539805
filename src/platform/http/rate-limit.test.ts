import { beforeEach, expect, test, vi } from 'vitest';
import { type CallLimit, EVERY_CALL } from '../../limits.ts';
import { RateLimits } from './rate-limit.server.ts';

const ONCE: CallLimit = { name: 'once', rules: [[1, 60]] };

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));

test('a window starts with the first call that counts', () => {
  const limits = new RateLimits();
  limits.take(ONCE, 'a').giveBack();
  vi.advanceTimersByTime(30_000);
  limits.take(ONCE, 'a');
  expect(limits.take(ONCE, 'a').wait).toBe(60);
});

test('calls over their own limit count toward the limit of all calls', () => {
  const limits = new RateLimits();
  for (let times = 0; times < 300; times += 1) limits.refuse(60, 'a');
  expect(limits.wait(EVERY_CALL, 'a')).toBe(60);
});

test('only the latest 20,000 addresses are kept', () => {
  const limits = new RateLimits();
  for (let key = 0; key < 30_000; key += 1) limits.take(ONCE, `${key}`);
  expect(limits.take(ONCE, '29999').wait).toBe(60);
  expect(limits.take(ONCE, '10000').wait).toBe(60);
  expect(limits.take(ONCE, '9999').wait).toBe(0);
});
