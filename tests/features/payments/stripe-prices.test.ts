/** What the buyer was shown is what Stripe charges, whatever somebody has changed in Stripe's dashboard. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stripeClient } from '../../../src/payments/stripe/stripe-client.server.ts';
import { readEnv } from '../../../src/platform/config/env.server.ts';
import {
  openShop,
  order,
  type StripeShop,
  stripeVariables,
  submit,
} from '../../support/stripe-shop.ts';

const PLAN_KEY = 'plan_2_usd_85000_month';

let shop: StripeShop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

/** The hand of whoever keeps the dashboard. */
function dashboard() {
  const { stripe } = readEnv(stripeVariables(shop.fake));
  if (!stripe) throw new Error('Stripe is not configured');
  return stripeClient(stripe);
}

const invoices = () => [...shop.fake.state.invoice.values()];
const pricesNow = () => [...shop.fake.state.price.values()].filter(({ lookup_key }) => lookup_key);

describe('a price under our lookup key', () => {
  test.each([
    ['dearer', { unit_amount: 95_000 }],
    ['in another currency', { currency: 'eur' }],
    ['for a year', { recurring: { interval: 'year' } }],
    ['for every second month', { recurring: { interval: 'month', interval_count: 2 } }],
    ['with the tax in it', { tax_behavior: 'inclusive' }],
  ] as const)('that is %s is not taken', async (_what, odd) => {
    const stripe = dashboard();
    await stripe.products.create({ id: 'plan_2', name: 'Professional' });
    await stripe.prices.create({
      product: 'plan_2',
      currency: 'usd',
      unit_amount: 85_000,
      recurring: { interval: 'month' },
      tax_behavior: 'exclusive',
      lookup_key: PLAN_KEY,
      ...odd,
    });
    await order(shop);
    expect(invoices().map(({ amount_due, currency }) => [amount_due, currency])).toEqual([
      [119_900, 'usd'],
    ]);
    const ours = pricesNow().filter(({ lookup_key }) => lookup_key === PLAN_KEY);
    expect(ours).toMatchObject([{ unit_amount: 85_000, recurring: { interval_count: 1 } }]);
  });

  test('that has been archived is replaced', async () => {
    await order(shop);
    const [plan] = pricesNow().filter(({ lookup_key }) => lookup_key === PLAN_KEY);
    await dashboard().prices.update(plan?.id ?? '', { active: false });
    const email = 'archived@example.com';
    expect((await submit(shop.app.visitor(), { email })).status).toBe(200);
    expect(invoices().map(({ amount_due }) => amount_due)).toEqual([119_900, 119_900]);
  });

  test('is found again by a server that has just started', async () => {
    await order(shop);
    const before = pricesNow();
    await shop.restart();
    await order(shop);
    expect(pricesNow()).toEqual(before);
    // They are made at the same time.
    expect(new Set(before.map(({ lookup_key }) => lookup_key))).toEqual(
      new Set([
        PLAN_KEY,
        'microsoft365_business_standard_usd_1250_month',
        'microsoft365_backup_usd_495_month',
      ]),
    );
    expect(before).toHaveLength(3);
  });

  test('is not made for a product that could not be', async () => {
    shop.fake.failNext({ how: 'status-500-kept', path: '/v1/products', method: 'POST', times: 9 });
    expect((await submit(shop.app.visitor(), { email: 'product@example.com' })).status).toBe(503);
    const making = shop.fake.requests.filter(({ method }) => method === 'POST');
    expect(making.filter(({ path }) => path === '/v1/products').length).toBeGreaterThan(0);
    expect(making.filter(({ path }) => path === '/v1/prices')).toEqual([]);
  });

  test.each(['status-500-kept', 'reset-after-execution'] as const)(
    'whose making failed with %s is there at the next try',
    async (how) => {
      shop.fake.failNext({ how, path: '/v1/prices', method: 'POST', times: 9 });
      const visitor = shop.app.visitor();
      const key = randomUUID();
      const email = 'price@example.com';
      await submit(visitor, { email }, key);
      shop.fake.clearFaults();
      const making = shop.fake.requests.filter(({ path }) => path === '/v1/prices');
      expect(making.some(({ method, status }) => method === 'POST' && status !== 200)).toBe(true);
      await expect.poll(async () => (await submit(visitor, { email }, key)).status).toBe(200);
      expect(invoices().map(({ amount_due }) => amount_due)).toEqual([119_900]);
    },
  );
});

test('a subscription that asks for more than was shown is ended before anybody can pay it', async () => {
  await order(shop);
  shop.fake.beforeRequests((path) => {
    for (const price of path === '/v1/subscriptions' ? shop.fake.state.price.values() : [])
      if (price.lookup_key === PLAN_KEY)
        Object.assign(price, { unit_amount: 95_000, unit_amount_decimal: '95000' });
  });
  const { status, text } = await submit(shop.app.visitor(), { email: 'dear@example.com' });
  expect([status, text.includes('_secret_')]).toEqual([500, false]);
  const statuses = [...shop.fake.state.subscription.values()].map((each) => each.status);
  expect(statuses).toEqual(['incomplete', 'incomplete_expired']);
});
