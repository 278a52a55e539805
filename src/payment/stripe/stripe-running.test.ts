/** Which card a subscription is charged to, and until when its month is paid. */
import { expect, test } from 'vitest';
import { cardOnFile, periodOf } from './stripe-running.server.ts';

const card = { brand: 'amex', last4: '0005', exp_month: 2, exp_year: 2031 };
const READ = { brand: 'American Express', last4: '0005', expiryMonth: 2, expiryYear: 2031 };
const customers = (method: unknown) => ({ invoice_settings: { default_payment_method: method } });

test.each([
  ['its own', { default_payment_method: { card }, customer: customers(null) }, READ],
  ['the customer’s', { default_payment_method: null, customer: customers({ card }) }, READ],
  ['none', { default_payment_method: null, customer: customers(null) }, null],
  ['a bank account', { default_payment_method: { us_bank_account: {} }, customer: 'cus_1' }, null],
  ['one that was not asked for', { default_payment_method: 'pm_1', customer: 'cus_1' }, null],
  ['a deleted customer’s', { default_payment_method: null, customer: { deleted: true } }, null],
  ['one of a customer who was not asked for', { customer: 'cus_1' }, null],
])('%s', (_what, subscription, read) => {
  expect(cardOnFile(subscription as never)).toEqual(read);
});

test.each([
  [{}, 30_000],
  [{ cancel_at: 20 }, 20_000],
  [{ cancel_at: 90 }, 30_000],
  [{ cancel_at: 20, ended_at: 15 }, 15_000],
])('the paid month of a subscription with %j', (change, end) => {
  const item = (current_period_start: number, current_period_end: number) => ({
    current_period_start,
    current_period_end,
  });
  const items = { data: [item(7, 40), item(5, 30)] };
  const subscription = { items, cancel_at: null, ended_at: null, ...change };
  expect(periodOf(subscription as never)).toEqual({ start: 5000, end });
});
