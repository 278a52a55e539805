import { expect, test } from 'vitest';
import { MessageBudget } from './message-budget.server.ts';

test('strangers who send more than 200 MB in a day read the telephone number, counted in bytes', async () => {
  const budget = new MessageBudget('(770) 555-0100');
  const message = { message: '😀'.repeat(250_000) };
  let refused: Response | undefined;
  let taken = 0;
  while (!refused) {
    refused = budget.take(message);
    if (!refused) taken += 1;
  }
  expect(taken).toBe(199);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('3600');
  expect(await refused.text()).toContain('(770) 555-0100');
  expect(budget.take({ message: 'Short.' })).toBeUndefined();
});
