import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { order, rowOf, sharedShop, submit } from '../support/stripe-shop.ts';

const shop = sharedShop();

const subscriptions = () => shop.fake.subscriptionCount();

describe('an order at Stripe', () => {
  test('is a subscription that leads back to it, with an item per line of the breakdown', async () => {
    const { orderId, clientSecret } = await order(shop);
    const { subscriptionId, paymentId, createdAt } = await rowOf(shop, orderId);
    const subscription = shop.fake.state.subscription.get(subscriptionId ?? '');
    expect(subscription?.status).toBe('incomplete');
    expect(subscription?.metadata).toEqual({
      orderId: String(orderId),
      orderedAt: String(createdAt),
    });
    expect(clientSecret.startsWith(`${paymentId}_secret_`)).toBe(true);
    expect(
      subscription?.items.data.map(({ quantity, price }) => [quantity, price.unit_amount]),
    ).toEqual([
      [1, 85_000],
      [20, 1250],
      [20, 495],
    ]);
  });

  test('one customer per buyer, however often and in whatever spelling', async () => {
    const email = 'Pat.Again@example.com';
    const first = await order(shop, { email });
    const [second, third] = await Promise.all([
      order(shop, { email: email.toLowerCase(), planId: 1, amount: 799 }),
      order(shop, { email: email.toUpperCase(), planId: 3, amount: 2299 }),
    ]);
    const rows = await Promise.all(
      [first, second, third].map(({ orderId }) => rowOf(shop, orderId)),
    );
    expect(new Set(rows.map(({ customerId }) => customerId)).size).toBe(1);
  });
});

describe('when Stripe fails', () => {
  const faults = [
    'status-500',
    'status-500-kept',
    'status-429',
    'reset',
    'reset-after-execution',
  ] as const;
  const paths = ['/v1/customers', '/v1/subscriptions'];

  test.each(paths.flatMap((path) => faults.map((how) => [path, how] as const)))(
    'at %s with %s, trying again makes one subscription',
    { timeout: 60_000 },
    async (path, how) => {
      const before = subscriptions();
      const customers = shop.fake.state.customer.size;
      const visitor = shop.app.visitor();
      const key = randomUUID();
      const email = `${randomUUID()}@example.com`;
      shop.fake.failNext({ how, path, method: 'POST', times: 2 });
      const first = await submit(visitor, { email }, key);
      expect(first.status).toBe(503);
      expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(first.json.message).toContain('try again');
      shop.fake.clearFaults();
      const second = await submit(visitor, { email }, key);
      expect(second.status).toBe(200);
      expect(subscriptions()).toBe(before + 1);
      expect(shop.fake.state.customer.size).toBe(customers + 1);
      expect((await rowOf(shop, second.json.orderId)).status).toBe('pending');
    },
  );

  test('an answer that never comes ends in words, within what a visitor waits for', {
    timeout: 60_000,
  }, async () => {
    const visitor = shop.app.visitor();
    const key = randomUUID();
    const email = 'slow@example.com';
    for (const path of ['/v1/customers', '/v1/subscriptions']) {
      shop.fake.failNext({ how: 'timeout', path, times: 100 });
      const began = performance.now();
      expect((await submit(visitor, { email }, key)).status).toBe(503);
      expect(performance.now() - began).toBeLessThan(8_000);
      shop.fake.clearFaults();
    }
    expect((await submit(visitor, { email }, key)).status).toBe(200);
  });

  test('a subscription whose answer came after another attempt was decided on is found, not made twice', async () => {
    const visitor = shop.app.visitor();
    const key = randomUUID();
    const email = 'late@example.com';
    const first = await submit(visitor, { email }, key);
    const before = subscriptions();
    await shop.app.database.db
      .updateTable('orders')
      .set({ subscriptionId: null, paymentId: null, clientSecret: null, attempt: 2 })
      .where('id', '=', first.json.orderId)
      .execute();
    const second = await submit(visitor, { email }, key);
    expect(second.json.clientSecret).toBe(first.json.clientSecret);
    expect(subscriptions()).toBe(before);
  });

  test('an order that was never answered is found again at Stripe', async () => {
    const { orderId } = await order(shop);
    const { subscriptionId, paymentId, clientSecret } = await rowOf(shop, orderId);
    await shop.app.database.db
      .updateTable('orders')
      .set({ subscriptionId: null, paymentId: null, clientSecret: null })
      .where('id', '=', orderId)
      .execute();
    shop.fake.confirmCard(clientSecret ?? '', '4242424242424242');
    await shop.fake.deliver(shop.fake.eventsOf('invoice.paid').slice(-1), { to: shop.webhook });
    expect(await rowOf(shop, orderId)).toMatchObject({ status: 'paid', subscriptionId, paymentId });
  });
});
