/** A provider that does not answer leaves nothing half done: what was asked is finished later, once. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { NO_BACKUP } from '../../tests/support/own-page.ts';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { LINES } from '../../tests/support/test-subscription.ts';
import { changeUnderWay } from '../orders/order-change-store.server.ts';
import { orderNow } from '../orders/order-store.server.ts';
import { cents } from '../platform/money.ts';
import { type ChangeDeps, changePlan, previewChange } from './change-plan.server.ts';
import { finishChanges } from './finish-change.server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const WANTED = { seats: { users: 12, backup: true }, from: NO_BACKUP };
const PRICE = { label: 'Cloud backup', pricePerUser: cents(495) };

/** A paid order with ten users, and a provider whose answers the test gives. */
async function shop() {
  const { db } = app.database;
  const order = await savedOrder(db, {
    status: 'paid',
    ms365Option: 'business_standard',
    ms365Users: 10,
    amountCents: 57_500,
    dueCents: 60_000,
    priceLines: JSON.stringify(LINES),
  });
  const next = { at: Date.now() + 86_400_000, total: cents(70_000), tax: cents(0) };
  const gateway = standInGateway();
  const { preview, change } = gateway.subscriptions;
  preview.mockResolvedValue({ monthly: cents(65_940), difference: cents(4_060), next });
  change.mockResolvedValue('done');
  const notify = vi.fn<ChangeDeps['notify']>(async () => undefined);
  const addOnPrices = () => ({ cloudBackup: PRICE }) as ReturnType<ChangeDeps['addOnPrices']>;
  const deps = { db, gateway, notify, addOnPrices };
  const confirm = async (key = 'one') => {
    const shown = await previewChange(deps, order, WANTED);
    if (shown === 'away' || 'refused' in shown) throw new Error('no preview');
    return changePlan(deps, order, { ...WANTED, at: shown.at, key });
  };
  return { db, order, deps, preview, change, notify, confirm, now: () => orderNow(db, order) };
}

const going = () => false;
const NEW_PRICE = { refused: 'The price has changed. Please look at it again.' };

test('a provider that is away while the price is asked for stores nothing', async () => {
  const { deps, order, preview, db } = await shop();
  preview.mockResolvedValue('away');
  expect(await previewChange(deps, order, WANTED)).toBe('away');
  const at = Math.floor(Date.now() / 1000) * 1000;
  expect(await changePlan(deps, order, { ...WANTED, at, key: 'k' })).toBe('away');
  expect(await changeUnderWay(db, order.id)).toBeUndefined();
});

test('a change that was not answered is under way, and finished once', async () => {
  const { deps, order, change, notify, confirm, db, now } = await shop();
  change.mockResolvedValueOnce('away');
  expect(await confirm()).toBe('away');
  expect(await now()).toMatchObject({ ms365Users: 10, amountCents: 57_500 });
  const underWay = { refused: expect.stringContaining('is being made right now') };
  expect(await previewChange(deps, order, WANTED)).toEqual(underWay);
  await finishChanges(deps, () => true);
  expect(change).toHaveBeenCalledTimes(1);
  await Promise.all([finishChanges(deps, going), finishChanges(deps, going)]);
  expect(new Set(change.mock.calls.map(([, asked, key]) => `${asked.at} ${key}`)).size).toBe(1);
  // The tax grows with the amount.
  expect(await now()).toMatchObject({
    ms365Users: 12,
    includeCloudBackup: 1,
    amountCents: 65_940,
    dueCents: 65_940 + Math.round((2_500 * 65_940) / 57_500),
  });
  expect(notify).toHaveBeenCalledTimes(1);
  expect(await changeUnderWay(db, order.id)).toBeUndefined();
  change.mockClear();
  await finishChanges(deps, going);
  expect(change).not.toHaveBeenCalled();
});

test('a change that the provider refuses is told, noted, and leaves the order as it is', async () => {
  const { deps, order, change, notify, confirm, db, now } = await shop();
  change.mockResolvedValueOnce({ refused: 'The month is over.' });
  expect(await confirm()).toEqual({ refused: 'The month is over.' });
  expect(await now()).toEqual(order);
  expect(notify).not.toHaveBeenCalled();
  const notes = db.selectFrom('orderNotes').select('note').where('orderId', '=', order.id);
  expect((await notes.execute()).map(({ note }) => note)).toEqual([
    'A change by the customer was refused: 10 users, without backup → 12 users, with backup: The month is over.',
  ]);
  // The same once more is refused as well, and another may follow.
  const at = Math.floor(Date.now() / 1000) * 1000;
  const same = await changePlan(deps, order, { ...WANTED, at, key: 'one' });
  expect(same).toEqual(NEW_PRICE);
  expect(await confirm('two')).toBe('done');
});

test('a moment after the month that is paid is another price', async () => {
  const { deps, order, preview } = await shop();
  const at = Math.floor(Date.now() / 1000) * 1000;
  preview.mockResolvedValueOnce({
    monthly: cents(1),
    difference: cents(0),
    next: { at, total: cents(1), tax: cents(0) },
  });
  const asked = await changePlan(deps, order, { ...WANTED, at, key: 'late' });
  expect(asked).toEqual(NEW_PRICE);
});

test('a customer who raised cannot lower as of a moment before the raise was made', async () => {
  const { deps, order, db } = await shop();
  const at = Math.floor(Date.now() / 1000) * 1000;
  expect(await changePlan(deps, order, { ...WANTED, at: at - 60_000, key: 'raise' })).toBe('done');
  const raised = await orderNow(db, order);
  const back = { seats: WANTED.from, from: WANTED.seats, at: at - 60_000, key: 'lower' };
  expect(await changePlan(deps, raised, back)).toEqual(NEW_PRICE);
});

test('a price that was shown holds for 15 minutes', async () => {
  const { deps, order } = await shop();
  const now = Math.floor(Date.now() / 1000) * 1000;
  const ask = (at: number, key: string) => changePlan(deps, order, { ...WANTED, at, key });
  const minutes = 60_000;
  expect(await ask(now - 15 * minutes - 2_000, 'late')).toEqual(NEW_PRICE);
  expect(await ask(now - 15 * minutes + 5_000, 'in time')).toBe('done');
});

test('a moment before the month that is paid by now is another price', async () => {
  const { deps, order, db, change } = await shop();
  const at = Math.floor(Date.now() / 1000) * 1000 - 60_000;
  await db
    .insertInto('orderInvoices')
    .values({
      id: `in_${order.id}`,
      orderId: order.id,
      createdAt: at + 1_000,
      amountCents: 1,
      paid: 1,
      periodStart: at + 1_000,
    })
    .execute();
  expect(await changePlan(deps, order, { ...WANTED, at, key: 'k' })).toEqual(NEW_PRICE);
  expect(change).not.toHaveBeenCalled();
  const later = { ...WANTED, at: at + 1_000, key: 'l' };
  expect(await changePlan(deps, order, later)).toBe('done');
});

test('what changes while the provider is asked for the price is seen before anything is stored', async () => {
  const { deps, order, db, preview, change } = await shop();
  const at = Math.floor(Date.now() / 1000) * 1000;
  const answer = await preview(order, { lines: [], at });
  preview.mockImplementationOnce(async () => {
    const other = { orderId: order.id, key: 'other', what: 'plan', at, state: 'asked' } as const;
    await db
      .insertInto('orderChanges')
      .values({ ...other, before: '{}', after: '{}' })
      .execute();
    return answer;
  });
  const beside = await changePlan(deps, order, { ...WANTED, at, key: 'k' });
  expect(beside).toEqual({ refused: expect.stringContaining('is being made right now') });
  await db.deleteFrom('orderChanges').where('orderId', '=', order.id).execute();
  preview.mockImplementationOnce(async () => {
    const users = { ms365Users: 9 };
    await db.updateTable('orders').set(users).where('id', '=', order.id).execute();
    return answer;
  });
  const moved = await changePlan(deps, order, { ...WANTED, at, key: 'k' });
  expect(moved).toEqual({ refused: expect.stringContaining('since you opened this page') });
  expect(change).not.toHaveBeenCalled();
});

test('a plan that is over is not changed, and one user is one user', async () => {
  const { deps, order, db } = await shop();
  expect(await previewChange(deps, { ...order, status: 'canceled' }, WANTED)).toEqual({
    refused: 'This plan isn’t running, so it can’t be changed.',
  });
  const at = Math.floor(Date.now() / 1000) * 1000;
  const alone = { seats: { users: 1, backup: false }, from: NO_BACKUP, at, key: 'one' };
  expect(await changePlan(deps, order, alone)).toBe('done');
  const notes = db.selectFrom('orderNotes').select('note').where('orderId', '=', order.id);
  expect(await notes.execute()).toEqual([
    { note: 'Changed by the customer: 10 users, without backup → 1 user, without backup' },
  ]);
});

test('a change that cannot be made is noted for staff and keeps no other waiting', async () => {
  const { deps, order, change, confirm, db } = await shop();
  const other = await shop();
  for (const { change: asked, confirm: ask } of [{ change, confirm }, other]) {
    asked.mockResolvedValueOnce('away');
    expect(await ask()).toBe('away');
  }
  change.mockImplementation(async ({ id }) => {
    if (id === order.id) throw new TypeError('ours');
    return 'done';
  });
  for (const _time of [1, 2]) await finishChanges(deps, going);
  expect(await other.now()).toMatchObject({ ms365Users: 12 });
  const notes = await db
    .selectFrom('orderNotes')
    .select('note')
    .where('orderId', '=', order.id)
    .execute();
  expect(notes).toEqual([{ note: expect.stringContaining('could not be made yet') }]);
});
