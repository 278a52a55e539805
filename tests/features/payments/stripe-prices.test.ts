/** What the buyer was shown is what Stripe charges, whatever somebody has changed in Stripe's dashboard. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openShop, order, type StripeShop, submit } from '../../support/stripe-shop.ts';

let shop: StripeShop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const made = () =>
  shop.fake.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/products');

test('a product is made once, and found again by a server that has just started', async () => {
  await order(shop);
  expect([...shop.fake.state.product.keys()].sort()).toEqual([
    'microsoft365_backup',
    'microsoft365_business_standard',
    'plan_2',
  ]);
  await shop.restart();
  await order(shop);
  expect(made()).toHaveLength(3);
  const due = [...shop.fake.state.invoice.values()].map(({ amount_due }) => amount_due);
  expect(due).toEqual([119_900, 119_900]);
});

test('a buyer whose product could not be made is asked to try again, and pays then', async () => {
  shop.fake.failNext({ how: 'status-500-kept', path: '/v1/products', method: 'POST', times: 9 });
  const visitor = shop.app.visitor();
  const press = () => submit(visitor, { email: 'product@example.com' }, 'product');
  expect((await press()).status).toBe(503);
  expect(shop.fake.subscriptionCount()).toBe(0);
  shop.fake.clearFaults();
  expect((await press()).status).toBe(200);
});
