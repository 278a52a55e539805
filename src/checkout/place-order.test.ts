import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OrderRequest } from '../orders/order.ts';
import { CallError } from '../platform/fetch-call.ts';
import {
  checkBilling,
  clearAttempt,
  placeOrder,
  savedOrderId,
  saveOrderId,
} from './place-order.ts';

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
  clearAttempt();
});

const answers = (body: object, status = 200) => Response.json(body, { status });
const keys = () =>
  send.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'));

test('a request whose connection breaks is sent once more, with the same idempotency key', async () => {
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  send.mockResolvedValueOnce(answers({ clientSecret: 's', orderId: 7, amount: 450 }));
  expect(await placeOrder(WANTED)).toBe('s');
  expect(savedOrderId()).toBe(7);
  expect(keys()).toHaveLength(2);
  expect(new Set(keys()).size).toBe(1);
});

test('a refusal by the server is not retried, and its message is thrown', async () => {
  send.mockResolvedValueOnce(answers({ message: 'Please try again.' }, 503));
  await expect(placeOrder(WANTED)).rejects.toMatchObject({
    message: 'Please try again.',
    cause: expect.any(CallError),
  });
  expect(send).toHaveBeenCalledTimes(1);
});

test.each([
  ['a failure without a message', answers({}, 500)],
  ['an answer without a secret', answers({ orderId: 7 })],
])('%s is thrown with the specification’s message', async (_what, answer) => {
  send.mockResolvedValueOnce(answer);
  await expect(placeOrder(WANTED)).rejects.toThrow(/^Failed to process payment$/);
});

test('an answer without an order id is accepted, and the earlier order of the tab is forgotten', async () => {
  saveOrderId(6);
  send.mockResolvedValueOnce(answers({ clientSecret: 's' }));
  expect(await placeOrder(WANTED)).toBe('s');
  expect(savedOrderId()).toBeNull();
});

const GOOD = {
  name: ' Pat Buyer ',
  email: 'pat@example.com',
  phone: '',
  company: '',
  postalCode: '30060',
};
const BAD = { name: 'P', email: 'pat', phone: '12', company: '', postalCode: '3006' };
const ERRORS = {
  name: 'Name must be at least 2 characters',
  email: 'Please enter a valid email address',
  phone: 'Please enter at least 10 digits for your phone number',
};

describe('the billing form', () => {
  test('has an error for each invalid field, for the ZIP code only with sales tax', () => {
    expect(checkBilling(BAD, false)).toEqual({ errors: ERRORS });
    const postalCode = 'The ZIP code must have 5 digits, such as 30060';
    expect(checkBilling(BAD, true)).toEqual({ errors: { ...ERRORS, postalCode } });
  });

  test('is trimmed, and drops empty fields and a ZIP code that is not needed', () => {
    const value = { name: 'Pat Buyer', email: 'pat@example.com', phone: null, company: null };
    for (const [tax, postalCode] of [
      [true, '30060'],
      [false, null],
    ] as const)
      expect(checkBilling(GOOD, tax)).toEqual({ value: { ...value, postalCode }, errors: {} });
  });

  test('has other messages for missing values than for invalid ones', () => {
    const empty = { name: ' ', email: '', phone: '', company: '', postalCode: '' };
    expect(checkBilling(empty, true)).toEqual({
      errors: {
        name: 'Please enter the name on your card',
        email: 'Please enter your email address',
        postalCode: 'Please enter your ZIP code',
      },
    });
  });
});
