/** A change is the order’s once, and no customer gets a raise for nothing. */
import { expect, test, vi } from 'vitest';
import { NO_BACKUP } from '../../tests/support/own-page.ts';
import { notesOf, savedOrder } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { LINES } from '../../tests/support/test-subscription.ts';
import { getOrder } from '../orders/order-store.server.ts';
import { cents } from '../platform/money.ts';
import { type ChangeDeps, changePlan } from './change-plan.server.ts';

const app = sharedTestApp();

const WANTED = { users: 12, backup: true, from: NO_BACKUP };
const PRICE = { label: 'Cloud backup', pricePerUser: cents(495) };
const TOTAL = cents(70_000);
const NEW_PRICE = { refused: 'The price has changed. Please look at it again.' };
const secondsAgo = (seconds: number) => (Math.floor(Date.now() / 1000) - seconds) * 1000;

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
  const next = { at: Date.now() + 86_400_000, total: TOTAL, tax: cents(0) };
  const gateway = standInGateway();
  const { preview, change } = gateway.subscriptions;
  preview.mockResolvedValue({ monthly: cents(65_940), difference: cents(4_060), next });
  // What it was asked to charge is what it charges.
  change.mockImplementation(async (_order, { lines }) => {
    gateway.fetchPaymentState.mockResolvedValue({
      status: 'succeeded',
      refused: false,
      plan: lines,
    });
    return 'done';
  });
  const notify = vi.fn<ChangeDeps['notify']>(async () => undefined);
  const addOnPrices = () => ({ cloudBackup: PRICE }) as ReturnType<ChangeDeps['addOnPrices']>;
  const deps = { db, gateway, notify, addOnPrices };
  const confirm = (at = secondsAgo(0), wanted = WANTED) =>
    changePlan(deps, order, wanted, { at, next: TOTAL });
  const notes = () => notesOf(db, order.id);
  const now = () => getOrder(db, order);
  return { order, deps, gateway, preview, change, notify, confirm, notes, now };
}

test('a change that the provider makes is the order’s, with its tax, a note and one notification', async () => {
  const { confirm, now, notes, notify } = await shop();
  expect(await confirm()).toBe('done');
  // The tax grows with the amount.
  expect(await now()).toMatchObject({
    ms365Users: 12,
    includeCloudBackup: 1,
    amountCents: 65_940,
    dueCents: 65_940 + Math.round((2_500 * 65_940) / 57_500),
  });
  expect(await notes()).toEqual([
    'Plan changed: 10 users without cloud backup → 12 users with cloud backup (changed by the customer)',
  ]);
  expect(notify.mock.calls.map(([, kind]) => kind.kind)).toEqual(['order-changed']);
});

test('a change is followed once, also when the process was killed after the provider’s yes', async () => {
  const { confirm, deps, gateway, now, notify, order, change } = await shop();
  gateway.fetchPaymentState.mockResolvedValueOnce('unavailable');
  change.mockImplementationOnce(async () => 'done');
  expect(await confirm()).toBe('unavailable');
  expect(await now()).toEqual(order);
  // The customer tries again, in two tabs.
  expect(await Promise.all([confirm(), confirm()])).toEqual(['done', 'done']);
  expect(await now()).toMatchObject({ ms365Users: 12 });
  expect(notify).toHaveBeenCalledTimes(1);
  // The page of another tab shows the plan as it was, and asks for what holds by now.
  expect(await changePlan(deps, await now(), WANTED, { at: 0, next: TOTAL })).toBe('done');
  expect(notify).toHaveBeenCalledTimes(1);
});

test('a customer who raised cannot lower as of the moment of the raise: it counts from now, at a price that is shown', async () => {
  const { confirm, preview, change } = await shop();
  const raisedAt = secondsAgo(600);
  const lower = { users: 5, backup: false, from: NO_BACKUP };
  const next = { at: Date.now() + 86_400_000, total: TOTAL, tax: cents(0) };
  const month = { monthly: cents(51_250), difference: cents(-6_000) };
  preview.mockImplementation(async (_order, { at }) => ({
    ...month,
    next: { ...next, total: at === raisedAt ? TOTAL : cents(TOTAL + 2) },
  }));
  expect(await confirm(raisedAt, lower)).toEqual(NEW_PRICE);
  expect(change).not.toHaveBeenCalled();
  // A cent is what some seconds come to.
  preview.mockResolvedValue({ ...month, next: { ...next, total: cents(TOTAL + 1) } });
  expect(await confirm(raisedAt, lower)).toBe('done');
  expect(change.mock.calls.map(([, { at }]) => at > raisedAt)).toEqual([true]);
});
