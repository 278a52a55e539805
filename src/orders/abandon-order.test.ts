/** An unpaid order is canceled together with its payment, never without it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logged } from '../../tests/support/logged.ts';
import { notesOf, savedOrder } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { cents } from '../platform/money.ts';
import { HOUR_MS } from '../platform/time.ts';
import { abandonOrder, cancelOrphanedSubscriptions, expireOrders } from './abandon-order.server.ts';
import { addStatus, getOrder, savePayment, updateOrder } from './order-store.server.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const hoursAgo = (hours: number) => Date.now() - hours * HOUR_MS;
const STARTED = {
  paymentId: 'pi_1',
  clientSecret: 's',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  due: cents(1),
};

test('an order is canceled, with its payment, after a day unpaid or an hour at the bank', async () => {
  const { db } = app.database;
  const gateway = standInGateway();
  const young = await savedOrder(db, { createdAt: hoursAgo(23) });
  const old = await savedOrder(db, { createdAt: hoursAgo(25) });
  const atBank = await savedOrder(db, { createdAt: hoursAgo(2) });
  const justAtBank = await savedOrder(db, { createdAt: hoursAgo(2) });
  for (const { id } of [atBank, justAtBank])
    await addStatus(db, id, (await updateOrder(db, id, { status: 'processing' })).status, 'test');
  await db
    .updateTable('orderHistory')
    .set({ at: hoursAgo(1.1) })
    .where('orderId', '=', atBank.id)
    .execute();
  await expireOrders({ db, gateway, notify: async () => undefined }, () => false);
  const statuses = await Promise.all(
    [young, old, atBank, justAtBank].map(async (order) => (await getOrder(db, order)).status),
  );
  expect(statuses).toEqual(['pending', 'canceled', 'canceled', 'processing']);
  expect(gateway.cancelPayment.mock.calls.map(([{ id }]) => id)).toEqual([old.id, atBank.id]);
});

test('a payment started while its order is being abandoned is canceled too', async () => {
  const { db } = app.database;
  const gateway = standInGateway();
  const order = await savedOrder(db, { createdAt: hoursAgo(25) });
  gateway.cancelPayment.mockImplementationOnce(async ({ id }) => {
    await savePayment(db, id, STARTED);
    return 'canceled';
  });
  await expireOrders({ db, gateway, notify: async () => undefined }, () => false);
  const seen = gateway.cancelPayment.mock.calls.filter(([{ id }]) => id === order.id);
  expect(seen.map(([{ paymentId }]) => paymentId)).toEqual([null, 'pi_1']);
});

test('staff cannot cancel a Stripe order while the test gateway is active, and read why', async () => {
  const { db } = app.database;
  const order = await savedOrder(db, { provider: 'stripe', subscriptionId: 'sub_other' });
  const staff = await app.staff();
  for (const answer of [
    await staff.post(`/api/orders/${order.id}/update-status`, { status: 'canceled' }),
    await staff.post(`/api/admin/orders/${order.id}/cancel`, { when: 'now' }),
  ]) {
    expect([answer.status, answer.json.message]).toEqual([
      409,
      'The order was placed with another payment provider (stripe)',
    ]);
  }
  const gateway = { ...standInGateway(), provider: 'test' as const };
  const deps = { db, gateway, notify: async () => undefined };
  expect(await abandonOrder(deps, order, 'test', { evenAtBank: true })).toBe('unavailable');
  expect(gateway.cancelPayment).not.toHaveBeenCalled();
  expect((await getOrder(db, order)).status).toBe('pending');
});

test('a test order can be abandoned while Stripe is active, since no one can confirm its payment', async () => {
  const { db } = app.database;
  const order = await savedOrder(db, { provider: 'test', paymentId: 'test_1' });
  const deps = { db, gateway: standInGateway(), notify: async () => undefined };
  expect(await abandonOrder(deps, order, 'test')).toBe('abandoned');
});

test('a payment started after its order ended is canceled, or its subscription is ended if it is paid', async () => {
  const { db } = app.database;
  const gateway = standInGateway();
  const deps = { db, gateway, notify: async () => undefined };
  const order = await savedOrder(db, { status: 'canceled', subscriptionId: 'sub_late' });
  expect(await abandonOrder(deps, order, 'test')).toBe('abandoned');
  expect(gateway.cancelPayment).toHaveBeenCalledOnce();
  expect((await getOrder(db, order)).subscriptionEnded).toBe(1);
  const paid = await savedOrder(db, { status: 'canceled', subscriptionId: 'sub_paid' });
  gateway.cancelPayment.mockResolvedValueOnce('succeeded');
  expect(await abandonOrder(deps, paid, 'test')).toBe('abandoned');
  expect(gateway.cancel.mock.calls).toEqual([[expect.objectContaining({ id: paid.id }), 'now']]);
});

const OVER = { status: 'canceled', live: 1 } as const;
const refused = { refused: 'No such subscription' };

test.each([
  ['done', []],
  ['unavailable', ['The subscription could not be ended yet, which is tried again']],
  [refused, ['The subscription must be ended at Stripe by hand: No such subscription']],
] as const)(
  'subscriptions of orders that are over are ended; when Stripe answers %j, staff find notes',
  async (outcome, notes) => {
    const { db } = app.database;
    const orders = [
      await savedOrder(db, { ...OVER, subscriptionId: 'sub_1' }),
      await savedOrder(db, { ...OVER, status: 'refunded', subscriptionId: 'sub_2' }),
    ];
    // Not started, ended already, of another provider or mode, still running.
    await savedOrder(db, OVER);
    await savedOrder(db, { ...OVER, subscriptionId: 'sub_3', subscriptionEnded: 1 });
    await savedOrder(db, { ...OVER, subscriptionId: 'test_1', provider: 'test' });
    await savedOrder(db, { ...OVER, subscriptionId: 'sub_4', live: 0 });
    await savedOrder(db, { status: 'past_due', subscriptionId: 'sub_5', live: 1 });
    const gateway = { ...standInGateway(), live: true };
    gateway.cancel.mockResolvedValue(outcome);
    await cancelOrphanedSubscriptions({ db, gateway });
    expect(gateway.cancel.mock.calls).toEqual(orders.map((order) => [order, 'now']));
    for (const { id } of orders) expect(await notesOf(db, id)).toEqual(notes);
  },
);

test('an error on one order does not stop the others from being canceled or ended', async () => {
  const { db } = app.database;
  const unpaid = [
    await savedOrder(db, { createdAt: hoursAgo(25), live: 1 }),
    await savedOrder(db, { createdAt: hoursAgo(25), live: 1 }),
  ];
  const gateway = { ...standInGateway(), live: true };
  gateway.cancelPayment.mockRejectedValueOnce(new Error('a bug'));
  const deps = { db, gateway, notify: async () => undefined };
  expect(await logged(() => expireOrders(deps, () => false))).toMatchObject([
    { event: 'order-not-expired', orderId: unpaid[0]?.id, message: 'a bug' },
  ]);
  const statuses = await Promise.all(unpaid.map(async (each) => (await getOrder(db, each)).status));
  expect(statuses).toEqual(['pending', 'canceled']);
  const ended = [
    await savedOrder(db, { ...OVER, subscriptionId: 'sub_1' }),
    await savedOrder(db, { ...OVER, subscriptionId: 'sub_2' }),
  ];
  gateway.cancel.mockRejectedValueOnce(new Error('a bug'));
  expect(await logged(() => cancelOrphanedSubscriptions(deps))).toMatchObject([
    { event: 'subscription-not-ended', orderId: ended[0]?.id, message: 'a bug' },
  ]);
  expect(gateway.cancel.mock.calls.map(([{ id }]) => id)).toEqual(ended.map(({ id }) => id));
});
