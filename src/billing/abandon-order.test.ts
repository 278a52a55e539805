/** An unpaid order is canceled together with its payment, never without it. */
import { beforeEach, expect, test } from 'vitest';
import { logged } from '../../tests/support/logged.ts';
import { notesOf, savedOrder, TEST_CAUSE } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { cents } from '../platform/money.ts';
import { HOUR_MS } from '../platform/time.ts';
import { abandonOrder, cancelOrphanedSubscriptions, expireOrders } from './abandon-order.server.ts';
import { type OrderContext, PaymentChecks } from './follow-payment.server.ts';
import { insertEvent } from './order-event-store.server.ts';
import { getOrder, type Order, savePayment, updateOrder } from './order-store.server.ts';

const app = sharedTestApp();
let gateway: ReturnType<typeof standInGateway>;
let context: OrderContext;
beforeEach(async () => {
  const { db } = app.database;
  await db.deleteFrom('orders').execute();
  gateway = standInGateway();
  context = { db, gateway, notify: async () => undefined, paymentChecks: new PaymentChecks() };
});

const save = (order: Parameters<typeof savedOrder>[1]) => savedOrder(context.db, order);
const hoursAgo = (hours: number) => Date.now() - hours * HOUR_MS;
const expire = () => expireOrders(context, () => false);
const statusesOf = (orders: Order[]) =>
  Promise.all(orders.map(async (order) => (await getOrder(context.db, order)).status));

test('an order is canceled, with its payment, after a day unpaid or an hour at the bank', async () => {
  const young = await save({ createdAt: hoursAgo(23) });
  const old = await save({ createdAt: hoursAgo(25) });
  const refused = await save({ createdAt: hoursAgo(25), status: 'failed' });
  const atBank = await save({ createdAt: hoursAgo(2) });
  const justAtBank = await save({ createdAt: hoursAgo(2) });
  for (const { id } of [atBank, justAtBank]) {
    const { status } = await updateOrder(context.db, id, { status: 'processing' });
    await insertEvent(context.db, id, { kind: 'status', to: status, passing: false }, TEST_CAUSE);
  }
  await context.db
    .updateTable('orderEvents')
    .set({ at: hoursAgo(1.1) })
    .where('orderId', '=', atBank.id)
    .execute();
  await expire();
  const statuses = await statusesOf([young, old, refused, atBank, justAtBank]);
  expect(statuses).toEqual(['pending', 'canceled', 'canceled', 'canceled', 'processing']);
  const canceled = gateway.cancelPayment.mock.calls.map(([{ id }]) => id);
  expect(canceled).toEqual([old.id, refused.id, atBank.id]);
});

test('a payment started while its order is being abandoned is canceled too', async () => {
  await save({ createdAt: hoursAgo(25) });
  gateway.cancelPayment.mockImplementationOnce(async ({ id }) => {
    const ids = { paymentId: 'pi_1', customerId: 'cus_1', subscriptionId: 'sub_1' };
    await savePayment(context.db, id, { ...ids, clientSecret: 's', due: cents(1) });
    return 'canceled';
  });
  await expire();
  const payments = gateway.cancelPayment.mock.calls.map(
    ([{ subscription }]) => subscription.paymentId,
  );
  expect(payments).toEqual([null, 'pi_1']);
});

test('staff cannot cancel an order of a provider that is no longer active, and read why', async () => {
  const order = await save({ provider: 'earlier', subscriptionId: 'sub_other' });
  const message = 'The order was placed with another payment provider (earlier)';
  const staff = await app.staff();
  for (const [path, body] of [
    [`/api/orders/${order.id}/update-status`, { status: 'canceled' }],
    [`/api/admin/orders/${order.id}/cancel`, { when: 'now' }],
  ] as const)
    expect(await staff.post(path, body)).toMatchObject({ status: 409, json: { message } });
  gateway.provider = 'test';
  expect(await abandonOrder(context, order, TEST_CAUSE, { evenAtBank: true })).toBe('unavailable');
  expect(gateway.cancelPayment).not.toHaveBeenCalled();
  expect(await statusesOf([order])).toEqual(['pending']);
});

test('a test order can be abandoned while another provider is active, since no one can confirm its payment', async () => {
  const order = await save({ provider: 'test', paymentId: 'test_1' });
  expect(await abandonOrder(context, order, TEST_CAUSE)).toBe('abandoned');
});

test('a payment started after its order ended is canceled, or its subscription is ended if it is paid', async () => {
  const order = await save({ status: 'canceled', subscriptionId: 'sub_late' });
  expect(await abandonOrder(context, order, TEST_CAUSE)).toBe('abandoned');
  expect(gateway.cancelPayment).toHaveBeenCalledOnce();
  expect((await getOrder(context.db, order)).subscription.status).toBe('canceled');
  const paid = await save({ status: 'canceled', subscriptionId: 'sub_paid' });
  gateway.cancelPayment.mockResolvedValueOnce('succeeded');
  expect(await abandonOrder(context, paid, TEST_CAUSE)).toBe('abandoned');
  expect(gateway.cancel.mock.calls).toEqual([[expect.objectContaining({ id: paid.id }), 'now']]);
});

const NAME = standInGateway().name;
const OVER = { status: 'canceled', live: 1 } as const;
const refused = { refused: 'No such subscription' };

test.each([
  ['done', []],
  ['unavailable', ['The subscription could not be ended yet, which is tried again']],
  [refused, [`The subscription must be ended at ${NAME} by hand: No such subscription`]],
] as const)(
  'orders that are over can be neither paid nor renewed; when the provider answers %j, staff find notes',
  async (outcome, notes) => {
    const orders = [
      await save({ ...OVER, subscriptionId: 'sub_1' }),
      await save({ ...OVER, status: 'refunded', subscriptionId: 'sub_2' }),
    ];
    // Not started, ended already, of another provider or mode, still running.
    await save(OVER);
    await save({ ...OVER, subscriptionId: 'sub_3', subscriptionStatus: 'canceled' });
    await save({ ...OVER, subscriptionId: 'test_1', provider: 'test' });
    await save({ ...OVER, subscriptionId: 'sub_4', live: 0 });
    await save({ status: 'past_due', subscriptionId: 'sub_5', live: 1 });
    gateway.chargesRealMoney = true;
    gateway.cancel.mockResolvedValue(outcome);
    // It is ended even if its first invoice cannot be voided.
    if (outcome === refused) gateway.cancelPayment.mockResolvedValue(refused);
    await cancelOrphanedSubscriptions(context);
    // A first invoice that is still open could be paid after the end.
    expect(gateway.cancelPayment.mock.calls).toEqual(orders.map((order) => [order]));
    expect(gateway.cancel.mock.calls).toEqual(orders.map((order) => [order, 'now']));
    for (const { id } of orders) expect(await notesOf(context.db, id)).toEqual(notes);
  },
);

test('an error on one order does not stop the others from being canceled or ended', async () => {
  const late = { createdAt: hoursAgo(25), live: 1 } as const;
  const unpaid = [await save(late), await save(late)];
  gateway.chargesRealMoney = true;
  gateway.cancelPayment.mockRejectedValueOnce(new Error('a bug'));
  expect(await logged(expire)).toMatchObject([
    { event: 'order-expiry-failed', orderId: unpaid[0]?.id, message: 'a bug' },
  ]);
  expect(await statusesOf(unpaid)).toEqual(['pending', 'canceled']);
  const ended = [
    await save({ ...OVER, subscriptionId: 'sub_1' }),
    await save({ ...OVER, subscriptionId: 'sub_2' }),
  ];
  gateway.cancel.mockRejectedValueOnce(new Error('a bug'));
  expect(await logged(() => cancelOrphanedSubscriptions(context))).toMatchObject([
    { event: 'subscription-cancellation-failed', orderId: ended[0]?.id, message: 'a bug' },
  ]);
  expect(gateway.cancel.mock.calls.map(([{ id }]) => id)).toEqual(ended.map(({ id }) => id));
});
