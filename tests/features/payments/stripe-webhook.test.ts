/** Events update their order, and who was refunded in full is charged no more. */
import { describe, expect, test } from 'vitest';
import { updateOrder } from '../../../src/billing/order-store.server.ts';
import { eventually } from '../../support/eventually.ts';
import type { StandInEvent } from '../../support/fake-stripe/events.ts';
import { notesOf } from '../../support/saved-order.ts';
import {
  atStripe,
  eventsDuring,
  order,
  paymentOf,
  press,
  rowOf,
  type Started,
  seenByStaff,
  sharedShop,
  statusesOf,
  subscriptionOf,
  toldOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const GOOD = '4242424242424242';
const POOR = '4000000000009995';
const ASKS = '4000002500003155';

const shop = sharedShop(WITH_MAIL);

const deliver = (events: readonly StandInEvent[]) =>
  shop.fake.deliver(events, { to: shop.webhook });

/** Delivers only the last event of this type that `act` causes. */
async function deliverLast(type: string, act: () => unknown): Promise<StandInEvent> {
  const event = (await eventsDuring(shop, act)).findLast((each) => each.type === type);
  if (!event) throw new Error(`no ${type} happened`);
  await deliver([event]);
  return event;
}

async function paidOrder(): Promise<Started> {
  const placed = await order(shop);
  await deliverLast('invoice.paid', () => shop.fake.confirmCard(placed.clientSecret, GOOD));
  return placed;
}

/** What the customer’s page lists: a first month never paid is not overdue. */
const invoicesOf = async ({ orderId }: Started) => (await rowOf(shop, orderId)).invoices;

async function expectEnded(placed: Started): Promise<void> {
  const { status } = await rowOf(shop, placed.orderId);
  expect([status, (await atStripe(shop, placed)).status]).toEqual(['refunded', 'canceled']);
}

test('a buyer whose card is declined pays with another one', async () => {
  const placed = await order(shop);
  const confirm = (card: string) => () => shop.fake.confirmCard(placed.clientSecret, card);
  await deliverLast('invoice.payment_failed', confirm(POOR));
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'failed']);
  expect(await invoicesOf(placed)).toEqual([]);
  await deliverLast('invoice.paid', confirm(GOOD));
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'failed', 'processing', 'paid']);
});

test('a buyer who fails 3-D Secure has a failed order', async () => {
  const placed = await order(shop);
  const { clientSecret } = placed;
  await deliverLast('invoice.payment_action_required', () =>
    shop.fake.confirmCard(clientSecret, ASKS),
  );
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'processing']);
  await deliverLast('invoice.payment_failed', () => shop.fake.authenticate(clientSecret, false));
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'processing', 'failed']);
});

test('a renewal that Stripe has not tried to charge yet is not overdue', async () => {
  const placed = await paidOrder();
  const subscription = await atStripe(shop, placed);
  await deliverLast('customer.subscription.updated', () => {
    Object.assign(shop.fake.renew(subscription.id, { pay: false }) ?? {}, { attempted: false });
    subscription.status = 'active';
  });
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid']);
});

test('a refund of something else that staff charged the same customer leaves the order as it is', async () => {
  const placed = await paidOrder();
  const { charge } = shop.fake.state;
  const [own] = [...charge.values()].slice(-1);
  if (!own) throw new Error('nothing was charged');
  charge.set('ch_visit', { ...own, id: 'ch_visit', payment_intent: 'pi_visit' });
  await deliverLast('charge.refunded', () => shop.fake.refundCharge('ch_visit'));
  expect(await seenByStaff(shop, placed.orderId)).toMatchObject({ status: 'paid', refunded: 0 });
});

test.each([
  ['won', 'paid', 'won'],
  ['lost', 'refunded', 'lost'],
  ['prevented', 'paid', 'won'],
  ['warning_closed', 'paid', 'won'],
] as const)(
  'staff see a dispute beside the status; once it is %s, the order is %s',
  async (end, status, dispute) => {
    const placed = await paidOrder();
    let id = '';
    await deliverLast('charge.dispute.created', () => {
      id = shop.fake.openDispute(paymentOf(placed)).id;
    });
    const open = { status: 'paid', dispute: 'open' };
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject(open);
    await deliverLast('charge.dispute.closed', () => shop.fake.closeDispute(id, end));
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject({ status, dispute });
    if (end === 'lost') await expectEnded(placed);
  },
);

test('a customer whose bank gives back a part of one payment keeps the plan, also when a second part is disputed', async () => {
  const placed = await paidOrder();
  const { orderId } = placed;
  const dispute = async (amount: number) => {
    let id = '';
    await deliverLast('charge.dispute.created', () => {
      id = shop.fake.openDispute(paymentOf(placed), amount).id;
    });
    return (end: 'won' | 'lost') =>
      deliverLast('charge.dispute.closed', () => shop.fake.closeDispute(id, end));
  };
  const [first, second] = [await dispute(50_00), await dispute(30_00)];
  await first('lost');
  const partly = { status: 'paid', dispute: 'open', refunded: 50 };
  expect(await seenByStaff(shop, orderId)).toMatchObject(partly);
  await second('won');
  expect(await seenByStaff(shop, orderId)).toMatchObject({ ...partly, dispute: 'lost' });
  expect(await notesOf(shop.app.database.db, orderId)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('$50.00 is disputed'),
      expect.stringContaining('$30.00 is disputed'),
      expect.stringContaining('the bank gave back $50.00'),
    ]),
  );
});

test('a refund that the customer’s bank returns is no longer counted as refunded', async () => {
  const placed = await paidOrder();
  await deliverLast('charge.refunded', () => shop.fake.refundCharge(paymentOf(placed), 50_00));
  expect(await seenByStaff(shop, placed.orderId)).toMatchObject({ refunded: 50 });
  await deliverLast('refund.failed', () => shop.fake.failRefund());
  expect(await seenByStaff(shop, placed.orderId)).toMatchObject({ status: 'paid', refunded: 0 });
  expect(await toldOf(shop, placed, 'order-refund-failed')).toContain('mail-staff');
});

test('staff are told at once of a warning of fraud, with the sum and what avoids a dispute', async () => {
  const placed = await paidOrder();
  const warned = await deliverLast('radar.early_fraud_warning.created', () =>
    shop.fake.warnOfFraud(paymentOf(placed)),
  );
  await deliver([warned]);
  const notes = await notesOf(shop.app.database.db, placed.orderId);
  const told = notes.filter((note) => note.includes('fraud'));
  expect(told).toEqual([expect.stringMatching(/\$1,199\.00.*refund/)]);
  expect(await toldOf(shop, placed, 'order-fraud-warned')).toEqual(['mail-staff']);
});

test('staff read of no warning of fraud about what is refunded already', async () => {
  const placed = await paidOrder();
  shop.fake.refundCharge(paymentOf(placed));
  await deliverLast('radar.early_fraud_warning.created', () =>
    shop.fake.warnOfFraud(paymentOf(placed)),
  );
  expect((await notesOf(shop.app.database.db, placed.orderId)).join()).not.toContain('fraud');
});

describe('after a full refund by staff, the subscription ends', () => {
  const refund = ({ orderId }: Started) =>
    shop.staff.post(`/api/admin/orders/${orderId}/refund`, { amount: null });
  const notes = ({ orderId }: Started) => notesOf(shop.app.database.db, orderId);
  const END = { method: 'DELETE', path: /^\/v1\/subscriptions\// };

  test('although the response to the refund was lost', async () => {
    const placed = await paidOrder();
    shop.fake.failNext({ how: 'reset-after-execution', path: '/v1/refunds', times: 3 });
    const events = await eventsDuring(shop, async () =>
      expect((await refund(placed)).status).toBe(503),
    );
    await deliver(events);
    await expectEnded(placed);
  });

  test.each([
    ['without it', 'status-500-kept'],
    ['after it', 'status-500-done'],
  ] as const)('once, when Stripe had failed %s and staff press again', async (_when, how) => {
    const placed = await paidOrder();
    const charged = () => [...shop.fake.state.refund.values()].map(({ amount }) => amount);
    const before = charged().length;
    const body = { amount: 50 };
    const path = `/api/admin/orders/${placed.orderId}/refund`;
    shop.fake.failNext({ how, path: '/v1/refunds' });
    expect((await shop.staff.post(path, body)).status).toBe(503);
    expect((await shop.staff.post(path, body)).json).toMatchObject({ refunded: 50 });
    expect(charged().slice(before)).toEqual([5000]);
  });

  test('nothing that staff refund at Stripe is laid to a colleague whose refund Stripe got at the second try', async () => {
    const placed = await paidOrder();
    const path = `/api/admin/orders/${placed.orderId}/refund`;
    shop.fake.failNext({ how: 'status-500', path: '/v1/refunds', times: 3 });
    for (const status of [503, 200])
      expect((await shop.staff.post(path, { amount: 50 })).status).toBe(status);
    await deliverLast('charge.refunded', () => shop.fake.refundCharge(paymentOf(placed), 5000));
    const refunds = (await notes(placed)).filter((note) => /^\$.* refunded|^The /.test(note));
    expect(refunds.at(-1)).toMatch(/refunded in all \(reported by Stripe/);
  });

  test('although the response to the end was lost', async () => {
    const placed = await paidOrder();
    shop.fake.failNext({ ...END, how: 'reset-after-execution' });
    expect((await refund(placed)).json.status).toBe('refunded');
    await expectEnded(placed);
    expect((await notes(placed)).join()).not.toMatch(/by hand|could not be ended/);
  });

  test.each([
    [
      'when staff end the order',
      async ({ orderId }: Started) => {
        const { status } = await press(shop, orderId, 'cancel', { when: 'now' });
        expect(status).toBe(200);
      },
    ],
    // Last: what a start catches up on may end an order before staff do.
    ['at the next start', () => shop.restart()],
  ])('%s, when Stripe failed right after the refund', async (_when, act) => {
    const placed = await paidOrder();
    shop.fake.failNext({ ...END, how: 'status-500-kept' });
    expect((await refund(placed)).json.status).toBe('refunded');
    expect((await notes(placed)).at(-1)).toContain('could not be ended yet');
    shop.fake.clearFaults();
    await act(placed);
    await eventually(() => expectEnded(placed));
  });

  test('by hand when Stripe refuses, as staff read in one note', async () => {
    const placed = await paidOrder();
    const [refunded, gone] = [{ status: 'refunded' }, { subscriptionId: 'sub_gone' }] as const;
    await updateOrder(shop.app.database.db, placed.orderId, refunded, gone);
    const byHand = async () => (await notes(placed)).filter((note) => note.includes('by hand'));
    await shop.restart();
    await expect.poll(byHand).toHaveLength(1);
    const requests = () =>
      shop.fake.requests.filter(({ path }) => path.endsWith('/sub_gone')).length;
    const before = requests();
    await shop.restart();
    await expect.poll(requests).toBeGreaterThan(before + 1);
    expect(await byHand()).toHaveLength(1);
  });
});

test('a dispute whose charge Stripe does not have is acknowledged, and changes nothing', async () => {
  const placed = await paidOrder();
  const [event] = await eventsDuring(shop, () => shop.fake.openDispute(paymentOf(placed)));
  if (!event) throw new Error('no dispute');
  shop.fake.state.charge.delete(String(event.object.charge));
  expect(await deliver([event, event])).toEqual([200, 200]);
  expect((await rowOf(shop, placed.orderId)).status).toBe('paid');
});

test('an event about an order whose subscription is gone at Stripe is acknowledged, and staff read of it', async () => {
  const placed = await paidOrder();
  const id = await subscriptionOf(shop, placed);
  const events = await eventsDuring(shop, () => shop.fake.renew(id, { pay: true }));
  shop.fake.state.subscription.delete(id);
  expect(new Set(await deliver(events))).toEqual(new Set([200]));
  expect(await notesOf(shop.app.database.db, placed.orderId)).toContainEqual(
    expect.stringContaining(`No such object: '${id}'`),
  );
  expect((await rowOf(shop, placed.orderId)).status).toBe('paid');
});
