import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientFor, failureOf, openShop, type Shop } from './test-kit.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.fake.close());

const raw = async (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) => {
  const response = await fetch(`${shop.fake.url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${shop.fake.secretKey}`,
      'stripe-version': '2026-10-28.endive',
      ...init.headers,
    },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as { error?: { message: string } },
  };
};

const post = (path: string, params: object): Promise<Stripe.errors.StripeError> =>
  failureOf(shop.stripe.rawRequest('POST', path, { ...params }));

describe('the door', () => {
  it('wants the secret key, in Basic or Bearer', async () => {
    const wrong = clientFor(shop.fake, { key: 'sk_test_other' });
    expect(await failureOf(wrong.customers.list())).toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
    });
    expect((await raw('/v1/account', { headers: { authorization: '' } })).status).toBe(401);
    const basic = `Basic ${Buffer.from(`${shop.fake.secretKey}:`).toString('base64')}`;
    const answer = await raw('/v1/account', { headers: { authorization: basic } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('request-id')).toMatch(/^req_/);
  });

  it('wants its version, forms, and known addresses', async () => {
    expect((await raw('/v1/account', { headers: { 'stripe-version': '2024-06-20' } })).status).toBe(
      400,
    );
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await raw('/v1/customers', json)).body.error?.message).toContain(
      'application/x-www-form-urlencoded',
    );
    expect((await raw('/v1/nothing')).status).toBe(404);
  });
});

describe('parameters', () => {
  it.each([
    ['/v1/customers', { nickname: 'x' }, 'parameter_unknown', 'nickname'],
    ['/v1/customers', { email: 'nobody' }, 'email_invalid', 'email'],
    ['/v1/customers', { name: '' }, 'parameter_invalid_empty', 'name'],
    ['/v1/customers', { source: 'tok_visa' }, 'stand_in_not_modelled', 'source'],
    ['/v1/customers', { phone: '1'.repeat(21) }, undefined, 'phone'],
    ['/v1/customers', { address: { zip: '30301' } }, 'parameter_unknown', 'address[zip]'],
    ['/v1/customers', { metadata: { a: 'x'.repeat(501) } }, undefined, 'metadata[a]'],
    ['/v1/products', { id: 'p1' }, 'parameter_missing', 'name'],
    ['/v1/products', { id: 'prod_base', name: 'Again' }, 'resource_already_exists', 'id'],
    ['/v1/prices', { product: 'prod_base', unit_amount: 100 }, 'parameter_missing', 'currency'],
    [
      '/v1/prices',
      { currency: 'usd', product: 'prod_base', unit_amount: 9.5 },
      'parameter_invalid_integer',
      'unit_amount',
    ],
    [
      '/v1/prices',
      { currency: 'usd', product: 'prod_none', unit_amount: 1 },
      'resource_missing',
      'product',
    ],
    [
      '/v1/prices',
      { currency: 'usd', product: 'prod_base', unit_amount: 1, lookup_key: 'base' },
      undefined,
      'lookup_key',
    ],
    [
      '/v1/payment_intents',
      { amount: 100, currency: 'usd', payment_method_types: ['card'] },
      'payment_method_types_no_longer_supported',
      'payment_method_types',
    ],
    ['/v1/refunds', { amount: 5 }, 'parameter_missing', undefined],
    [
      '/v1/billing_portal/sessions',
      { return_url: 'https://example.com' },
      'parameter_missing',
      'customer',
    ],
    ['/v1/billing_portal/sessions', { customer: 'cus_none' }, 'resource_missing', 'customer'],
  ])('POST %s %j', async (path, params, code, param) => {
    expect(await post(path, params)).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      code,
      param,
    });
  });

  it('names every unknown parameter', async () => {
    expect((await post('/v1/customers', { a: 1, b: 2 })).message).toBe(
      'Received unknown parameters: a, b',
    );
  });
});

describe('subscriptions', () => {
  const monthly = {
    currency: 'usd',
    product: 'prod_base',
    recurring: { interval: 'month' },
    unit_amount: 100,
  };
  const create = (params: object): Promise<Stripe.errors.StripeError> =>
    post('/v1/subscriptions', {
      customer: shop.customer.id,
      payment_behavior: 'default_incomplete',
      ...params,
    });

  it.each([
    [{}, 'parameter_missing', 'items'],
    [{ items: [{ quantity: 1 }] }, 'parameter_missing', 'items[0][price]'],
    [{ items: [{ price: 'price_none' }] }, 'resource_missing', 'items[0][price]'],
    [
      { items: [{ price_data: { ...monthly, product_data: { name: 'x' } } }] },
      'parameter_unknown',
      'items[0][price_data][product_data]',
    ],
    [
      { items: [{ price_data: { ...monthly, product: undefined } }] },
      'parameter_missing',
      'items[0][price_data][product]',
    ],
    [
      { items: [{ price_data: { ...monthly, recurring: {} } }] },
      'parameter_missing',
      'items[0][price_data][recurring]',
    ],
    [
      { items: [{ price_data: { ...monthly, unit_amount: undefined } }] },
      'parameter_missing',
      'items[0][price_data][unit_amount]',
    ],
    [
      { items: [{ price_data: monthly, quantity: 'two' }] },
      'parameter_invalid_integer',
      'items[0][quantity]',
    ],
    [
      { items: [{ price_data: monthly }], payment_behavior: 'later' },
      undefined,
      'payment_behavior',
    ],
    [
      { items: [{ price_data: monthly }], payment_behavior: 'allow_incomplete' },
      'resource_missing',
      undefined,
    ],
    [
      { items: [{ price_data: monthly }], expand: ['latest_invoice.payment_intent'] },
      undefined,
      'expand',
    ],
    [
      { items: [{ price_data: monthly }], trial_period_days: 3 },
      'stand_in_not_modelled',
      'trial_period_days',
    ],
    [
      { items: [{ price_data: monthly }, { price_data: { ...monthly, currency: 'eur' } }] },
      undefined,
      'items',
    ],
    [{ items: Array.from({ length: 21 }, () => ({ price_data: monthly })) }, undefined, 'items'],
  ])('refuses %j', async (params, code, param) => {
    expect(await create(params)).toMatchObject({ statusCode: 400, code, param });
    expect(shop.fake.subscriptionCount()).toBe(0);
  });

  it('refuses the same price twice, one that is not recurring, and one that is inactive', async () => {
    const { stripe, base } = shop;
    expect((await create({ items: [{ price: base.id }, { price: base.id }] })).message).toContain(
      base.id,
    );
    const once = await stripe.prices.create({
      currency: 'usd',
      product: 'prod_base',
      unit_amount: 1,
    });
    expect((await create({ items: [{ price: once.id }] })).message).toContain('type=one_time');
    await stripe.prices.update(base.id, { active: false });
    expect((await create({ items: [{ price: base.id }] })).message).toContain('inactive');
    await stripe.prices.update(base.id, { active: true });
  });
});
