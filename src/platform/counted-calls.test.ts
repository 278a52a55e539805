import { expect, test, vi } from 'vitest';
import { CountedCalls } from './counted-calls.server.ts';

test('counts within a window that begins with the first call', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const counted = new CountedCalls(2, 60);
  counted.count('a');
  vi.advanceTimersByTime(30_000);
  counted.count('a');
  expect([counted.wait('a'), counted.wait('b')]).toEqual([30, 0]);
  vi.advanceTimersByTime(30_000);
  expect(counted.wait('a')).toBe(0);
  counted.count('a');
  expect(counted.wait('a')).toBe(0);
  counted.count('a');
  counted.giveBack('a');
  expect(counted.wait('a')).toBe(0);
  vi.useRealTimers();
});

test('remembers only so many, the latest, whatever the clock of the machine says', () => {
  const counted = new CountedCalls(1, 60);
  for (let key = 0; key < 30_000; key += 1) counted.count(`${key}`);
  const remembered = Array.from({ length: 30_000 }, (_, key) => counted.wait(`${key}`) > 0);
  expect(remembered.indexOf(true)).toBe(10_000);
  expect(remembered.lastIndexOf(false)).toBe(9_999);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
  expect(counted.wait('29999')).toBeLessThanOrEqual(60);
  vi.useRealTimers();
});
