/** How orders are numbered, and how they keep their first payment. */
import { beforeEach, expect, test, vi } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { cents } from '../platform/money.ts';
import { getOrder, saveCustomer, savePayment } from './order-store.server.ts';

const app = sharedTestApp();
beforeEach(async () => {
  await app.database.db.deleteFrom('orders').execute();
});

const db = () => app.database.db;
const save = (change: Parameters<typeof savedOrder>[1] = {}) => savedOrder(db(), change);
const idsOf = (orders: { id: number }[]) => orders.map(({ id }) => id);

test('an order keeps the payment and the customer that were saved first', async () => {
  const payment = { paymentId: 'pi_1', clientSecret: 'pi_1_secret_x' };
  const ids = { ...payment, customerId: 'cus_1', subscriptionId: 'sub_1' };
  const started = { ...ids, due: { month: cents(486_00), once: cents(0) } };
  const order = await save();
  await savePayment(db(), order.id, started);
  const { month } = started.due;
  const subscription = { ...order.subscription, ...ids, totalCents: month, dueCents: month };
  const kept = { ...order, subscription, version: 1 };
  await savePayment(db(), order.id, { ...started, paymentId: 'pi_2', subscriptionId: 'sub_2' });
  await saveCustomer(db(), order.id, 'cus_2');
  expect(await getOrder(db(), order)).toEqual(kept);
});

test('an order’s number is the seconds since 2020 or more than the last one, and odd', async () => {
  const at = async (time: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) });
    return (await save()).id;
  };
  const first = Date.UTC(2026, 10, 21, 12) / 1000 - Date.UTC(2020, 0, 1) / 1000;
  expect(await at('2026-11-21T12:00:00.999Z')).toBe(first + 1);
  expect(await at('2026-11-21T12:00:00.999Z')).toBe(first + 3);
  expect(await at('2026-11-21T12:01:00.000Z')).toBe(first + 61);
  expect(await at('2019-12-31T12:00:00Z')).toBe(first + 63);
  const many = await Promise.all(Array.from({ length: 30 }, () => save()));
  expect(new Set(idsOf(many)).size).toBe(30);
});
