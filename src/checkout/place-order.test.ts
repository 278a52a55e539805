import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { orderRequest } from '../orders/order.ts';
import { billingForm, clearAttempt, placeOrder, savedOrderId, saveOrderId } from './place-order.ts';

const WANTED = orderRequest.parse(SAMPLE_ORDER);

const send = vi.fn<typeof fetch>();
beforeEach(() => vi.stubGlobal('fetch', send));
afterEach(() => {
  send.mockReset();
  clearAttempt();
});

const answers = (body: object, status = 200) => Response.json(body, { status });
const keys = () =>
  send.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'));

test('another name or phone number pays the same order, another email address or price a new one', async () => {
  send.mockImplementation(async () => answers({ clientSecret: 's', orderId: 7 }));
  const renamed = { name: 'Ann Buyer', phone: '770 555 0199' };
  for (const change of [{}, renamed, { email: 'corrected@example.com' }, { amount: 451 }])
    await placeOrder({ ...WANTED, ...change });
  const [first, again, ...others] = keys();
  expect(again).toBe(first);
  expect(new Set([first, ...others]).size).toBe(3);
});

test('an answer without an order id is accepted, and the earlier order of the tab is forgotten', async () => {
  saveOrderId(6);
  send.mockResolvedValueOnce(answers({ clientSecret: 's' }));
  expect(await placeOrder(WANTED)).toBe('s');
  expect(savedOrderId()).toBeNull();
});

const EMPTY = { name: ' ', email: '', phone: '', company: '', postalCode: '', title: '' };
const GOOD = { ...EMPTY, name: ' Pat Buyer ', email: 'pat@example.com', postalCode: '30060' };
const BAD = { name: 'P', email: 'pat', phone: '12', company: '', postalCode: '3006', title: '' };
const ERRORS = {
  name: 'Name must be at least 2 characters',
  email: 'Please enter a valid email address',
  phone: 'Please enter at least 10 digits for your phone number',
};

/** The first message of each field, or what is sent. */
function check(typed: object, tax: boolean): unknown {
  const { data, error } = billingForm(tax, false).safeParse(typed);
  const issues = error?.issues.map(({ path, message }) => [path[0], message]).reverse();
  return data ?? Object.fromEntries(issues ?? []);
}

describe('the billing form', () => {
  test('has an error for each invalid field, for the ZIP code only with sales tax', () => {
    expect(check(BAD, false)).toEqual(ERRORS);
    const postalCode = 'The ZIP code must have 5 digits, such as 30060';
    expect(check(BAD, true)).toEqual({ ...ERRORS, postalCode });
  });

  test('is trimmed, and drops empty fields and a ZIP code that is not needed', () => {
    const dropped = { phone: null, company: null, title: null };
    const trimmed = { name: 'Pat Buyer', email: 'pat@example.com', ...dropped };
    expect(check(GOOD, true)).toEqual({ ...trimmed, postalCode: '30060' });
    expect(check(GOOD, false)).toEqual({ ...trimmed, postalCode: null });
  });

  test('has other messages for missing values than for invalid ones', () => {
    expect(check(EMPTY, true)).toEqual({
      name: 'Please enter the name on your card',
      email: 'Please enter your email address',
      postalCode: 'Please enter your ZIP code',
    });
  });
});
