import { expect, test } from 'vitest';
import { insist } from '../support/stripe-shop.ts';
import { sharedTestApp } from '../support/test-app.ts';
import { sized } from './sized.ts';

const app = sharedTestApp();

test('an order submitted many times at once becomes one order with one payment', async () => {
  const submit = () => insist(app.visitor, {}, 'one-order-at-once');
  const answers = await Promise.all(Array.from({ length: sized(50, 5_000) }, submit));
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([200]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const { db } = app.database;
  expect((await db.selectFrom('orders').select('id').execute()).length).toBe(1);
  expect((await db.selectFrom('testPayments').select('id').execute()).length).toBe(1);
  const [first] = answers;
  const confirm = { clientSecret: first?.json.clientSecret, token: 'succeeds' };
  await app.visitor().post('/api/test-payments/confirm', confirm);
  const staff = await app.staff();
  const { status } = (await staff.get(`/api/orders/${first?.json.orderId}`)).json;
  expect(status).toBe('paid');
});
