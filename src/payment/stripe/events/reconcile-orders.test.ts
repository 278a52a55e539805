/** Orders that are undecided for long are asked after, again and again, until the site stops. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { logged } from '../../../../tests/support/logged.ts';
import { newOrders } from '../../../../tests/support/order-at-stripe.ts';
import { sharedShop } from '../../../../tests/support/stripe-shop.ts';
import { closeOrders, eventsIn, openStage } from '../../../../tests/support/stripe-stage.ts';
import * as orders from '../../../orders/order-store.server.ts';
import type { NewRow } from '../../../platform/database/tables.server.ts';
import { cents } from '../../../platform/money.ts';
import { takeEvent } from './received-events.server.ts';
import { reconcile, reconciling } from './reconcile-payments.server.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);
const NOW = Date.UTC(2026, 10, 21, 7);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const db = () => shop.app.database.db;
beforeEach(async () => {
  await closeOrders(shop);
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Stripe lists no events. */
async function stage(change?: Partial<NewRow<'orders'>>) {
  const on = await openStage(shop, newOrder, change);
  const list = vi.fn(() => ({ autoPagingToArray: async () => [] }));
  Object.assign(on.stripe.events, { list });
  const run = (isStopped = () => false) => reconcile(on.ground, isStopped);
  return { ...on, list, run };
}

/** Of which Stripe has not said that it charges no more. */
const orderThatIsOver = (change: Partial<NewRow<'orders'>> = {}) =>
  newOrder({ status: 'canceled', subscriptionId: `sub_${randomUUID()}`, ...change });

const CANCELED = { status: 'canceled', refused: false };
const PAID = { status: 'succeeded', refused: false };

describe('an undecided order', () => {
  const lost = { subscriptionId: null, paymentId: null };

  test('of ten minutes and more is asked after, and what is charged too long is ended', async () => {
    const { row, followed, find, cancel, run } = await stage({ createdAt: NOW - 10 * MINUTE_MS });
    await newOrder({ createdAt: NOW - 10 * MINUTE_MS + 1 });
    const over = await orderThatIsOver();
    for (const foreign of [{ live: 1 }, { provider: 'test' }] as const) {
      await newOrder(foreign);
      await orderThatIsOver(foreign);
    }
    await run();
    expect(cancel.mock.calls).toEqual([[over, 'now']]);
    expect(followed()).toEqual([{ orderId: row.id, state: PAID, cause: 'Stripe: status checked' }]);
    expect(find).not.toHaveBeenCalled();
  });

  test('waits while Stripe does not answer', async () => {
    const { followed, fetchPaymentState, run } = await stage();
    fetchPaymentState.mockResolvedValue('away');
    expect(await logged(run)).toEqual([]);
    expect(followed()).toEqual([]);
  });

  test('whose start was never answered is looked for', async () => {
    const { row, now, followed, find, fetchPaymentState, run } = await stage({
      ...lost,
      createdAt: 1,
    });
    const started = {
      ...lost,
      subscriptionId: 'sub_found',
      customerId: 'cus_1',
      clientSecret: null,
    };
    find.mockResolvedValueOnce({ ...started, due: cents(5) });
    await run();
    expect(find).toHaveBeenCalledWith(row);
    expect(await now()).toMatchObject({ subscriptionId: 'sub_found', dueCents: 5 });
    expect(fetchPaymentState.mock.calls).toMatchObject([
      [{ id: row.id, subscriptionId: 'sub_found' }],
    ]);
    expect(followed()).toMatchObject([{ state: PAID }]);
  });

  test('waits while Stripe does not say whether it was started', async () => {
    const { followed, find, fetchPaymentState, run } = await stage({ ...lost, createdAt: 1 });
    find.mockResolvedValueOnce('away');
    await run();
    expect([followed(), fetchPaymentState.mock.calls]).toEqual([[], []]);
  });

  test.each([
    [NOW - DAY_MS, PAID],
    [NOW - DAY_MS - 1, CANCELED],
  ])('that was never started, placed at %i', async (createdAt, state) => {
    const { followed, run } = await stage({ ...lost, createdAt });
    await run();
    expect(followed()).toMatchObject([{ state }]);
  });

  test('that was started is not given up for its age', async () => {
    const { followed, run } = await stage({ createdAt: 1 });
    await run();
    expect(followed()).toMatchObject([{ state: PAID }]);
  });

  test('that is gone meanwhile is not missed', async () => {
    const { row, followed, fetchPaymentState, run } = await stage();
    const undecided = vi.spyOn(orders, 'undecidedOrders').mockResolvedValue([{ ...row, id: -1 }]);
    onTestFinished(() => undecided.mockRestore());
    expect(await logged(run)).toEqual([]);
    expect([followed(), fetchPaymentState.mock.calls]).toEqual([[], []]);
  });

  test('that cannot be looked at keeps no other waiting', async () => {
    const { row, followed, fetchPaymentState, run } = await stage();
    await newOrder({ subscriptionId: 'sub_2' });
    fetchPaymentState.mockRejectedValueOnce(new TypeError('ours'));
    expect(await logged(run)).toMatchObject([{ event: 'reconcile-failed', orderId: row.id }]);
    expect(followed()).toHaveLength(1);
  });

  test('is left when the site stops', async () => {
    const { followed, fetchPaymentState, cancel, run } = await stage();
    await orderThatIsOver();
    await run(() => true);
    expect(followed()).toEqual([]);
    for (const ask of [fetchPaymentState, cancel]) expect(ask).not.toHaveBeenCalled();
  });
});

test('events that are too old to come again are forgotten', async () => {
  vi.setSystemTime(NOW - 31 * DAY_MS);
  await takeEvent(db(), { id: 'evt_old', type: 'x', orderId: null, signed: true, settled: true });
  vi.setSystemTime(NOW);
  await (await stage()).run();
  expect(await eventsIn(shop)).toEqual([]);
});

describe('reconciling', () => {
  /** How often it has come as far as to what is over, of which there is one order. */
  const lookedAt = ({ cancel }: Awaited<ReturnType<typeof stage>>) => cancel.mock.calls.length;
  beforeEach(async () => {
    await orderThatIsOver();
  });

  test('begins at the start, goes on every quarter of an hour, and ends with the site', async () => {
    const on = await stage();
    const { start, stop } = reconciling(on.ground);
    await start();
    expect(lookedAt(on)).toBe(1);
    vi.advanceTimersByTime(15 * MINUTE_MS - 1);
    expect(vi.getTimerCount()).toBe(1);
    expect(on.list).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    await expect.poll(() => lookedAt(on)).toBe(2);
    await stop();
    vi.advanceTimersByTime(60 * MINUTE_MS);
    expect(vi.getTimerCount()).toBe(0);
    expect(on.list).toHaveBeenCalledTimes(2);
  });

  test('is over when it has stopped, and takes up no other order', async () => {
    const on = await stage();
    await newOrder({ subscriptionId: 'sub_3' });
    let answer = (): void => undefined;
    on.fetchPaymentState.mockImplementation(
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ status: 'succeeded', refused: false });
        }),
    );
    const { start, stop } = reconciling(on.ground);
    start();
    await expect.poll(() => on.fetchPaymentState.mock.calls.length).toBe(1);
    const stopping = stop();
    answer();
    await stopping;
    expect([on.followed().length, on.fetchPaymentState.mock.calls.length]).toEqual([1, 1]);
  });

  test('goes on after the database was away, which others log', async () => {
    const on = await stage();
    const fault = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    on.fetchPaymentState.mockRejectedValueOnce(fault);
    const { start, stop } = reconciling(on.ground);
    const lines = await logged(async () => {
      await start();
      expect([on.fetchPaymentState.mock.calls.length, lookedAt(on)]).toEqual([1, 0]);
      vi.advanceTimersByTime(15 * MINUTE_MS);
      await expect.poll(() => lookedAt(on)).toBe(1);
    });
    expect(lines).toEqual([]);
    await stop();
  });
});
