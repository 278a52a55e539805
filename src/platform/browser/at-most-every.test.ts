/** A flood of news must not become a flood of calls from those who read them. */
import { afterEach, expect, test, vi } from 'vitest';
import { atMostEvery } from './at-most-every.ts';

afterEach(() => vi.useRealTimers());

test('news are fetched at once, those that follow together, and the last is never missed', () => {
  vi.useFakeTimers();
  const fetched = vi.fn();
  const onNews = atMostEvery(5_000, fetched);
  for (let news = 1; news <= 100; news += 1) {
    onNews();
    if (news === 1) expect(fetched).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
  }
  expect(fetched).toHaveBeenCalledTimes(5);
  vi.advanceTimersByTime(60_000);
  expect(fetched).toHaveBeenCalledTimes(5);
  onNews();
  expect(fetched).toHaveBeenCalledTimes(6);
});
