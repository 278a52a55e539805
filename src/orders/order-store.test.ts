/** Orders are numbered, found by the provider that charges for them, and keep the payment that was started first. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { NewRow } from '../platform/database/tables.server.ts';
import { cents } from '../platform/money.ts';
import { ORDER_STATUSES } from './order.ts';
import { orderJson } from './order-calls.server.ts';
import {
  findOrdersToEnd,
  findUnpaidOrders,
  getOrder,
  saveCustomer,
  savePayment,
  updateOrder,
} from './order-store.server.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(async () => {
  vi.useRealTimers();
  await app.stop();
});

const db = () => app.database.db;
const save = (change: Partial<NewRow<'orders'>> = {}) => savedOrder(db(), change);
const numbers = (orders: { id: number }[]) => orders.map(({ id }) => id);

const STRIPE = { provider: 'stripe', live: false } as const;
const FOREIGN = [{ provider: 'test' }, { live: 1 }] as const;

test('a provider gets the orders of its mode that are undecided, the oldest first', async () => {
  const createdAt = 1000;
  const ids: number[] = [];
  for (const status of ORDER_STATUSES) ids.push((await save({ status, createdAt })).id);
  await save({ createdAt: createdAt + 1 });
  for (const foreign of FOREIGN) await save({ createdAt, ...foreign });
  const [pending, processing, , failed] = ids;
  const undecided = [pending, processing, failed];
  expect(numbers(await findUnpaidOrders(db(), STRIPE, createdAt))).toEqual(undecided);
  // From a time that has not come yet: the clock was ahead.
  const ahead = await save({ createdAt: Date.now() + 60_000 });
  expect(numbers(await findUnpaidOrders(db(), STRIPE, createdAt))).toEqual([
    ...undecided,
    ahead.id,
  ]);
});

test('a provider gets the orders of its mode that are over and perhaps still charged', async () => {
  const over: number[] = [];
  for (const status of ORDER_STATUSES) {
    const { id } = await save({ status, subscriptionId: randomUUID() });
    if (status === 'canceled' || status === 'refunded') over.push(id);
  }
  const ended = await save({ status: 'canceled', subscriptionId: 'sub_1' });
  await updateOrder(db(), ended.id, { subscriptionEnded: 1 });
  await save({ status: 'canceled' });
  for (const foreign of FOREIGN)
    await save({ status: 'canceled', subscriptionId: randomUUID(), ...foreign });
  expect(numbers(await findOrdersToEnd(db(), STRIPE))).toEqual(over);
});

test('an order keeps the payment that was started first, and its customer from then on', async () => {
  const started = {
    paymentId: 'pi_1',
    clientSecret: 'pi_1_secret_x',
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    due: cents(486_00),
  };
  const order = await save();
  await savePayment(db(), order.id, started);
  const { due, ...ids } = started;
  const kept = { ...order, ...ids, dueCents: due, version: 1 };
  await savePayment(db(), order.id, { ...started, paymentId: 'pi_2', subscriptionId: 'sub_2' });
  await saveCustomer(db(), order.id, 'cus_2');
  expect(await getOrder(db(), order)).toEqual(kept);
});

test('an order is shown in dollars and days, with nothing of the payment’s secret', async () => {
  const line = { kind: 'plan', label: 'Essential', unitPrice: 450_00, quantity: 1, amount: 450_00 };
  const order = await save({
    includeCloudBackup: 1,
    priceLines: JSON.stringify([line]),
    dueCents: 486_00,
    refundedCents: 10_50,
    clientSecret: 'pi_1_secret_x',
    endsAt: Date.UTC(2026, 1, 15),
  });
  const shown = orderJson(order);
  expect(shown).toMatchObject({
    ...{ includeCloudBackup: true, amount: 450, tax: 36, refunded: 10.5 },
    lines: [{ ...line, unitPrice: 450, amount: 450 }],
    ...{ createdAt: '2026-01-15T00:00:00.000Z', endsAt: '2026-02-15T00:00:00.000Z' },
  });
  expect(JSON.stringify(shown)).not.toContain('secret');
});

test('an order’s number is the second since 2020, or the next after the last, whatever the clock says', async () => {
  const at = async (time: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) });
    return (await save()).id;
  };
  const first = Date.UTC(2026, 10, 21, 12) / 1000 - Date.UTC(2020, 0, 1) / 1000;
  expect(await at('2026-11-21T12:00:00.999Z')).toBe(first);
  expect(await at('2026-11-21T12:00:00.999Z')).toBe(first + 1);
  expect(await at('2026-11-21T12:01:00.000Z')).toBe(first + 60);
  expect(await at('2019-12-31T12:00:00Z')).toBe(first + 61);
  expect(await at('2100-01-01T00:00:00Z')).toBe(first + 62);
  vi.useRealTimers();
  const many = await Promise.all(Array.from({ length: 30 }, () => save()));
  expect(new Set(numbers(many)).size).toBe(30);
});
