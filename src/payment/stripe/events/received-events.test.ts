/** Each of Stripe's events is dealt with once, by whichever way and however often it comes. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import {
  forgetOldEvents,
  heardUntil,
  isSettled,
  keepHeard,
  lastSigned,
  markSigned,
  type SeenEvent,
  settledAmong,
  takeEvent,
  unsettledEvents,
} from './received-events.server.ts';

const NOW = Date.UTC(2026, 10, 21, 7);
const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  await app.database.db.deleteFrom('stripeEvents').execute();
  await app.database.db.deleteFrom('stripeHeard').execute();
});
afterEach(() => {
  vi.useRealTimers();
});

const db = () => app.database.db;
const rows = () => db().selectFrom('stripeEvents').selectAll().orderBy('id').execute();

/** Fetched, of no order, and settled, unless told otherwise. */
const take = (change: Partial<SeenEvent> = {}) =>
  takeEvent(db(), {
    id: 'evt_1',
    type: 'invoice.paid',
    orderId: null,
    signed: false,
    settled: true,
    ...change,
  });

const is = (signed: boolean, id = 'evt_1') => isSettled(db(), { id, signed });

test('an event that was never heard is not settled', async () => {
  expect(await is(true)).toBe(false);
  expect(await is(false)).toBe(false);
});

test('an event is kept as it was heard', async () => {
  expect(await take({ signed: true, settled: false })).toBe(true);
  expect(await rows()).toEqual([
    { id: 'evt_1', type: 'invoice.paid', orderId: null, signed: 1, settled: 0, receivedAt: NOW },
  ]);
});

describe('an event that is settled', () => {
  test('is so for a fetched one too, and read again when it comes signed and was nobody’s', async () => {
    await take();
    expect([await is(false), await is(true), await is(false, 'evt_2')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('is so for all once it came signed', async () => {
    await take({ signed: true });
    expect([await is(false), await is(true)]).toEqual([true, true]);
  });

  test('is so for all when it was an order’s', async () => {
    await take({ orderId: 7 });
    expect([await is(false), await is(true)]).toEqual([true, true]);
  });

  test('cannot be taken again', async () => {
    expect(await take({ orderId: 7 })).toBe(true);
    expect(await take({ orderId: 7 })).toBe(false);
    expect(await take({ orderId: 7, signed: true })).toBe(false);
    expect(await take({ id: 'evt_2', signed: true })).toBe(true);
    expect(await take({ id: 'evt_2', signed: true, orderId: 7 })).toBe(false);
  });

  test('can be taken once more, signed, when it was nobody’s: not fetched', async () => {
    await take();
    await take({ id: 'evt_2' });
    vi.setSystemTime(NOW + 1);
    expect(await take({ orderId: 7 })).toBe(false);
    expect(await take({ orderId: 7, signed: true })).toBe(true);
    expect(await rows()).toMatchObject([
      { orderId: 7, signed: 1, settled: 1, receivedAt: NOW + 1 },
      { orderId: null, signed: 0, settled: 1, receivedAt: NOW },
    ]);
  });
});

describe('an event that waits', () => {
  test('is not settled, and can be taken when it is fetched', async () => {
    await take({ settled: false });
    expect([await is(false), await is(true)]).toEqual([false, false]);
    vi.setSystemTime(NOW + 1);
    expect(await take({ orderId: 7 })).toBe(true);
    expect(await rows()).toMatchObject([{ orderId: 7, signed: 0, settled: 1, receivedAt: NOW }]);
  });

  test('stays what came signed', async () => {
    await take({ settled: false, signed: true });
    await take({ orderId: 7 });
    expect(await rows()).toMatchObject([{ signed: 1, settled: 1 }]);
  });

  test('is listed, the oldest first, a hundred at once', async () => {
    vi.setSystemTime(NOW - 200);
    await take({ id: 'evt_settled' });
    for (let age = 0; age <= 100; age += 1) {
      vi.setSystemTime(NOW - age);
      await take({ id: `evt_${age}`, settled: false });
    }
    const ids = await unsettledEvents(db());
    expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => `evt_${100 - index}`));
  });
});

test('an event that was fetched first is marked when it comes signed, once', async () => {
  await take({ orderId: 7 });
  await take({ id: 'evt_2' });
  vi.setSystemTime(NOW + 1);
  await markSigned(db(), 'evt_1');
  vi.setSystemTime(NOW + 2);
  await markSigned(db(), 'evt_1');
  expect(await rows()).toMatchObject([
    { id: 'evt_1', signed: 1, receivedAt: NOW + 1 },
    { id: 'evt_2', signed: 0, receivedAt: NOW },
  ]);
});

test('of several events, those that have been settled are told', async () => {
  await take();
  await take({ id: 'evt_2', settled: false });
  await take({ id: 'evt_3' });
  expect(await settledAmong(db(), ['evt_1', 'evt_2', 'evt_4'])).toEqual(new Set(['evt_1']));
  expect(await settledAmong(db(), ['evt_3'])).toEqual(new Set(['evt_3']));
  expect(await settledAmong(db(), [])).toEqual(new Set());
});

test('until when events were heard is kept for each mode', async () => {
  expect(await heardUntil(db(), true)).toBeUndefined();
  await keepHeard(db(), true, 5);
  await keepHeard(db(), false, 6);
  await keepHeard(db(), true, 7);
  expect([await heardUntil(db(), true), await heardUntil(db(), false)]).toEqual([7, 6]);
  const kept = await db().selectFrom('stripeHeard').selectAll().orderBy('mode').execute();
  expect(kept).toEqual([
    { mode: 'live', until: 7 },
    { mode: 'test', until: 6 },
  ]);
});

test('the last signed event is shown', async () => {
  expect(await lastSigned(db())).toBeNull();
  vi.setSystemTime(NOW - 1);
  await take({ signed: true });
  vi.setSystemTime(NOW);
  await take({ id: 'evt_2', type: 'charge.refunded', signed: true });
  vi.setSystemTime(NOW - 1);
  await take({ id: 'evt_4', signed: true });
  vi.setSystemTime(NOW + 1);
  await take({ id: 'evt_3' });
  expect(await lastSigned(db())).toEqual({
    type: 'charge.refunded',
    at: '2026-11-21T07:00:00.000Z',
  });
});

test('a settled event is forgotten after thirty days', async () => {
  await take();
  await take({ id: 'evt_2', settled: false });
  vi.setSystemTime(NOW + 1);
  await take({ id: 'evt_3' });
  vi.setSystemTime(NOW + 30 * DAY_MS);
  await forgetOldEvents(db());
  expect(await rows()).toHaveLength(3);
  vi.setSystemTime(NOW + 30 * DAY_MS + 1);
  await forgetOldEvents(db());
  expect((await rows()).map(({ id }) => id)).toEqual(['evt_2', 'evt_3']);
});
