/** What no webhook has told is asked for: events that wait, events that were missed, orders that are undecided. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { logged } from '../../../../tests/support/logged.ts';
import { newOrders } from '../../../../tests/support/order-at-stripe.ts';
import { sharedShop } from '../../../../tests/support/stripe-shop.ts';
import {
  closeOrders,
  eventOf,
  eventsIn,
  openStage,
  stripeDeps,
} from '../../../../tests/support/stripe-stage.ts';
import type { NewRow } from '../../../platform/database/tables.server.ts';
import { heardUntil, keepHeard, takeEvent } from './received-events.server.ts';
import { reconcile } from './reconcile-payments.server.ts';
import { EVENT_TYPES } from './stripe-event.server.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);
const NOW = Date.UTC(2026, 10, 21, 7);
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const db = () => shop.app.database.db;
beforeEach(async () => {
  await closeOrders(shop);
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  await db().deleteFrom('stripeEvents').execute();
  await db().deleteFrom('stripeHeard').execute();
});
afterEach(() => {
  vi.useRealTimers();
});

const events = () => eventsIn(shop);

/** The stage with a Stripe that lists these events, the newest first, and none to begin with. */
async function stage(change?: Partial<NewRow<'orders'>>) {
  const on = await openStage(shop, newOrder, change);
  const listed: object[] = [];
  const paging = vi.fn(async () => listed);
  const list = vi.fn(() => ({ autoPagingToArray: paging }));
  const retrieve = vi.fn(async (id: string) => eventOf('coupon.created', {}, { id }));
  Object.assign(on.stripe.events, { list, retrieve });
  const run = (isStopped = () => false) => reconcile(on.ground, isStopped);
  return { ...on, listed, list, paging, retrieve, run };
}

/** Stops after so many looks at whether to stop. */
const after = (looks: number) => {
  let left = looks;
  return () => left-- <= 0;
};

const waiting = (id: string, orderId: number | null = null) =>
  takeEvent(db(), { id, type: 'invoice.paid', orderId, signed: true, settled: false });

describe('events that wait', () => {
  test('are asked for by their ids and settled', async () => {
    const { retrieve, run } = await stage();
    await waiting('evt_1');
    await waiting('evt_2');
    await run();
    expect(retrieve.mock.calls).toEqual([['evt_1'], ['evt_2']]);
    expect(await events()).toMatchObject([{ settled: 1 }, { settled: 1 }]);
  });

  test('wait on while Stripe does not answer, and nobody waits for them', async () => {
    const { stripe, run } = await stage();
    await waiting('evt_1');
    const { ground } = stripeDeps(shop);
    Object.assign(stripe.events, {
      retrieve: ground.stripe.events.retrieve.bind(ground.stripe.events),
    });
    const lines = await logged(run);
    expect(lines).toMatchObject([{ event: 'stripe-failed', during: 'reconcile' }]);
    expect(await events()).toMatchObject([{ settled: 0 }]);
    expect(await heardUntil(db(), false)).toBe(NOW);
  });

  test('that cannot be read keep no other waiting', async () => {
    const { retrieve, run } = await stage();
    retrieve.mockRejectedValueOnce(new TypeError('ours'));
    await waiting('evt_1');
    await waiting('evt_2');
    const lines = await logged(run);
    expect(lines).toMatchObject([
      { level: 'error', event: 'reconcile-failed', eventId: 'evt_1', message: 'ours' },
    ]);
    expect(await events()).toMatchObject([{ settled: 0 }, { settled: 1 }]);
  });

  test('wait for a database that is away', async () => {
    const { retrieve, run } = await stage();
    retrieve.mockRejectedValueOnce(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    await waiting('evt_1');
    await expect(run()).rejects.toThrow('away');
  });

  test('are left when the site stops', async () => {
    const { retrieve, followed, fetchPaymentState, cancel, list, run } = await stage();
    await waiting('evt_1');
    await waiting('evt_2');
    await run(after(1));
    expect(retrieve).toHaveBeenCalledTimes(1);
    expect(followed()).toEqual([]);
    for (const ask of [list, fetchPaymentState, cancel]) expect(ask).not.toHaveBeenCalled();
  });
});

describe('events that were missed', () => {
  test.each([
    ['for the first time, as far back as they are kept', null, 30 * DAY_MS],
    ['since the site was on, with what shows late', NOW - 6 * DAY_MS, 6 * DAY_MS + HOUR_MS],
    ['as long as Stripe would repeat them at least', NOW - HOUR_MS, 3 * DAY_MS],
    ['and no further back than they are kept', NOW - 90 * DAY_MS, 30 * DAY_MS],
  ])('are asked for %s', async (_what, heard, back) => {
    const { list, paging, run } = await stage();
    if (heard) await keepHeard(db(), false, heard);
    await keepHeard(db(), true, 1);
    expect(await logged(run)).toEqual([]);
    const created = { gte: (NOW - back) / 1000 };
    expect(list.mock.calls).toEqual([[{ types: EVENT_TYPES, created, limit: 100 }]]);
    expect(paging.mock.calls).toEqual([[{ limit: 10_000 }]]);
    expect(await heardUntil(db(), false)).toBe(NOW);
  });

  test('are settled, the oldest first, without those that were heard', async () => {
    const { listed, followed, charge, run } = await stage();
    for (const id of ['evt_3', 'evt_2', 'evt_1'])
      listed.push(eventOf('charge.refunded', charge, { id }));
    await takeEvent(db(), { id: 'evt_2', type: 'x', orderId: 1, signed: true, settled: true });
    const lines = await logged(run);
    const heard = followed().map(({ cause }) => cause.match(/evt_./)?.[0]);
    expect(heard).toEqual(['evt_1', 'evt_3']);
    expect(lines).toEqual([
      { at: expect.any(String), level: 'info', event: 'stripe-events-missed', count: 2 },
    ]);
    expect(await events()).toMatchObject([{ signed: 0 }, { signed: 1 }, { signed: 0 }]);
  });

  test('that cannot be settled keep no other waiting', async () => {
    const { listed, fetchPaymentState, charge, run } = await stage();
    fetchPaymentState.mockRejectedValueOnce(new TypeError('ours'));
    for (const id of ['evt_2', 'evt_1']) listed.push(eventOf('charge.refunded', charge, { id }));
    const lines = await logged(run);
    expect(lines).toMatchObject([
      { event: 'reconcile-failed', eventId: 'evt_1' },
      { event: 'stripe-events-missed', count: 2 },
    ]);
    expect(await events()).toMatchObject([{ id: 'evt_2' }]);
  });

  test('are not heard while Stripe does not list them', async () => {
    const { stripe, followed, run } = await stage();
    const { ground } = stripeDeps(shop);
    Object.assign(stripe.events, { list: ground.stripe.events.list.bind(ground.stripe.events) });
    shop.fake.failNext({ how: 'status-500-kept', path: '/v1/events', times: 9 });
    const lines = await logged(run);
    shop.fake.clearFaults();
    expect(lines).toMatchObject([{ event: 'stripe-failed', during: 'reconcile' }]);
    expect(await heardUntil(db(), false)).toBeUndefined();
    expect(followed()).toHaveLength(1);
  });

  test('are left when the site stops, and not counted as heard', async () => {
    const { listed, followed, charge, run } = await stage();
    for (const id of ['evt_2', 'evt_1']) listed.push(eventOf('charge.refunded', charge, { id }));
    await run(after(1));
    expect(await events()).toMatchObject([{ id: 'evt_1' }]);
    expect(await heardUntil(db(), false)).toBeUndefined();
    expect(followed()).toHaveLength(1);
  });
});
