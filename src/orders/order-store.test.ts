/** Orders as they are found again: by the provider that charges for them, and by the browser that made them. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { NewRow } from '../platform/database/tables.server.ts';
import { cents } from '../platform/money.ts';
import { ORDER_STATUSES } from './order.ts';
import { orderJson } from './order-calls.server.ts';
import {
  chargedOrders,
  orderNow,
  saveCustomer,
  savePayment,
  undecidedOrders,
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

describe('of its orders in its mode a provider is told', () => {
  /** The orders of another provider or mode, of none of which it is told. */
  const saveForeign = async (change: Partial<NewRow<'orders'>>) => {
    await save({ ...change, subscriptionId: randomUUID(), provider: 'test' });
    await save({ ...change, subscriptionId: randomUUID(), live: 1 });
  };

  test('which are undecided, the oldest first', async () => {
    const createdAt = 1000;
    const ids: number[] = [];
    for (const status of ORDER_STATUSES) ids.push((await save({ status, createdAt })).id);
    await save({ createdAt: createdAt + 1 });
    await saveForeign({ createdAt });
    const [pending, processing, , failed] = ids;
    const undecided = [pending, processing, failed];
    expect(numbers(await undecidedOrders(db(), STRIPE, createdAt))).toEqual(undecided);
    expect(await undecidedOrders(db(), { ...STRIPE, live: true }, createdAt)).toHaveLength(1);
  });

  test('which are undecided from a time that has not come yet: the clock was ahead', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 5000 });
    const ahead = await save({ createdAt: 5001 });
    await save({ createdAt: 5000 });
    expect(numbers(await undecidedOrders(db(), STRIPE, 1000))).toEqual([ahead.id]);
  });

  test('which are over and perhaps still charged, or whether one is', async () => {
    const over: number[] = [];
    for (const status of ORDER_STATUSES) {
      const { id } = await save({ status, subscriptionId: randomUUID() });
      if (status === 'canceled' || status === 'refunded') over.push(id);
    }
    const ended = await save({ status: 'canceled', subscriptionId: 'sub_1' });
    await updateOrder(db(), ended.id, { subscriptionEnded: 1 });
    await save({ status: 'canceled' });
    await saveForeign({ status: 'canceled' });
    expect(numbers(await chargedOrders(db(), STRIPE))).toEqual(over);
    for (const id of over) {
      expect(numbers(await chargedOrders(db(), STRIPE, id))).toEqual([id]);
    }
    expect(await chargedOrders(db(), STRIPE, ended.id)).toEqual([]);
  });
});

describe('of an order is kept', () => {
  const started = {
    paymentId: 'pi_1',
    clientSecret: 'pi_1_secret_x',
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    due: cents(486_00),
  };

  test('the payment that was started first, and what it asks for', async () => {
    const order = await save();
    await savePayment(db(), order.id, started);
    const { due, ...ids } = started;
    const kept = { ...order, ...ids, dueCents: due, version: 1 };
    expect(await orderNow(db(), order)).toEqual(kept);
    await savePayment(db(), order.id, { ...started, paymentId: 'pi_2', subscriptionId: 'sub_2' });
    expect(await orderNow(db(), order)).toEqual(kept);
  });

  test.each([{ paymentId: 'pi_1' }, { subscriptionId: 'sub_1' }])(
    'no second payment where one is known by %j',
    async (ids) => {
      const order = await save(ids);
      await savePayment(db(), order.id, started);
      expect(await orderNow(db(), order)).toEqual(order);
    },
  );

  test('whose it is, until its subscription is made', async () => {
    const [order, other] = [await save(), await save()];
    await saveCustomer(db(), order.id, 'cus_1');
    await savePayment(db(), order.id, started);
    await saveCustomer(db(), order.id, 'cus_2');
    expect((await orderNow(db(), order)).customerId).toBe('cus_1');
    expect(await orderNow(db(), other)).toEqual(other);
  });
});

test('an order is told in dollars and days, with nothing of the payment’s secret', async () => {
  const line = { kind: 'plan', label: 'Essential', unitPrice: 450_00, quantity: 1, amount: 450_00 };
  const order = await save({
    includeCloudBackup: 1,
    priceLines: JSON.stringify([line]),
    dueCents: 486_00,
    refundedCents: 10_50,
    clientSecret: 'pi_1_secret_x',
    endsAt: Date.UTC(2026, 1, 15),
  });
  const { id, name, email, planName } = order;
  expect(orderJson(order)).toEqual({
    ...{
      id,
      name,
      email,
      phone: null,
      company: null,
      quote: null,
      page: null,
      planId: 1,
      planName,
      paymentMethod: 'credit_card',
    },
    ...{ ms365Option: 'none', ms365Users: 0, includeCloudBackup: true, status: 'pending' },
    ...{ amount: 450, tax: 36, paymentId: null, createdAt: '2026-01-15T00:00:00.000Z' },
    lines: [{ ...line, unitPrice: 450, amount: 450 }],
    ...{ refunded: 10.5, endsAt: '2026-02-15T00:00:00.000Z' },
  });
  const plain = { includeCloudBackup: false, tax: 0, lines: [], refunded: 0, endsAt: null };
  expect(orderJson(await save())).toMatchObject(plain);
});
