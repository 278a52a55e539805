import { expect, test } from 'vitest';
import { MessageBudget } from './message-limits.server.ts';

test('a visitor who writes when 200 MB were stored today is given the phone number', async () => {
  const budget = new MessageBudget('(770) 555-0100');
  const megabyte = { message: '😀'.repeat(250_000) };
  for (let stored = 0; stored < 199; stored += 1) expect(budget.spend(megabyte)).toBeUndefined();
  const refused = budget.spend(megabyte);
  expect(refused?.status).toBe(503);
  expect(refused?.headers.get('retry-after')).toBe('3600');
  expect(await refused?.text()).toContain('(770) 555-0100');
  expect(budget.spend({ message: 'Short.' })).toBeUndefined();
});
