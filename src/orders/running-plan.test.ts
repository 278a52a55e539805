/** Orders by which the same plan runs for the same address, of which staff are told. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { NOTHING_TRIED } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { NewRow } from '../platform/database/tables.server.ts';
import { followPayment } from './follow-payment.server.ts';
import type { PaymentState } from './gateway.server.ts';
import { allowAccess } from './order-access.server.ts';
import { readHistory } from './order-billing-store.server.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

type Change = Partial<NewRow<'orders'>>;

/** Orders that `wanted` is not to be taken for, each of them running. */
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

test('the others of any browser that are paid are noted once an order is paid, and at no other time', async () => {
  const { db } = app.database;
  const others = [await save({}, 'theirs'), await save({ status: 'past_due' })];
  for (const status of ['pending', 'canceled'] as const) await save({ status });
  for (const [, change] of OTHERS) await save(change);
  const order = await save({ status: 'pending', paymentId: 'pi_1' });
  const follow = (state: PaymentState) =>
    followPayment({ db, notify: async () => undefined }, order.id, state, 'test');
  const notes = async () => (await readHistory(db, [order.id]))(order.id).notes;
  await follow(NOTHING_TRIED);
  expect(await notes()).toEqual([]);
  const paid = { ...NOTHING_TRIED, status: 'succeeded' } as const;
  for (const _time of [1, 2]) await follow(paid);
  const numbers = others
    .map(({ id }) => `O-${id}`)
    .reverse()
    .join(', ');
  const note = `The same plan is running for this address already (${numbers}): is a second one wanted?`;
  expect((await notes()).map((each) => each.note)).toEqual([note]);
});
