import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, openShop, type Shop, subscribe } from './test-kit.ts';

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

  it('finds by lookup key, and by whom it belongs to', async () => {
    const { fake, stripe, customer, base } = shop;
    const subscription = await subscribe(shop);
    const listed = { customer: customer.id, status: 'all' } as const;
    expect((await stripe.subscriptions.list(listed)).data).toMatchObject([{ id: subscription.id }]);
    const payment = { type: 'payment_intent', payment_intent: 'pi_other' } as const;
    const of = await stripe.customers.create({ name: 'Somebody else' });
    const ofOthers = [
      stripe.subscriptions.list({ ...listed, customer: of.id }),
      stripe.invoices.list({ subscription: 'sub_other' }),
      stripe.invoicePayments.list({ payment }),
    ];
    for (const found of await Promise.all(ofOthers)) expect(found.data).toEqual([]);
    const prices = () => stripe.prices.list({ lookup_keys: ['base'] });
    expect((await prices()).data).toMatchObject([{ id: base.id }]);
    const moved = await stripe.prices.create({
      currency: 'usd',
      product: 'prod_base',
      unit_amount: 1,
      recurring: { interval: 'month' },
      lookup_key: 'base',
      transfer_lookup_key: true,
    });
    expect((await prices()).data).toMatchObject([{ id: moved.id }]);
    expect(fake.state.price.get(base.id)?.lookup_key).toBeNull();
    expect(await failureOf(stripe.webhookEndpoints.list({ limit: 101 }))).toMatchObject({
      param: 'limit',
    });
    const after = stripe.subscriptions.list({ ...listed, starting_after: 'sub_none' });
    expect(await failureOf(after)).toMatchObject({ param: 'starting_after', statusCode: 400 });
    const invoices = stripe.invoices.list({ subscription: subscription.id, expand: ['payments'] });
    expect((await failureOf(invoices)).message).toContain("'data.payments'");
  });

  it('knows the account, the endpoints, the portal', async () => {
    const { stripe, customer } = shop;
    expect(await stripe.accounts.retrieveCurrent()).toMatchObject({
      object: 'account',
      charges_enabled: true,
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
