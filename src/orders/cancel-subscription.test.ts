/** What is over is charged no more; what cannot be ended by asking, staff are told to end. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logged } from '../../tests/support/logged.ts';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { cancelOrphanedSubscriptions, cancelSubscription } from './cancel-subscription.server.ts';
import { readNotes } from './order-billing-store.server.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const OVER = { status: 'canceled', live: 1 } as const;
const notesOf = async ({ id }: { id: number }) =>
  (await readNotes(app.database.db, [id])).map(({ note }) => note);

test.each([
  ['done', []],
  ['unavailable', []],
  [{ refused: 'No such subscription' }, ['No such subscription']],
] as const)('an order whose end is answered with %j', async (outcome, reasons) => {
  const { db } = app.database;
  const orders = [
    await savedOrder(db, { ...OVER, subscriptionId: 'sub_1' }),
    await savedOrder(db, { ...OVER, subscriptionId: 'sub_2' }),
  ];
  await savedOrder(db, { ...OVER, subscriptionId: 'test_1', provider: 'test' });
  const gateway = { ...standInGateway(), live: true };
  gateway.cancel.mockResolvedValue(outcome);
  await cancelOrphanedSubscriptions({ db, gateway });
  expect(gateway.cancel.mock.calls).toEqual(orders.map((order) => [order, 'now']));
  const notes = reasons.map((why) => `The subscription must be ended at Stripe by hand: ${why}`);
  await cancelOrphanedSubscriptions({ db, gateway }, orders[1]?.id);
  expect(gateway.cancel.mock.calls.at(-1)).toEqual([orders[1], 'now']);
  expect(gateway.cancel).toHaveBeenCalledTimes(3);
  for (const order of orders) expect(await notesOf(order)).toEqual(notes);
});

test.each([
  ['done', []],
  ['unavailable', ['the payment provider does not answer']],
  [{ refused: 'No such subscription' }, ['No such subscription']],
] as const)(
  'an order that has just come to its end is ended, or not: %j',
  async (outcome, whys) => {
    const { db } = app.database;
    const order = await savedOrder(db, { ...OVER, subscriptionId: 'sub_1' });
    const gateway = standInGateway();
    gateway.cancel.mockResolvedValue(outcome);
    // A second try says the same once.
    for (const _time of [1, 2]) await cancelSubscription({ db, gateway }, order);
    expect(gateway.cancel.mock.calls).toEqual([
      [order, 'now'],
      [order, 'now'],
    ]);
    const notes = whys.map(
      (why) => `The subscription could not be ended yet, which is tried again: ${why}`,
    );
    expect(await notesOf(order)).toEqual(notes);
  },
);

test('a subscription that cannot be ended keeps no later one from being ended', async () => {
  const { db } = app.database;
  const orders = [
    await savedOrder(db, { ...OVER, subscriptionId: 'sub_1' }),
    await savedOrder(db, { ...OVER, subscriptionId: 'sub_2' }),
  ];
  const gateway = { ...standInGateway(), live: true };
  gateway.cancel.mockRejectedValueOnce(new Error('a bug'));
  expect(await logged(() => cancelOrphanedSubscriptions({ db, gateway }))).toMatchObject([
    { event: 'subscription-not-ended', orderId: orders[0]?.id, message: 'a bug' },
  ]);
  expect(gateway.cancel.mock.calls.map(([{ id }]) => id)).toEqual(orders.map(({ id }) => id));
});
