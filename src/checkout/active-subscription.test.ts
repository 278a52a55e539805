/** Whether the same plan runs already for the buyer: where it was bought, which is what the buyer is told. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { NOTHING_TRIED, standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { ORDER_STATUSES } from '../orders/order.ts';
import { allowAccess } from '../orders/order-access.server.ts';
import { readHistory } from '../orders/order-store.server.ts';
import type { NewRow } from '../platform/database/tables.server.ts';
import { hasActiveSubscription } from './order-terms.server.ts';

let app: TestApp;
let gateway: ReturnType<typeof standInGateway>;
beforeEach(async () => {
  app = await startTestApp();
  gateway = standInGateway();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.stop();
});
type Change = Partial<NewRow<'orders'>>;

/** Orders that the one bought is not to be taken for, each of them running. */
const OTHERS: [string, Change][] = [
  ['another plan', { planId: 2 }],
  ['another address', { email: 'john@dealer.example' }],
  ['another provider', { provider: 'test' }],
  ['the other mode', { live: 1 }],
  ['no subscription', { subscriptionId: null }],
];
const EMAIL = 'jane@dealer.example';

async function save(change: Change = {}, keyHash = 'mine') {
  const { db } = app.database;
  const running = { email: EMAIL, status: 'paid', subscriptionId: randomUUID() } as const;
  const order = await savedOrder(db, { ...running, ...change });
  await allowAccess(db, order.id, keyHash);
  return order;
}
const notify = async () => undefined;
const runs = (email = EMAIL) =>
  hasActiveSubscription({ db: app.database.db, gateway, notify }, { email, planId: 1 }, 'mine');
const lookedAt = () => gateway.fetchPaymentState.mock.calls.map(([{ id }]) => id);

test.each(ORDER_STATUSES)('it is running or not when the order is %s', async (status) => {
  const { id } = await save({ status });
  expect(await runs()).toBe(status === 'paid' || status === 'past_due');
  const undecided = ['pending', 'processing', 'failed'].includes(status);
  expect(lookedAt()).toEqual(undecided ? [id] : []);
});

test('it is found in any spelling of the address', async () => {
  await save({ email: 'Jane@dealer.example' });
  expect([await runs(), await runs('JANE@dealer.example')]).toEqual([true, true]);
});

test.each(OTHERS)('%s is not it', async (_what, change) => {
  await save(change);
  await save({ ...change, status: 'pending' });
  expect(await runs()).toBe(false);
  expect(lookedAt()).toEqual([]);
});

test('what another browser bought is not it', async () => {
  await save({}, 'theirs');
  expect(await runs()).toBe(false);
});

test('with the test gateway it never is: no money is taken', async () => {
  await save({});
  gateway.provider = 'test';
  expect(await runs()).toBe(false);
});

test('the provider is asked about each that is undecided, the newest first, and followed', async () => {
  const paid = await save({ status: 'pending' });
  const silent = await save({ status: 'pending' });
  const unpaid = await save({ status: 'processing' });
  gateway.fetchPaymentState.mockImplementation(async ({ id }) => {
    if (id === silent.id) return 'unavailable';
    return id === paid.id ? { ...NOTHING_TRIED, status: 'succeeded' } : NOTHING_TRIED;
  });
  expect(await runs()).toBe(true);
  expect(lookedAt()).toEqual([unpaid.id, silent.id, paid.id]);
  const { history } = await readHistory(app.database.db, paid.id);
  expect(history.at(-1)).toMatchObject({ status: 'paid', cause: 'customer buys again' });
});

test('nobody is asked about an older one where another is running', async () => {
  await save({ status: 'pending' });
  await save();
  expect(await runs()).toBe(true);
  expect(lookedAt()).toEqual([]);
});
