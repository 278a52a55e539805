import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  clientFor,
  failureOf,
  monthly,
  openShop,
  type Shop,
  secretOf,
  subscribe,
} from './test-kit.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.fake.close());

const key = { idempotencyKey: 'k1' };

describe('idempotency', () => {
  it('replays the answer to the same key and parameters, whatever their order', async () => {
    const { fake, stripe } = shop;
    const first = await stripe.customers.create({ email: 'a@example.com', name: 'A' }, key);
    const again = await stripe.customers.create({ name: 'A', email: 'a@example.com' }, key);
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(fake.state.customer.size).toBe(2);
    expect(fake.requests.at(-1)).toMatchObject({ ...key, params: { name: 'A' } });
  });

  it('refuses the key with other parameters or another address, and while it is in flight', async () => {
    const { fake, stripe, customer } = shop;
    fake.failNext({ how: 'slow', ms: 300, method: 'POST', path: '/v1/customers' });
    const slow = stripe.customers.create({ name: 'A' }, key);
    await expect.poll(() => fake.requests.at(-1)?.idempotencyKey).toBe('k1');
    const second = await failureOf(stripe.customers.create({ name: 'A' }, key));
    expect(second).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    expect((await slow).name).toBe('A');
    const other = await failureOf(stripe.customers.create({ name: 'B' }, key));
    expect(other).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
    const elsewhere = await failureOf(stripe.customers.update(customer.id, { address: {} }, key));
    expect(elsewhere.message).toContain('same endpoint');
  });

  it('keeps a failure of execution, but not a refusal of parameters', async () => {
    const { stripe } = shop;
    const bad: Stripe.SubscriptionCreateParams = {
      customer: 'cus_none',
      items: [{ price_data: monthly('prod_base', 100) }],
      payment_behavior: 'default_incomplete',
    };
    await failureOf(stripe.subscriptions.create(bad, key));
    const kept = await failureOf(stripe.subscriptions.create(bad, key));
    expect(kept.headers?.['idempotent-replayed']).toBe('true');
    const next = { idempotencyKey: 'k2' };
    await failureOf(stripe.customers.create({ name: '' }, next));
    expect((await stripe.customers.create({ name: 'B' }, next)).name).toBe('B');
  });
});

describe('misbehaviour', () => {
  it('makes one subscription when the connection is cut after execution', async () => {
    const { fake } = shop;
    const path = '/v1/subscriptions';
    fake.failNext({ how: 'reset-after-execution', path, method: 'POST', times: 2 });
    // The SDK retries a cut connection once by itself.
    expect(await failureOf(subscribe(shop, key))).toMatchObject({ type: 'StripeConnectionError' });
    await subscribe(shop, key);
    expect(fake.subscriptionCount()).toBe(1);
    const sent = fake.requests.filter((request) => request.path === path);
    expect(sent.map(({ status }) => status)).toEqual([0, 0, 200]);
  });

  it.each([
    ['status-500', 'StripeAPIError'],
    ['status-429', 'StripeRateLimitError'],
    ['status-503', 'StripeAPIError'],
    ['reset', 'StripeConnectionError'],
  ] as const)('fails with %s as often as a test wants, and then works', async (how, type) => {
    const { fake, stripe } = shop;
    fake.failNext({ how, times: how === 'reset' ? 2 : 1 });
    expect(await failureOf(stripe.products.list({ ids: ['prod_base'] }))).toMatchObject({ type });
    expect((await stripe.products.list({ ids: ['prod_base'] })).data).toHaveLength(1);
  });

  it('replays a 500 that was kept, and makes nothing', async () => {
    const { fake, stripe } = shop;
    fake.failNext({ how: 'status-500-kept', path: /^\/v1\/customers$/ });
    await failureOf(stripe.customers.create({ name: 'A' }, key));
    expect((await failureOf(stripe.customers.create({ name: 'A' }, key))).statusCode).toBe(500);
    expect(fake.state.customer.size).toBe(1);
  });

  it('never answers, and frees the key once the caller has gone', async () => {
    const { fake } = shop;
    const hasty = clientFor(fake, { timeout: 150 });
    fake.failNext({ how: 'timeout' });
    expect(await failureOf(hasty.customers.create({ name: 'A' }, key))).toMatchObject({
      type: 'StripeConnectionError',
    });
    expect((await hasty.customers.create({ name: 'A' }, key)).name).toBe('A');
    expect(fake.state.customer.size).toBe(2);
  });
});

it('tells a test whether card digits ever reached the API', async () => {
  const { fake, stripe } = shop;
  fake.confirmCard(secretOf(await subscribe(shop)), '4242 4242 4242 4242');
  expect(fake.sawDigits('4242424242424242')).toBe(false);
  await stripe.customers.create({ name: 'card 4242 4242-4242 4242' });
  expect(fake.sawDigits('4242424242424242')).toBe(true);
});

it('lets a test delay each request, and act before it', async () => {
  const { fake, stripe } = shop;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const paths: string[] = [];
  fake.beforeRequests((path) => {
    paths.push(path);
    return held;
  });
  const made = stripe.customers.create({ name: 'A' });
  await expect.poll(() => paths).toEqual(['/v1/customers']);
  expect(fake.state.customer.size).toBe(1);
  release();
  expect((await made).name).toBe('A');
});
