import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { order, rowOf, sharedShop, submit } from '../../support/stripe-shop.ts';

const shop = sharedShop();

const subscriptions = () => shop.fake.subscriptionCount();

describe('an order at Stripe', () => {
  test('is a subscription that leads back to it, with an item per line of the breakdown', async () => {
    const { orderId, clientSecret } = await order(shop);
    const { subscriptionId, paymentId } = await rowOf(shop, orderId);
    const subscription = shop.fake.state.subscription.get(subscriptionId ?? '');
    expect(subscription?.status).toBe('incomplete');
    expect(subscription?.metadata).toEqual({ orderId: String(orderId) });
    expect(clientSecret.startsWith(`${paymentId}_secret_`)).toBe(true);
    expect(
      subscription?.items.data.map(({ quantity, price }) => [quantity, price.unit_amount]),
    ).toEqual([
      [1, 85_000],
      [20, 1250],
      [20, 495],
    ]);
  });
});

describe('when Stripe fails', () => {
  const faults = [
    'status-500',
    'status-502',
    'status-503',
    'reset',
    'reset-after-execution',
  ] as const;
  const paths = ['/v1/customers', '/v1/subscriptions'];
  const cases = paths.flatMap((path) => faults.map((how) => [path, how] as const));

  /** One order of one buyer; `again` presses once more. */
  function buyer() {
    const visitor = shop.app.visitor();
    const email = `${randomUUID()}@example.com`;
    const key = randomUUID();
    return () => submit(visitor, { email }, key);
  }

  test.each(cases)('once at %s with %s, the buyer does not notice', async (path, how) => {
    const before = subscriptions();
    const customers = shop.fake.state.customer.size;
    const requests = shop.fake.requests.length;
    shop.fake.failNext({ how, path, method: 'POST' });
    const { status, json } = await buyer()();
    expect(status).toBe(200);
    expect((await rowOf(shop, json.orderId)).status).toBe('pending');
    expect([subscriptions(), shop.fake.state.customer.size]).toEqual([before + 1, customers + 1]);
    const sent = shop.fake.requests
      .slice(requests)
      .filter((each) => each.path === path && each.method === 'POST');
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  const lasting = (['status-500-kept', 'reset-after-execution'] as const).flatMap((how) =>
    paths.map((path) => [path, how] as const),
  );
  test.each([...lasting, ['/v1/customers', 'status-502']] as const)(
    'again and again at %s with %s, the buyer is asked to try again, and that makes one subscription',
    async (path, how) => {
      const before = subscriptions();
      const press = buyer();
      shop.fake.failNext({ how, path, method: 'POST', times: 100 });
      const first = await press();
      expect(first.status).toBe(503);
      expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(first.json.message).toContain('try again');
      shop.fake.clearFaults();
      expect((await press()).status).toBe(200);
      expect(subscriptions()).toBe(before + 1);
    },
  );

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

test('a buyer waits 25 seconds for all requests together, and pressing again joins what is under way', async () => {
  const visitor = shop.app.visitor();
  const email = `${randomUUID()}@example.com`;
  const key = randomUUID();
  const before = subscriptions();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = () => {};
  const reached = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  shop.fake.beforeRequests((path) => {
    if (path !== '/v1/subscriptions') return undefined;
    isHeld();
    return held;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const first = submit(visitor, { email }, key);
  await reached;
  vi.advanceTimersByTime(25_000);
  vi.useRealTimers();
  expect([(await first).status, (await first).headers.get('retry-after')]).toEqual([503, '5']);
  const again = submit(visitor, { email }, key);
  shop.fake.beforeRequests(null);
  release();
  expect((await again).status).toBe(200);
  expect(subscriptions()).toBe(before + 1);
});
