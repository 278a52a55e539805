/** Orders that nobody pays do not wait for ever. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { cents } from '../platform/money.ts';
import { expireOrders } from './abandon-order.server.ts';
import { changeStatus, orderNow, savePayment } from './order-store.server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const HOUR_MS = 60 * 60 * 1000;
const hoursAgo = (hours: number) => Date.now() - hours * HOUR_MS;
const STARTED = {
  paymentId: 'pi_1',
  clientSecret: 's',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  due: cents(1),
};

test('after a day without payment, or an hour at the bank, an order is canceled at the provider and here', async () => {
  const { db } = app.database;
  const gateway = standInGateway();
  const young = await savedOrder(db, { createdAt: hoursAgo(23) });
  const old = await savedOrder(db, { createdAt: hoursAgo(25) });
  const asked = await savedOrder(db, { createdAt: hoursAgo(2) });
  const justAsked = await savedOrder(db, { createdAt: hoursAgo(2) });
  for (const { id } of [asked, justAsked])
    await changeStatus(db, id, 'pending', 'processing', 'test');
  await db
    .updateTable('orderStatuses')
    .set({ at: hoursAgo(1.1) })
    .where('orderId', '=', asked.id)
    .execute();
  await expireOrders({ db, gateway, notify: async () => undefined }, () => false);
  const statuses = await Promise.all(
    [young, old, asked, justAsked].map(async (order) => (await orderNow(db, order)).status),
  );
  expect(statuses).toEqual(['pending', 'canceled', 'canceled', 'processing']);
  expect(gateway.cancelPayment.mock.calls.map(([{ id }]) => id)).toEqual([old.id, asked.id]);
});

test('an order whose payment was started just when it was given up is canceled with that payment', async () => {
  const { db } = app.database;
  const gateway = standInGateway();
  const order = await savedOrder(db, { createdAt: hoursAgo(25) });
  gateway.cancelPayment.mockImplementationOnce(async ({ id }) => {
    await savePayment(db, id, STARTED);
    return 'canceled';
  });
  await expireOrders({ db, gateway, notify: async () => undefined }, () => false);
  const seen = gateway.cancelPayment.mock.calls.filter(([{ id }]) => id === order.id);
  expect(seen.map(([{ paymentId }]) => paymentId)).toEqual([null, 'pi_1']);
});
