import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  clientFor,
  failureOf,
  intentOf,
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

describe('idempotency', () => {
  it('replays the answer to the same key and parameters, whatever their order', async () => {
    const { fake, stripe } = shop;
    const first = await stripe.customers.create(
      { email: 'a@example.com', name: 'A' },
      { idempotencyKey: 'k1' },
    );
    const again = await stripe.customers.create(
      { name: 'A', email: 'a@example.com' },
      { idempotencyKey: 'k1' },
    );
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(fake.state.customer.size).toBe(2);
    expect(fake.requests.at(-1)).toMatchObject({
      idempotencyKey: 'k1',
      params: { name: 'A' },
    });
  });

  it('refuses the key with other parameters or another address', async () => {
    const { stripe, customer } = shop;
    await stripe.customers.create({ name: 'A' }, { idempotencyKey: 'k1' });
    const other = await failureOf(stripe.customers.create({ name: 'B' }, { idempotencyKey: 'k1' }));
    expect(other).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
    const elsewhere = await failureOf(
      stripe.customers.update(customer.id, { address: {} }, { idempotencyKey: 'k1' }),
    );
    expect(elsewhere.message).toContain('same endpoint');
  });

  it('answers 409 while the first request is in flight', async () => {
    const { fake, stripe } = shop;
    fake.failNext({ how: 'slow', ms: 300, method: 'POST', path: '/v1/customers' });
    const slow = stripe.customers.create({ name: 'A' }, { idempotencyKey: 'k1' });
    await new Promise((resolve) => setTimeout(resolve, 80));
    const second = await failureOf(
      stripe.customers.create({ name: 'A' }, { idempotencyKey: 'k1' }),
    );
    expect(second).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    expect((await slow).name).toBe('A');
  });

  it('keeps a failure of execution, but not a refusal of parameters', async () => {
    const { stripe, base } = shop;
    const bad = { customer: 'cus_none', items: [{ price: base.id }] };
    await failureOf(stripe.subscriptions.create(bad, { idempotencyKey: 'k1' }));
    const kept = await failureOf(stripe.subscriptions.create(bad, { idempotencyKey: 'k1' }));
    expect(kept.headers?.['idempotent-replayed']).toBe('true');
    await failureOf(stripe.customers.create({ name: '' }, { idempotencyKey: 'k2' }));
    expect((await stripe.customers.create({ name: 'B' }, { idempotencyKey: 'k2' })).name).toBe('B');
  });
});

describe('misbehaviour', () => {
  it('makes one subscription when the connection is cut after execution', async () => {
    const { fake } = shop;
    fake.failNext({
      how: 'reset-after-execution',
      path: '/v1/subscriptions',
      method: 'POST',
      times: 2,
    });
    const key = { idempotencyKey: 'order-7' };
    // The SDK retries a cut connection once by itself.
    expect(await failureOf(subscribe(shop, key))).toMatchObject({ type: 'StripeConnectionError' });
    const subscription = await subscribe(shop, key);
    expect(fake.subscriptionCount(shop.customer.id)).toBe(1);
    expect(fake.subscriptionCount()).toBe(1);
    expect(fake.confirmCard(secretOf(subscription), '4242424242424242').paymentIntent?.status).toBe(
      'succeeded',
    );
    expect(
      fake.requests
        .filter((request) => request.path === '/v1/subscriptions')
        .map((request) => request.status),
    ).toEqual([0, 0, 200]);
  });

  it('fails once with 500, 429 and a cut connection, and then works', async () => {
    const { fake, stripe } = shop;
    fake.failNext({ how: 'status-500' });
    expect(await failureOf(stripe.webhookEndpoints.list())).toMatchObject({
      statusCode: 500,
      type: 'StripeAPIError',
    });
    fake.failNext({ how: 'status-429' });
    expect(await failureOf(stripe.webhookEndpoints.list())).toMatchObject({
      statusCode: 429,
      type: 'StripeRateLimitError',
    });
    fake.failNext({ how: 'reset', times: 2 });
    expect(await failureOf(stripe.webhookEndpoints.list())).toMatchObject({
      type: 'StripeConnectionError',
    });
    fake.failNext({ how: 'status-500' });
    expect((await clientFor(fake, { maxNetworkRetries: 1 }).webhookEndpoints.list()).data).toEqual(
      [],
    );
  });

  it('replays a 500 that was kept, and makes nothing', async () => {
    const { fake, stripe } = shop;
    fake.failNext({ how: 'status-500-kept', path: /^\/v1\/customers$/ });
    const key = { idempotencyKey: 'k1' };
    await failureOf(stripe.customers.create({ name: 'A' }, key));
    expect((await failureOf(stripe.customers.create({ name: 'A' }, key))).statusCode).toBe(500);
    expect(fake.state.customer.size).toBe(1);
    expect((await stripe.customers.create({ name: 'A' }, { idempotencyKey: 'k2' })).name).toBe('A');
  });

  it('never answers, and frees the key once the caller has gone', async () => {
    const { fake } = shop;
    const hasty = clientFor(fake, { timeout: 150 });
    fake.failNext({ how: 'timeout' });
    const key = { idempotencyKey: 'k1' };
    expect(await failureOf(hasty.customers.create({ name: 'A' }, key))).toMatchObject({
      type: 'StripeConnectionError',
    });
    expect((await hasty.customers.create({ name: 'A' }, key)).name).toBe('A');
    expect(fake.state.customer.size).toBe(2);
  });
});

describe('what a test may look at', () => {
  it('tells whether card digits ever reached the API', async () => {
    const { fake, stripe } = shop;
    fake.confirmCard(secretOf(await subscribe(shop)), '4242 4242 4242 4242');
    expect(fake.sawDigits('4242424242424242')).toBe(false);
    await stripe.customers.create({ name: 'card 4242 4242-4242 4242' });
    expect(fake.sawDigits('4242424242424242')).toBe(true);
  });

  it('keeps requests with their parameters', async () => {
    const { fake } = shop;
    const subscription = await subscribe(shop, { idempotencyKey: 'order-7' });
    expect(fake.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/subscriptions',
      idempotencyKey: 'order-7',
      params: { items: { 1: { quantity: '4' } }, metadata: { orderId: '7' } },
    });
    expect(fake.state.payment_intent.get(intentOf(subscription))?.status).toBe(
      'requires_payment_method',
    );
  });
});

it('lets a test delay each request, and act before it', async () => {
  const { fake, stripe } = shop;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const paths: string[] = [];
  fake.beforeRequests((path) => {
    paths.push(path);
    return held;
  });
  const before = fake.state.customer.size;
  const made = stripe.customers.create({ name: 'A' });
  await expect.poll(() => paths).toEqual(['/v1/customers']);
  expect(fake.state.customer.size).toBe(before);
  release();
  expect((await made).name).toBe('A');
  fake.beforeRequests(null);
});
