/** Whoever has everything back is charged no more, whoever gave it back and whatever failed on the way. */
import { describe, expect, test } from 'vitest';
import { notesOf } from '../../support/saved-order.ts';
import {
  eventsDuring,
  order,
  paymentOf,
  receiptsFor,
  rowOf,
  type Started,
  seenByStaff,
  sharedShop,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const shop = sharedShop(WITH_MAIL);

/** The order here, and its subscription at Stripe. */
async function state(placed: Started): Promise<[string, string | undefined]> {
  const { status, subscriptionId } = await rowOf(shop, placed.orderId);
  return [status, shop.fake.state.subscription.get(subscriptionId ?? '')?.status];
}

/** Delivers what has happened at Stripe while `act` ran. */
async function heard(act: () => unknown): Promise<void> {
  await shop.fake.deliver(await eventsDuring(shop, act), { to: shop.webhook });
}

async function paidOrder(): Promise<Started> {
  const placed = await order(shop);
  await heard(() => shop.fake.confirmCard(placed.clientSecret, '4242424242424242'));
  expect(await state(placed)).toEqual(['paid', 'active']);
  return placed;
}

const giveBack = ({ orderId }: Started) =>
  shop.staff.post(`/api/admin/orders/${orderId}/refund`, { amount: null });

const notes = ({ orderId }: Started) => notesOf(shop.app.database.db, orderId);

describe('the subscription ends', () => {
  test('when the refund was made at Stripe itself', async () => {
    const placed = await paidOrder();
    await heard(() => shop.fake.refundCharge(paymentOf(placed)));
    expect(await state(placed)).toEqual(['refunded', 'canceled']);
  });

  test('when a dispute was lost', async () => {
    const placed = await paidOrder();
    await heard(() => shop.fake.closeDispute(shop.fake.openDispute(paymentOf(placed)).id, 'lost'));
    expect(await state(placed)).toEqual(['refunded', 'canceled']);
  });

  test('when the answer to the refund was lost', async () => {
    const placed = await paidOrder();
    shop.fake.failNext({ how: 'reset-after-execution', path: '/v1/refunds', times: 3 });
    await heard(async () => expect((await giveBack(placed)).status).toBe(503));
    expect(await state(placed)).toEqual(['refunded', 'canceled']);
  });

  test('at the next look, when Stripe was away right after the refund', async () => {
    const placed = await paidOrder();
    shop.fake.failNext({
      how: 'status-500-kept',
      path: /^\/v1\/subscriptions\//,
      method: 'DELETE',
    });
    expect((await giveBack(placed)).json.status).toBe('refunded');
    expect(await state(placed)).toEqual(['refunded', 'active']);
    expect((await notes(placed)).at(-1)).toContain('could not be ended yet');
    shop.fake.clearFaults();
    await shop.restart();
    await expect.poll(() => state(placed)).toEqual(['refunded', 'canceled']);
  });

  test('by hand, when Stripe will not: staff read so once', async () => {
    const placed = await paidOrder();
    await shop.app.database.db
      .updateTable('orders')
      .set({ status: 'refunded', subscriptionId: 'sub_gone' })
      .where('id', '=', placed.orderId)
      .execute();
    const byHand = async () => (await notes(placed)).filter((note) => note.includes('by hand'));
    await shop.restart();
    await expect.poll(byHand).toHaveLength(1);
    const asked = () => shop.fake.requests.filter(({ path }) => path.endsWith('/sub_gone')).length;
    const before = asked();
    await shop.restart();
    await expect.poll(asked).toBeGreaterThan(before + 1);
    expect(await byHand()).toHaveLength(1);
  });
});

/** The first month is paid, the second has been refused. */
async function overdueOrder(): Promise<Started> {
  const placed = await paidOrder();
  const { subscriptionId } = await rowOf(shop, placed.orderId);
  await heard(() => shop.fake.renew(subscriptionId ?? '', { pay: false }));
  expect(await state(placed)).toEqual(['past_due', 'past_due']);
  return placed;
}

const statuses = async ({ orderId }: Started): Promise<string[]> =>
  (await seenByStaff(shop, orderId)).history.map(({ status }: { status: string }) => status);

describe('an overdue order is refunded like any other', () => {
  const WAY = ['pending', 'paid', 'past_due', 'paid', 'refunded'];

  test('when the bank takes the month that was paid back', async () => {
    const placed = await overdueOrder();
    const { id } = shop.fake.openDispute(paymentOf(placed));
    await heard(() => shop.fake.closeDispute(id, 'lost'));
    expect(await statuses(placed)).toEqual(WAY);
    expect(await state(placed)).toEqual(['refunded', 'canceled']);
    expect(await receiptsFor(shop, placed.orderId)).toBe(1);
  });

  test('also when the end of the subscription is heard before the lost dispute', async () => {
    const placed = await overdueOrder();
    const { subscriptionId } = await rowOf(shop, placed.orderId);
    const { id } = shop.fake.openDispute(paymentOf(placed));
    shop.fake.closeDispute(id, 'lost');
    await heard(() => shop.fake.cancelSubscription(subscriptionId ?? ''));
    expect(await statuses(placed)).toEqual(WAY);
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject({ dispute: 'lost' });
  });
});
