import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientFor, failureOf, monthly, openShop, type Shop, subscribe } from './test-kit.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.fake.close());

const raw = async (path: string, headers: Record<string, string>, init: RequestInit = {}) => {
  const response = await fetch(`${shop.fake.url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${shop.fake.secretKey}`,
      'stripe-version': '2026-10-28.endive',
      ...headers,
    },
  });
  return { status: response.status, text: await response.text() };
};

const post = (path: string, params: object): Promise<Stripe.errors.StripeError> =>
  failureOf(shop.stripe.rawRequest('POST', path, { ...params }));

it('wants the secret key, its version, forms, and known addresses', async () => {
  const { fake } = shop;
  const wrong = clientFor(fake, { key: 'sk_test_other' }).products.list({ ids: ['prod_base'] });
  expect(await failureOf(wrong)).toMatchObject({ statusCode: 401 });
  const path = '/v1/invoices/in_none';
  expect((await raw(path, { authorization: fake.secretKey })).status).toBe(401);
  expect((await raw(path, { 'stripe-version': '2024-06-20' })).status).toBe(400);
  const json = await raw(
    '/v1/customers',
    { 'content-type': 'application/json' },
    { method: 'POST', body: '{}' },
  );
  expect(json.text).toContain('application/x-www-form-urlencoded');
  const stranger = await raw('/v1/coupons', {});
  expect(stranger.status).toBe(404);
  expect(stranger.text).toContain('this stand-in does not know it.');
});

describe('parameters', () => {
  it.each([
    ['/v1/customers', { nickname: 'x' }, 'parameter_unknown', 'nickname'],
    ['/v1/customers', { email: 'nobody' }, 'email_invalid', 'email'],
    ['/v1/customers', { name: '' }, 'parameter_invalid_empty', 'name'],
    ['/v1/customers', { phone: '1'.repeat(21) }, undefined, 'phone'],
    ['/v1/customers', { address: { zip: '30301' } }, 'parameter_unknown', 'address[zip]'],
    ['/v1/products', { id: 'p1' }, 'parameter_missing', 'name'],
    ['/v1/products', { id: 'prod_base', name: 'Again' }, 'resource_already_exists', 'id'],
    ['/v1/refunds', { amount: 5 }, 'stand_in_not_modelled', 'payment_intent'],
    ['/v1/refunds', { amount: 0, payment_intent: 'pi_1' }, 'parameter_invalid_integer', 'amount'],
  ])('POST %s %j', async (path, params, code, param) => {
    const found = { type: 'StripeInvalidRequestError', statusCode: 400, code, param };
    expect(await post(path, params)).toMatchObject(found);
  });

  it('are refused in Stripe’s words', async () => {
    const said = async (params: object) => (await post('/v1/customers', params)).message;
    expect(await said({ a: 1, b: 2 })).toMatch(/^Received unknown parameters: a, b\./);
    expect(await said({ name: '' })).toContain("You passed an empty string for 'name'.");
  });
});

describe('a subscription', () => {
  const create = (params: object): Promise<Stripe.errors.StripeError> =>
    post('/v1/subscriptions', {
      customer: shop.customer.id,
      payment_behavior: 'default_incomplete',
      ...params,
    });
  const price = monthly('prod_base', 100);
  const priced = (change: object) => ({ price_data: { ...price, ...change } });

  it.each([
    [{ items: undefined }, 'parameter_missing', 'items'],
    [{ items: [{ quantity: 1 }] }, 'stand_in_not_modelled', 'items[0][price_data]'],
    [{ items: [{ price: 'price_1' }] }, 'parameter_unknown', 'items[0][price]'],
    [
      { items: [priced({ product: 'prod_none' })] },
      'resource_missing',
      'items[0][price_data][product]',
    ],
    [
      { items: [priced({ unit_amount: 9.5 })] },
      'parameter_invalid_integer',
      'items[0][price_data][unit_amount]',
    ],
    [{ items: [priced({}), priced({ currency: 'eur' })] }, undefined, 'items'],
    [{ items: Array.from({ length: 21 }, () => priced({})) }, undefined, 'items'],
    [{ metadata: { a: 'x'.repeat(501) } }, undefined, 'metadata[a]'],
    [{ metadata: Array.from({ length: 51 }, () => 'x') }, undefined, 'metadata'],
    [{ payment_behavior: 'later' }, undefined, 'payment_behavior'],
    [{ expand: ['latest_invoice.payment_intent'] }, undefined, 'expand'],
    [{ trial_period_days: 3 }, 'parameter_unknown', 'trial_period_days'],
  ])('refuses %j', async (params, code, param) => {
    const refused = await create({ items: [priced({})], ...params });
    expect(refused).toMatchObject({ statusCode: 400, code, param });
    expect(shop.fake.subscriptionCount()).toBe(0);
  });

  it('wants prices that say whether tax is in them, where tax is added', async () => {
    const taxed = async (tax_behavior?: string) =>
      (await create({ items: [priced({ tax_behavior })], automatic_tax: { enabled: true } }))
        .message;
    expect(await taxed()).toContain('does not have a `tax_behavior`');
    expect(await taxed('inclusive')).toContain('does not know it');
  });

  it('can be told to end only while it runs', async () => {
    const { fake, stripe } = shop;
    const { id } = await subscribe(shop);
    const end = () => failureOf(stripe.subscriptions.update(id, { cancel_at_period_end: true }));
    expect((await end()).message).toContain('with status `incomplete`');
    fake.expire(id);
    expect(await end()).toMatchObject({ code: 'invalid_canceled_subscription_fields' });
  });
});

describe('reading', () => {
  it('answers 404 for what is not there', async () => {
    const { stripe } = shop;
    const missing = { statusCode: 404, code: 'resource_missing' };
    expect(await failureOf(stripe.subscriptions.retrieve('sub_none'))).toMatchObject(missing);
    const intent = await failureOf(stripe.paymentIntents.retrieve('pi_none'));
    expect(intent).toMatchObject({ ...missing, param: 'intent' });
  });

  it('lists by whom it belongs to, page by page, and expands only what can be', async () => {
    const { stripe, customer } = shop;
    const { id } = await subscribe(shop);
    const listed = { customer: customer.id, status: 'all' } as const;
    expect((await stripe.subscriptions.list({ ...listed, limit: 1 })).data).toMatchObject([{ id }]);
    const other = await stripe.customers.create({ name: 'Somebody else' });
    expect((await stripe.subscriptions.list({ ...listed, customer: other.id })).data).toEqual([]);
    const after = stripe.subscriptions.list({ ...listed, starting_after: 'sub_none' });
    expect(await failureOf(after)).toMatchObject({ param: 'starting_after' });
    const invoices = stripe.invoices.list({ subscription: id, expand: ['payments'] });
    expect((await failureOf(invoices)).message).toContain("'data.payments'");
  });
});
