import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientFor, failureOf, openShop, type Shop, subscribe } from './test-kit.ts';

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
  it('wants the secret key', async () => {
    const wrong = clientFor(shop.fake, { key: 'sk_test_other' });
    expect(await failureOf(wrong.accounts.retrieveCurrent())).toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
    });
    for (const authorization of ['', shop.fake.secretKey])
      expect((await raw('/v1/account', { headers: { authorization } })).status).toBe(401);
    const answer = await raw('/v1/account');
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
    const stranger = await raw('/v1/coupons');
    expect(stranger.status).toBe(404);
    expect(stranger.body.error?.message).toMatch(
      /^Unrecognized request URL \(GET: \/v1\/coupons\)\..* this stand-in does not know it\.$/,
    );
  });
});

/** A price that Stripe takes. */
const monthly = {
  currency: 'usd',
  product: 'prod_base',
  recurring: { interval: 'month' },
  tax_behavior: 'exclusive',
  unit_amount: 100,
};

describe('parameters', () => {
  it.each([
    ['/v1/customers', { nickname: 'x' }, 'parameter_unknown', 'nickname'],
    ['/v1/customers', { email: 'nobody' }, 'email_invalid', 'email'],
    ['/v1/customers', { name: '' }, 'parameter_invalid_empty', 'name'],
    ['/v1/customers', { phone: '1'.repeat(21) }, undefined, 'phone'],
    ['/v1/customers', { address: { zip: '30301' } }, 'parameter_unknown', 'address[zip]'],
    ['/v1/products', { id: 'p1' }, 'parameter_missing', 'name'],
    ['/v1/products', { id: 'prod_base', name: 'Again' }, 'resource_already_exists', 'id'],
    ['/v1/prices', { product: 'prod_base', unit_amount: 100 }, 'parameter_missing', 'currency'],
    ['/v1/prices', { ...monthly, unit_amount: 9.5 }, 'parameter_invalid_integer', 'unit_amount'],
    ['/v1/prices', { ...monthly, product: 'prod_none' }, 'resource_missing', 'product'],
    ['/v1/prices', { ...monthly, lookup_key: 'base' }, undefined, 'lookup_key'],
    ['/v1/prices', { ...monthly, recurring: undefined }, 'stand_in_not_modelled', 'recurring'],
    ['/v1/prices', { ...monthly, tax_behavior: 'often' }, undefined, 'tax_behavior'],
    ['/v1/refunds', { amount: 5 }, 'stand_in_not_modelled', 'payment_intent'],
    ['/v1/refunds', { amount: 0, payment_intent: 'pi_1' }, 'parameter_invalid_integer', 'amount'],
    [
      '/v1/billing_portal/sessions',
      { return_url: 'https://example.com' },
      'parameter_missing',
      'customer',
    ],
    [
      '/v1/billing_portal/sessions',
      { customer: 'cus_none', return_url: 'example.com' },
      'url_invalid',
      'return_url',
    ],
    [
      '/v1/billing_portal/sessions',
      { customer: 'cus_none', return_url: 'https://example.com' },
      'resource_missing',
      'customer',
    ],
  ])('POST %s %j', async (path, params, code, param) => {
    expect(await post(path, params)).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      code,
      param,
    });
  });

  it('is told what is wrong in Stripe’s words', async () => {
    const said = async (path: string, params: object) => (await post(path, params)).message;
    expect(await said('/v1/customers', { a: 1, b: 2 })).toBe(
      'Received unknown parameters: a, b. What this stand-in does not know may exist at Stripe.',
    );
    expect(await said('/v1/customers', { name: '' })).toContain(
      "You passed an empty string for 'name'.",
    );
    expect(await said('/v1/prices', { ...monthly, currency: undefined })).toBe(
      'Missing required param: currency.',
    );
    expect(await said('/v1/prices', { ...monthly, unit_amount: 9.5 })).toBe('Invalid integer: 9.5');
    expect(await said('/v1/prices', { ...monthly, tax_behavior: 'often' })).toBe(
      'Invalid tax_behavior: must be one of exclusive, inclusive, or unspecified',
    );
  });
});

describe('subscriptions', () => {
  const create = (params: object): Promise<Stripe.errors.StripeError> =>
    post('/v1/subscriptions', {
      customer: shop.customer.id,
      payment_behavior: 'default_incomplete',
      ...params,
    });
  const priced = async (change: object = {}): Promise<string> => {
    const made = await shop.stripe.rawRequest('POST', '/v1/prices', { ...monthly, ...change });
    return String((made as { id?: string }).id);
  };

  it.each([
    [{ items: undefined }, 'parameter_missing', 'items'],
    [{ items: [{ quantity: 1 }] }, 'parameter_missing', 'items[0][price]'],
    [{ items: [{ price: 'price_none' }] }, 'resource_missing', 'items[0][price]'],
    [{ items: [{ price_data: monthly }] }, 'parameter_unknown', 'items[0][price_data]'],
    [{ items: 'all' }, undefined, 'items'],
    [{ quantity: 'two' }, 'parameter_invalid_integer', 'items[0][quantity]'],
    [{ metadata: { a: 'x'.repeat(501) } }, undefined, 'metadata[a]'],
    [{ metadata: Array.from({ length: 51 }, () => 'x') }, undefined, 'metadata'],
    [{ metadata: { ['x'.repeat(41)]: 'a' } }, undefined, 'metadata'],
    [{ payment_behavior: 'later' }, undefined, 'payment_behavior'],
    [{ payment_behavior: 'allow_incomplete' }, 'resource_missing', undefined],
    [{ expand: ['latest_invoice.payment_intent'] }, undefined, 'expand'],
    [{ trial_period_days: 3 }, 'parameter_unknown', 'trial_period_days'],
  ])('refuses %j', async (params, code, param) => {
    const { quantity, ...rest } = params as { quantity?: string };
    const items = [{ price: shop.base.id, quantity }];
    expect(await create({ items, ...rest })).toMatchObject({ statusCode: 400, code, param });
    expect(shop.fake.subscriptionCount()).toBe(0);
  });

  it('refuses prices that do not go together, too many, and an inactive one', async () => {
    const { stripe, base } = shop;
    const refusal = async (...prices: string[]) =>
      (await create({ items: prices.map((price) => ({ price })) })).message;
    expect(await refusal(base.id, base.id)).toContain(base.id);
    expect(await refusal(base.id, await priced({ currency: 'eur' }))).toContain('`eur`');
    const yearly = await priced({ recurring: { interval: 'year' } });
    expect(await refusal(base.id, yearly)).toContain('different intervals');
    expect(await refusal(...Array.from({ length: 21 }, () => base.id))).toContain('at most 20');
    await stripe.prices.update(base.id, { active: false });
    expect(await refusal(base.id)).toContain('inactive');
    await stripe.prices.update(base.id, { active: true });
  });

  it('wants prices that say whether tax is in them, where tax is added', async () => {
    const taxed = async (tax_behavior?: string) =>
      (await create({ items: [{ price: await priced({ tax_behavior }) }], automatic_tax })).message;
    const automatic_tax = { enabled: true };
    expect(await taxed()).toContain('does not have a `tax_behavior`');
    expect(await taxed('inclusive')).toContain('does not know it');
  });

  it('can be told to end only while they run', async () => {
    const { fake, stripe } = shop;
    const { id } = await subscribe(shop);
    const end = () => failureOf(stripe.subscriptions.update(id, { cancel_at_period_end: true }));
    expect((await end()).message).toContain('with status `incomplete`');
    fake.expire(id);
    expect(await end()).toMatchObject({ code: 'invalid_canceled_subscription_fields' });
  });
});
