/** What was begun with other keys, or deleted at Stripe, keeps nobody from buying. */
import { afterEach, describe, expect, test } from 'vitest';
import {
  openShop,
  order,
  rowOf,
  type StripeShop,
  seenByStaff,
  submit,
} from '../../support/stripe-shop.ts';

const EMAIL = 'again@example.com';

let shop: StripeShop;
afterEach(() => shop.close());

test.each(['off', 'on'])(
  'with sales tax %s, a customer that Stripe does not know any more is replaced',
  async (tax) => {
    shop = await openShop({ STRIPE_TAX: tax });
    const zip = tax === 'on' ? { postalCode: '30060' } : {};
    const { visitor } = await order(shop, { email: EMAIL, ...zip });
    await shop.app.database.db
      .updateTable('orders')
      .set({ customerId: 'cus_of_the_test_mode' })
      .execute();
    const before = shop.fake.subscriptionCount();
    const again = await submit(visitor, { email: EMAIL, planId: 1, amount: 799, ...zip });
    expect(again.status).toBe(200);
    expect(shop.fake.subscriptionCount()).toBe(before + 1);
    const { customerId } = await rowOf(shop, again.json.orderId);
    expect(shop.fake.state.customer.has(customerId ?? '')).toBe(true);
  },
);

describe('an order of the other mode', () => {
  async function placedLive() {
    shop = await openShop();
    const placed = await order(shop, { email: EMAIL });
    await shop.app.database.db.updateTable('orders').set({ live: 1 }).execute();
    return placed;
  }

  test('is kept apart from today’s keys: no warning, no event', async () => {
    const placed = await placedLive();
    shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    await shop.fake.deliver(shop.fake.eventsOf('invoice.paid'), { to: shop.webhook });
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject({ status: 'pending' });
    await shop.app.database.db.updateTable('orders').set({ status: 'paid' }).execute();
    expect((await submit(shop.app.visitor(), { email: EMAIL })).status).toBe(200);
  });

  test('is not asked after', async () => {
    const placed = await placedLive();
    const now = await order(shop, { email: 'now@example.com' });
    await shop.app.database.db
      .updateTable('orders')
      .set(({ eb }) => ({ createdAt: eb('createdAt', '-', 11 * 60_000) }))
      .execute();
    shop.fake.failNext({ how: 'status-500-kept', path: '/v1/events' });
    for (const { clientSecret } of [placed, now]) {
      shop.fake.confirmCard(clientSecret, '4242424242424242');
    }
    await shop.restart();
    await expect.poll(async () => (await seenByStaff(shop, now.orderId)).status).toBe('paid');
    expect((await seenByStaff(shop, placed.orderId)).status).toBe('pending');
  });
});
