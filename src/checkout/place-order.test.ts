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

test('a connection that breaks once is not noticed, and the second request has the same key', async () => {
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  send.mockResolvedValueOnce(answers({ clientSecret: 's', orderId: 7, amount: 450 }));
  expect(await placeOrder(WANTED)).toBe('s');
  expect(savedOrderId()).toBe(7);
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
const FAULTS = {
  name: 'Name must be at least 2 characters',
  email: 'Please enter a valid email address',
  phone: 'Please enter at least 10 digits for your phone number',
};

describe('who pays, and where', () => {
  test('reads what is wrong field by field, the ZIP code only where there is sales tax', () => {
    expect(checkBilling(BAD, false)).toEqual({ faults: FAULTS });
    const postalCode = 'The ZIP code must have 5 digits, such as 30060';
    expect(checkBilling(BAD, true)).toEqual({ faults: { ...FAULTS, postalCode } });
  });

  test('is sent as it is meant: trimmed, and without what is empty or not asked for', () => {
    const value = { name: 'Pat Buyer', email: 'pat@example.com', phone: null, company: null };
    expect(checkBilling(GOOD, true)).toEqual({
      value: { ...value, postalCode: '30060' },
      faults: {},
    });
    expect(checkBilling(GOOD, false)).toEqual({
      value: { ...value, postalCode: null },
      faults: {},
    });
  });

  test('is asked for what is missing, in other words than what is wrong', () => {
    const empty = { name: ' ', email: '', phone: '', company: '', postalCode: '' };
    expect(checkBilling(empty, true)).toEqual({
      faults: {
        name: 'Please enter the name on your card',
        email: 'Please enter your email address',
        postalCode: 'Please enter your ZIP code',
      },
    });
  });
});
