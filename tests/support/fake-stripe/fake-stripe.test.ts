/** The fake refuses what Stripe refuses, one test for each class of refusal. */
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf, GOOD, monthly, openShop } from './test-kit.ts';

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.fake.close());

const post = (path: string, params: object) =>
  failureOf(shop.stripe.rawRequest('POST', path, { ...params }));

test('refuses a request without the key, with another version, in JSON, or to an unknown endpoint', async () => {
  const { url, secretKey } = shop.fake;
  const status = async (path: string, change: Record<string, string>, init: RequestInit = {}) => {
    const authorization = `Bearer ${secretKey}`;
    const headers = { authorization, 'stripe-version': '2026-10-28.endive', ...change };
    return (await fetch(`${url}/v1/${path}`, { ...init, headers })).status;
  };
  expect(await status('invoices/in_none', { authorization: 'Bearer sk_test_other' })).toBe(401);
  expect(await status('invoices/in_none', { 'stripe-version': '2024-06-20' })).toBe(400);
  const json = { 'content-type': 'application/json' };
  expect(await status('customers', json, { method: 'POST', body: '{}' })).toBe(400);
  expect(await status('coupons', {})).toBe(404);
  expect(await status('subscriptions/sub_none', {})).toBe(404);
});

test.each([
  ['customers', { nickname: 'x' }, 'parameter_unknown', 'nickname'],
  ['customers', { name: '' }, 'parameter_invalid_empty', 'name'],
  ['customers', { phone: '1'.repeat(21) }, undefined, 'phone'],
  ['products', { id: 'p1' }, 'parameter_missing', 'name'],
  ['products', { id: 'base', name: 'Again' }, 'resource_already_exists', 'id'],
  ['refunds', { amount: 0, payment_intent: 'pi_1' }, 'parameter_invalid_integer', 'amount'],
])('refuses the parameters of %s %j', async (path, params, code, param) => {
  const found = { type: 'StripeInvalidRequestError', statusCode: 400, code, param };
  expect(await post(`/v1/${path}`, params)).toMatchObject(found);
});

test.each([
  [{ items: [{ price: 'price_1' }] }, 'items[0][price]'],
  [{ items: [monthly('prod_none', 100)] }, 'items[0][price_data][product]'],
  [{ items: [monthly('base', 9.5)] }, 'items[0][price_data][unit_amount]'],
  [{ items: Array.from({ length: 21 }, () => monthly('base', 100)) }, 'items'],
  [{ metadata: { a: 'x'.repeat(501) } }, 'metadata[a]'],
  [{ trial_period_days: 3 }, 'trial_period_days'],
  [{ expand: ['latest_invoice.payment_intent'] }, 'expand'],
])('refuses a subscription with %j', async (params, param) => {
  const refused = await failureOf(shop.subscribe(params as Stripe.SubscriptionCreateParams));
  expect(refused).toMatchObject({ statusCode: 400, param });
  expect(shop.fake.subscriptionCount()).toBe(0);
});

test('refuses a change that does not match the subscription', async () => {
  const { stripe, subscribe, fake } = shop;
  const { id, seats } = await subscribe();
  const refusal = async (params: Stripe.SubscriptionUpdateParams) =>
    (await failureOf(stripe.subscriptions.update(id, params))).param;
  const twice = [1, 2].map((quantity) => ({ id: seats, quantity }));
  expect(await refusal({ items: [{ id: 'si_none', quantity: 1 }] })).toBe('items[0][id]');
  expect(await refusal({ items: twice })).toBe('items[1][id]');
  expect(await refusal({ items: [{ id: seats }], proration_date: 1 })).toBe('proration_date');
  expect(await refusal({ default_payment_method: 'pm_none' })).toBe('default_payment_method');
  fake.cancelSubscription(id);
  expect(await refusal({ cancel_at_period_end: true })).toBe('cancel_at_period_end');
  expect((await failureOf(stripe.subscriptions.cancel(id))).code).toBe('resource_missing');
  const none = await failureOf(stripe.invoices.createPreview({ subscription: id }));
  expect(none.code).toBe('invoice_upcoming_none');
});

test('refuses a card for a paid or expired payment, for a wrong secret, or of another customer', async () => {
  const { stripe, subscribe, fake, customer } = shop;
  const { id, secret } = await subscribe();
  const code = (clientSecret: string) => fake.confirmCard(clientSecret, GOOD).error?.code;
  expect(code(secret)).toBe('payment_intent_unexpected_state');
  expect(code(`${secret}x`)).toBe('payment_intent_invalid_parameter');
  const unpaid = await subscribe({}, null);
  fake.expire(unpaid.id);
  expect(code(unpaid.secret)).toBe('payment_intent_unexpected_state');
  const other = await stripe.customers.create({ name: 'Another customer' });
  const setup = await stripe.setupIntents.create({
    customer: other.id,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
  });
  fake.confirmCard(setup.client_secret ?? '', GOOD);
  const method = String((await stripe.setupIntents.retrieve(setup.id)).payment_method);
  expect(fake.state.payment_method.get(method)?.customer).not.toBe(customer.id);
  const stolen = stripe.subscriptions.update(id, { default_payment_method: method });
  expect(await failureOf(stolen)).toMatchObject({ code: 'resource_missing' });
});

test('replays the answer of an idempotency key, and refuses other parameters and a request in flight', async () => {
  const { stripe, fake } = shop;
  const key = { idempotencyKey: 'k1' };
  fake.failNext({ how: 'slow', ms: 300, path: '/v1/customers' });
  const before = fake.state.customer.size;
  const first = stripe.customers.create({ email: 'a@example.com', name: 'A' }, key);
  await expect.poll(() => fake.requests.at(-1)?.idempotencyKey).toBe('k1');
  const same = () => stripe.customers.create({ name: 'A', email: 'a@example.com' }, key);
  expect(await failureOf(same())).toMatchObject({ statusCode: 409 });
  expect((await same().catch(() => first)).id).toBe((await first).id);
  expect((await same()).lastResponse.headers['idempotent-replayed']).toBe('true');
  const other = await failureOf(stripe.customers.create({ name: 'B' }, key));
  expect(other).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  fake.failNext({ how: 'status-500-kept' });
  const kept = () => stripe.customers.create({ name: 'C' }, { idempotencyKey: 'k2' });
  await failureOf(kept());
  expect((await failureOf(kept())).statusCode).toBe(500);
  expect(fake.state.customer.size).toBe(before + 1);
});

test('an invoice carries ten of its lines', async () => {
  const { fake, stripe, subscribe } = shop;
  const { id, seats } = await subscribe();
  for (const quantity of [1, 2, 3, 4, 5])
    await stripe.subscriptions.update(id, { items: [{ id: seats, quantity }] });
  const invoice = fake.renew(id, { pay: true });
  expect([invoice?.lines.data.length, invoice?.lines.has_more]).toEqual([10, true]);
  const all = await stripe.invoices.listLineItems(invoice?.id ?? '', { limit: 100 });
  expect(all.data).toHaveLength(12);
});
