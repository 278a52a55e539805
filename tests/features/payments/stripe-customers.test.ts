/** What was begun with other keys keeps nobody from buying. */
import { afterEach, describe, expect, test } from 'vitest';
import {
  openShop,
  order,
  type StripeShop,
  seenByStaff,
  submit,
} from '../../support/stripe-shop.ts';

const EMAIL = 'again@example.com';

let shop: StripeShop;
afterEach(() => shop.close());

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
