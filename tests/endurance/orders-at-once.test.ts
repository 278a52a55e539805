/** Repeated submissions make one order, and no stranger gets at it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeScene } from '../support/every-call.ts';
import { sized } from '../support/sized.ts';
import { insist } from '../support/stripe-shop.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

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

test('a stranger who tries many times neither reads nor updates an order', async () => {
  const { orderId } = await makeScene(app);
  const stranger = (await makeScene(app)).owner;
  const attempts = sized(100, 10_000);
  let successes = 0;
  for (let attempt = 0; attempt < attempts; attempt += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const caller = Object.assign(app.visitor(), { cookies: new Map(stranger.cookies) });
        if (i % 3 === 0) caller.cookies.set('order_key', guess());
        const path = `/api/orders/${orderId}`;
        const { status } =
          i % 2
            ? await caller.get(path)
            : await caller.post(`${path}/update-status`, { status: 'canceled' });
        if (status !== 404) successes += 1;
      }),
    );
  }
  expect(successes).toBe(0);
  expect((await (await app.staff()).get(`/api/orders/${orderId}`)).json.history.length).toBe(1);
});

function guess(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}
