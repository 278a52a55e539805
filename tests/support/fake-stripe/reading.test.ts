import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, openShop, type Shop } from './test-kit.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ webhookEndpoints: [{ url: 'https://example.com/hook' }] });
});
afterAll(() => shop.fake.close());

describe('reading', () => {
  it('answers 404 for what is not there', async () => {
    const { stripe } = shop;
    expect(await failureOf(stripe.subscriptions.retrieve('sub_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    expect(await failureOf(stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({
      statusCode: 404,
      param: 'intent',
    });
  });

  it('finds by e-mail, by lookup key, by status, page by page', async () => {
    const { stripe, customer, base } = shop;
    expect(
      (await stripe.customers.list({ email: 'buyer@example.com' })).data.map((row) => row.id),
    ).toEqual([customer.id]);
    const prices = await stripe.prices.list({ lookup_keys: ['base'], expand: ['data.product'] });
    expect(prices.data).toMatchObject([{ id: base.id, product: { name: 'Professional plan' } }]);
    const moved = await stripe.prices.create({
      currency: 'usd',
      product: 'prod_base',
      unit_amount: 1,
      recurring: { interval: 'month' },
      lookup_key: 'base',
      transfer_lookup_key: true,
    });
    expect((await stripe.prices.list({ lookup_keys: ['base'] })).data.map((row) => row.id)).toEqual(
      [moved.id],
    );
    for (const name of ['a', 'b', 'c']) await stripe.products.create({ name });
    const names: string[] = [];
    for await (const product of stripe.products.list({ limit: 2 })) names.push(product.name);
    expect(names).toEqual(['c', 'b', 'a', 'Microsoft 365', 'Professional plan']);
    expect(await failureOf(stripe.products.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
    expect(await failureOf(stripe.prices.list({ expand: ['product'] }))).toMatchObject({
      message: expect.stringContaining("'data.product'"),
    });
  });

  it('knows the account, the endpoints, the portal', async () => {
    const { stripe, customer } = shop;
    expect(await stripe.accounts.retrieveCurrent()).toMatchObject({
      object: 'account',
      country: 'US',
    });
    expect((await stripe.webhookEndpoints.list()).data).toMatchObject([
      { url: 'https://example.com/hook', status: 'enabled' },
    ]);
    const session = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'https://example.com/back',
    });
    expect(session.url).toMatch(/^https:\/\/billing\.stripe\.com\/p\/session\/test_/);
  });
});
