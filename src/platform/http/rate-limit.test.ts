import { expect, test } from 'vitest';
import type { CallLimit } from '../../limits.ts';
import { RateLimits } from './rate-limit.server.ts';

const ONCE: CallLimit = { name: 'once', rules: [[1, 60]] };

test('only the latest 20,000 addresses are kept', () => {
  const limits = new RateLimits();
  for (let key = 0; key < 30_000; key += 1) limits.take(ONCE, `${key}`);
  expect(limits.take(ONCE, '29999')).toBeGreaterThan(0);
  expect(limits.take(ONCE, '10000')).toBeGreaterThan(0);
  expect(limits.take(ONCE, '9999')).toBe(0);
});
