import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OrderRequest } from '../orders/order.ts';
import { CallError } from '../platform/fetch-call.ts';
import { forgetAttempt, placeOrder, recallOrderId, rememberOrderId } from './place-order.ts';

const WANTED: OrderRequest = {
  planId: 1,
  name: 'Ann Lee',
  email: 'ann@example.com',
  phone: null,
  company: null,
  ms365Option: 'none',
  ms365Users: 0,
  includeCloudBackup: false,
  amount: 450,
  another: false,
  paymentMethod: 'credit_card',
};

const send = vi.fn<typeof fetch>();
beforeEach(() => vi.stubGlobal('fetch', send));
afterEach(() => {
  vi.unstubAllGlobals();
  send.mockReset();
  forgetAttempt();
});

const answers = (body: object, status = 200) => Response.json(body, { status });
const keys = () =>
  send.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'));

test('a connection that breaks once is not noticed, and the second request has the same key', async () => {
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  send.mockResolvedValueOnce(answers({ clientSecret: 's', orderId: 7, amount: 450 }));
  expect(await placeOrder(WANTED)).toBe('s');
  expect(recallOrderId()).toBe(7);
  expect(keys()).toHaveLength(2);
  expect(new Set(keys()).size).toBe(1);
});

test('what the server has answered is not asked for again', async () => {
  send.mockResolvedValueOnce(answers({ message: 'Please try again.' }, 503));
  await expect(placeOrder(WANTED)).rejects.toMatchObject({
    message: 'Please try again.',
    cause: expect.any(CallError),
  });
  expect(send).toHaveBeenCalledTimes(1);
});

test.each([
  ['a failure without a word', answers({}, 500)],
  ['an answer without a secret', answers({ orderId: 7 })],
])('%s is thrown in the specification’s words', async (_what, answer) => {
  send.mockResolvedValueOnce(answer);
  await expect(placeOrder(WANTED)).rejects.toThrow(/^Failed to process payment$/);
});

test('an answer that names no order goes on, and no earlier order stands for it', async () => {
  rememberOrderId(6);
  send.mockResolvedValueOnce(answers({ clientSecret: 's' }));
  expect(await placeOrder(WANTED)).toBe('s');
  expect(recallOrderId()).toBeNull();
});
