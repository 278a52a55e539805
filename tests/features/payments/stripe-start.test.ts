/** An order makes exactly one subscription at Stripe, whatever fails or is retried. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { updateOrder } from '../../../src/billing/order-store.server.ts';
import { order, rowOf, seenByStaff, sharedShop, submit } from '../../support/stripe-shop.ts';

const shop = sharedShop();

const subscriptions = () => shop.fake.subscriptionCount();

/** Returns a function that submits one buyer's order; calling it again retries. */
function newOrder() {
  const visitor = shop.app.visitor();
  const email = `${randomUUID()}@example.com`;
  const key = randomUUID();
  return Object.assign(() => submit(visitor, { email }, key), { visitor });
}

test('a subscription names its order and has an item for each line; products are created once', async () => {
  const company = 'Lantern Row Motors';
  const { orderId, clientSecret } = await order(shop, { company });
  const { subscriptionId, paymentId, customerId } = (await rowOf(shop, orderId)).subscription;
  const subscription = shop.fake.state.subscription.get(subscriptionId ?? '');
  expect(subscription).toMatchObject({
    status: 'incomplete',
    metadata: { orderId: String(orderId), company },
  });
  expect(clientSecret.startsWith(`${paymentId}_secret_`)).toBe(true);
  expect((await seenByStaff(shop, orderId)).providerCustomer).toEqual({
    id: customerId,
    provider: 'Stripe',
    url: `https://dashboard.stripe.com/test/customers/${customerId}`,
  });
  const items = subscription?.items.data.map(({ quantity, price }) => [
    price.product,
    quantity,
    price.unit_amount,
  ]);
  expect(items).toEqual([
    ['plan_2', 1, 85_000],
    ['microsoft365_business_standard', 20, 1250],
    ['microsoft365_backup', 20, 495],
  ]);
  await shop.restart();
  // Stripe refuses phone numbers of more than 20 characters.
  await order(shop, { phone: '+1 (770) 555-0100 ext. 42' });
  const second = [...shop.fake.state.subscription.values()].at(-1);
  expect(second?.metadata).not.toHaveProperty('company');
  const made = shop.fake.requests.filter(
    ({ method, path }) => method === 'POST' && path === '/v1/products',
  );
  expect(made).toHaveLength(3);
});

test('two buyers who are the first of a product at the same moment can both pay', async () => {
  shop.fake.state.product.clear();
  const listed = Promise.withResolvers<void>();
  let lists = 0;
  shop.fake.beforeRequests((path, method) => {
    if (path !== '/v1/products') return undefined;
    if (method === 'POST') return listed.promise;
    lists += 1;
    if (lists === 2) listed.resolve();
    return undefined;
  });
  const pressed = await Promise.all([newOrder()(), newOrder()()]);
  shop.fake.beforeRequests(null);
  expect(pressed.map(({ status }) => status)).toEqual([200, 200]);
});

test('a buyer whose email address Stripe does not take reads that at its field, and buys with another', async () => {
  const visitor = shop.app.visitor();
  const refused = await submit(visitor, { email: 'pat..buyer@example.com' });
  const message = 'Please enter a valid email address';
  expect([refused.status, refused.json.errors]).toEqual([400, [{ path: 'email', message }]]);
  expect((await submit(visitor)).status).toBe(200);
});

describe('when Stripe fails', () => {
  test.each([
    ['/v1/customers', 'reset-after-execution'],
    ['/v1/customers', 'status-500'],
    ['/v1/subscriptions', 'status-502'],
  ] as const)('once at %s with %s, the buyer’s order is placed all the same', async (path, how) => {
    const before = subscriptions();
    const customers = shop.fake.state.customer.size;
    shop.fake.failNext({ how, path, method: 'POST' });
    const { status, json } = await newOrder()();
    expect(status).toBe(200);
    expect((await rowOf(shop, json.orderId)).status).toBe('pending');
    expect([subscriptions(), shop.fake.state.customer.size]).toEqual([before + 1, customers + 1]);
  });

  test.each([
    ['/v1/customers', 'status-502'],
    ['/v1/products', 'status-500-kept'],
    ['/v1/subscriptions', 'reset-after-execution'],
    ['/v1/subscriptions', 'status-500-kept'],
  ] as const)(
    'repeatedly at %s with %s, the buyer can try again, which makes one subscription',
    async (path, how) => {
      if (path === '/v1/products') shop.fake.state.product.clear();
      const before = subscriptions();
      const press = newOrder();
      shop.fake.failNext({ how, path, method: 'POST', times: 100 });
      const first = await press();
      expect(first.status).toBe(503);
      expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(first.json.message).toContain('try again');
      shop.fake.clearFaults();
      const { status, json } = await press();
      expect([status, subscriptions()]).toEqual([200, before + 1]);
      expect((await press.visitor.get(`/api/orders/${json.orderId}`)).status).toBe(200);
    },
  );

  test('so that the ids of a subscription are lost, its event restores them', async () => {
    const { orderId } = await order(shop);
    const { subscriptionId, paymentId, clientSecret } = (await rowOf(shop, orderId)).subscription;
    const lost = { subscriptionId: null, paymentId: null, clientSecret: null };
    await updateOrder(shop.app.database.db, orderId, {}, lost);
    shop.fake.confirmCard(clientSecret ?? '', '4242424242424242');
    await shop.fake.deliver(shop.fake.eventsOf('invoice.paid').slice(-1), { to: shop.webhook });
    expect(await rowOf(shop, orderId)).toMatchObject({
      status: 'paid',
      subscription: { subscriptionId, paymentId },
    });
  });
});

test('a buyer who presses again while the first start is at Stripe gets its subscription', async () => {
  const press = newOrder();
  const before = subscriptions();
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  shop.fake.beforeRequests((path) => {
    if (path !== '/v1/subscriptions') return undefined;
    reached.resolve();
    return held.promise;
  });
  const first = press();
  await reached.promise;
  const again = press();
  shop.fake.beforeRequests(null);
  held.resolve();
  expect([(await first).status, (await again).status]).toEqual([200, 200]);
  expect(subscriptions()).toBe(before + 1);
});
