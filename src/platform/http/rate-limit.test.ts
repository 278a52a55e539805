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

test('who is refused frees no name whose sign-ins have failed too often', () => {
  const limits = new RateLimits();
  const byName: CallLimit = { ...ONCE, name: 'by-name' };
  limits.take(byName, 'admin');
  limits.take(ONCE, 'address');
  for (let name = 0; name < 20_000; name += 1)
    limits.takeAll([
      [ONCE, 'address'],
      [byName, `${name}`],
    ]);
  expect(limits.take(byName, 'admin')).toBeGreaterThan(0);
});
