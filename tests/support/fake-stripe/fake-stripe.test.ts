/** The fake refuses what Stripe refuses, one test for each class of refusal. */
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeStripe, startFakeStripe } from './fake-stripe.ts';

const GOOD = '4242424242424242';

const monthly = (product: string, unit_amount: number, quantity = 1) => ({
  price_data: {
    product,
    unit_amount,
    currency: 'usd',
    tax_behavior: 'exclusive' as const,
    recurring: { interval: 'month' as const },
  },
  quantity,
});

let fake: FakeStripe;
let stripe: Stripe;
let customer: Stripe.Customer;
beforeAll(async () => {
  fake = await startFakeStripe();
  const { hostname: host, port } = new URL(fake.url);
  stripe = new Stripe(fake.secretKey, { host, port, protocol: 'http', maxNetworkRetries: 0 });
  for (const id of ['base', 'seats']) await stripe.products.create({ id, name: id });
  customer = await stripe.customers.create({ email: 'buyer@example.com' });
});
afterAll(() => fake.close());

/** Subscribes to $299 and four seats at $12.50, without paying. */
async function subscribe(params: object = {}) {
  const { id, items } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [monthly('base', 29_900), monthly('seats', 1250, 4)],
    metadata: { orderId: 'order-1' },
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    ...params,
  });
  const secret = [...fake.state.payment_intent.values()].at(-1)?.client_secret ?? '';
  return { id, secret, seats: items.data[1]?.id ?? '' };
}

async function paidSubscription() {
  const made = await subscribe();
  fake.confirmCard(made.secret, GOOD);
  return made;
}

/** Returns the error of a refused call. */
async function failureOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await call.then(
    () => new Error('the call was not refused'),
    (reason) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw error;
}

test('refuses a request without the key, with another version, in JSON, or to an unknown endpoint', async () => {
  const status = async (path: string, change: Record<string, string>, init: RequestInit = {}) => {
    const authorization = `Bearer ${fake.secretKey}`;
    const headers = { authorization, 'stripe-version': '2026-10-28.endive', ...change };
    return (await fetch(`${fake.url}/v1/${path}`, { ...init, headers })).status;
  };
  expect(await status('invoices/in_none', { authorization: 'Bearer sk_test_other' })).toBe(401);
  expect(await status('invoices/in_none', { 'stripe-version': '2024-06-20' })).toBe(400);
  const json = { 'content-type': 'application/json' };
  expect(await status('customers', json, { method: 'POST', body: '{}' })).toBe(400);
  expect(await status('coupons', {})).toBe(404);
  expect(await status('subscriptions/sub_none', {})).toBe(404);
});

test.each([
  ['customers', { nickname: 'x' }, 'nickname'],
  ['customers', { name: '' }, 'name'],
  ['customers', { phone: '1'.repeat(21) }, 'phone'],
  ['products', { id: 'p1' }, 'name'],
  ['products', { id: 'base', name: 'Again' }, 'id'],
  ['refunds', { amount: 0, payment_intent: 'pi_1' }, 'amount'],
])('refuses the parameters of %s %j', async (path, params, param) => {
  const refused = await failureOf(stripe.rawRequest('POST', `/v1/${path}`, params));
  expect(refused).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, param });
});

test.each([
  [{ items: [{ price: 'price_1' }] }, 'items[0][price]'],
  [{ items: [monthly('prod_none', 100)] }, 'items[0][price_data][product]'],
  [{ items: [monthly('base', 9.5)] }, 'items[0][price_data][unit_amount]'],
  [{ items: Array.from({ length: 21 }, () => monthly('base', 100)) }, 'items'],
  [{ metadata: { a: 'x'.repeat(501) } }, 'metadata[a]'],
  [{ trial_period_days: 3 }, 'trial_period_days'],
  [{ automatic_tax: { enabled: true } }, 'automatic_tax'],
  [{ expand: ['latest_invoice.payment_intent'] }, 'expand[0]'],
])('refuses a subscription with %j', async (params, param) => {
  expect(await failureOf(subscribe(params))).toMatchObject({ statusCode: 400, param });
  expect(fake.subscriptionCount()).toBe(0);
});

test('refuses a change that does not match the subscription', async () => {
  const { id, seats } = await paidSubscription();
  const refusal = async (params: Stripe.SubscriptionUpdateParams) =>
    (await failureOf(stripe.subscriptions.update(id, params))).param;
  const twice = [1, 2].map((quantity) => ({ id: seats, quantity }));
  expect(await refusal({ items: [{ id: 'si_none', quantity: 1 }] })).toBe('items[0][id]');
  expect(await refusal({ items: twice })).toBe('items[1][id]');
  expect(await refusal({ items: [{ id: seats }], proration_date: 1 })).toBe('proration_date');
  expect(await refusal({ default_payment_method: 'pm_none' })).toBe('default_payment_method');
  fake.cancelSubscription(id);
  const over = [
    stripe.subscriptions.update(id, { cancel_at_period_end: true }),
    stripe.subscriptions.cancel(id),
    stripe.invoices.createPreview({ subscription: id }),
  ];
  expect((await Promise.all(over.map(failureOf))).map(({ code }) => code)).toEqual([
    'invalid_canceled_subscription_fields',
    'resource_missing',
    'invoice_upcoming_none',
  ]);
});

test('refuses a card for a paid or expired payment, for a wrong secret, or of another customer', async () => {
  const { id, secret } = await paidSubscription();
  const code = (clientSecret: string) => fake.confirmCard(clientSecret, GOOD).error?.code;
  expect(code(secret)).toBe('payment_intent_unexpected_state');
  expect(code(`${secret}x`)).toBe('resource_missing');
  const unpaid = await subscribe();
  fake.expire(unpaid.id);
  expect(code(unpaid.secret)).toBe('payment_intent_unexpected_state');
  const other = await stripe.customers.create({ name: 'Another customer' });
  const setup = await stripe.setupIntents.create({
    customer: other.id,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
  });
  const card = fake.confirmCard(setup.client_secret ?? '', GOOD).setupIntent?.payment_method ?? '';
  expect(fake.state.payment_method.get(card)?.customer).toBe(other.id);
  const stolen = stripe.subscriptions.update(id, { default_payment_method: card });
  expect(await failureOf(stolen)).toMatchObject({ code: 'resource_missing' });
});

test('replays the answer of an idempotency key, and refuses other parameters and a request in flight', async () => {
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
