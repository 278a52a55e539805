/** An order's subscription and its customer at Stripe: what is sent, under which key, and what is made of the answer. */
import Stripe from 'stripe';
import { describe, expect, test, vi } from 'vitest';
import { clientOf, newOrders } from '../../../tests/support/order-at-stripe.ts';
import { rowOf, sharedShop } from '../../../tests/support/stripe-shop.ts';
import type { NewRow, Row } from '../../platform/database/tables.server.ts';
import { StripePrices } from './stripe-prices.server.ts';
import { findSubscription, idOf, subscribe } from './stripe-subscription.server.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);

/** What subscribing needs. */
function ground(tax = false) {
  const stripe = clientOf(shop);
  const prices = new StripePrices(stripe);
  return { stripe, db: shop.app.database.db, prices, tax };
}

/** The requests that `act` sends to this path. */
async function sentTo(method: string, path: string, act: () => Promise<unknown>) {
  const before = shop.fake.requests.length;
  await act();
  const sent = shop.fake.requests.slice(before);
  return sent.filter((each) => each.method === method && each.path === path);
}

const failure = (change: object) =>
  new Stripe.errors.StripeInvalidRequestError({
    message: 'refused',
    type: 'invalid_request_error',
    ...change,
  });

describe('a subscription', () => {
  test('is asked for with all that it is about, under a key of the order', async () => {
    const on = ground();
    const row = await newOrder();
    const [sent, ...more] = await sentTo('POST', '/v1/subscriptions', () => subscribe(on, row));
    expect(more).toEqual([]);
    expect(sent?.idempotencyKey).toBe(`order-${row.id}-${row.createdAt}-subscription-1`);
    const price = expect.stringMatching(/^price_/);
    expect(sent?.params).toEqual({
      customer: (await rowOf(shop, row.id)).customerId,
      items: {
        0: { price, quantity: '1' },
        1: { price, quantity: '20' },
        2: { price, quantity: '20' },
      },
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata: { orderId: String(row.id), orderedAt: String(row.createdAt) },
      expand: { 0: 'latest_invoice.confirmation_secret' },
    });
  });

  test('adds sales tax where it is switched on', async () => {
    const on = ground(true);
    const row = await newOrder({ postalCode: '30060' });
    const [sent] = await sentTo('POST', '/v1/subscriptions', () => subscribe(on, row));
    expect(sent?.params).toMatchObject({ automatic_tax: { enabled: 'true' } });
  });

  test('gives the ids, the secret and what is due', async () => {
    const on = ground();
    const row = await newOrder();
    const started = await subscribe(on, row);
    const made = [...shop.fake.state.subscription.values()].at(-1);
    const intent = [...shop.fake.state.payment_intent.values()].at(-1);
    expect(started).toEqual({
      paymentId: intent?.id,
      clientSecret: intent?.client_secret,
      customerId: made?.customer,
      subscriptionId: made?.id,
      due: 119_900,
    });
  });
});

describe('when Stripe refuses', () => {
  /** Subscribes while the first answers of Stripe are these failures. */
  async function refused(failures: Error[], change: Partial<NewRow<'orders'>> = {}) {
    const on = ground();
    const row = await newOrder(change);
    const create = vi.spyOn(on.stripe.subscriptions, 'create');
    const forget = vi.spyOn(on.prices, 'forget');
    for (const each of failures) create.mockRejectedValueOnce(each);
    const outcome = await subscribe(on, row).catch((error: unknown) => error);
    const keys = create.mock.calls.map(([, options]) => options?.idempotencyKey?.split('-').at(-1));
    const { attempt, customerId } = await rowOf(shop, row.id);
    return { outcome, keys, attempt, customerId, forgot: forget.mock.calls.length };
  }

  test.each([400, 499])(
    'for good (%i), the next attempt goes by another key',
    async (statusCode) => {
      const error = failure({ statusCode });
      const seen = await refused([error]);
      expect(seen).toMatchObject({ outcome: error, keys: ['1'], attempt: 2, forgot: 1 });
    },
  );

  test.each([500, undefined])('with a fault (%j), it is tried once more', async (statusCode) => {
    const error = failure({ statusCode });
    const once = await refused([error]);
    expect(once).toMatchObject({ keys: ['1', '2'], attempt: 2, forgot: 1 });
    expect(once.outcome).toMatchObject({ due: 119_900 });
    const twice = await refused([error, error]);
    expect(twice).toMatchObject({ outcome: error, keys: ['1', '2'], attempt: 3 });
  });

  test('in passing, the same key is kept', async () => {
    const error = failure({ statusCode: 409 });
    const seen = await refused([error]);
    expect(seen).toMatchObject({ outcome: error, keys: ['1'], attempt: 1, forgot: 0 });
  });

  test('a place that it does not know is told apart', async () => {
    const error = failure({ code: 'customer_tax_location_invalid', statusCode: 400 });
    const seen = await refused([error]);
    expect(seen).toMatchObject({ outcome: 'unknown-postal-code', attempt: 2 });
  });

  test('a customer that is gone is replaced', async () => {
    const error = failure({
      code: 'resource_missing',
      message: "No such customer: 'cus_gone'",
      statusCode: 400,
    });
    const seen = await refused([error], { customerId: 'cus_gone' });
    expect(seen).toMatchObject({ keys: ['1', '2'], attempt: 2 });
    expect(seen.customerId).toBe([...shop.fake.state.customer.keys()].at(-1));
    const other = await refused([error], { customerId: 'cus_other' });
    const customerId = 'cus_other';
    expect(other).toMatchObject({ outcome: error, keys: ['1'], attempt: 2, customerId });
  });

  test('a bug of ours is no attempt', async () => {
    const error = new TypeError('ours');
    const seen = await refused([error]);
    expect(seen).toMatchObject({ outcome: error, keys: ['1'], attempt: 1, forgot: 0 });
  });
});

describe('a subscription that was made before', () => {
  test('is looked for from the second attempt on, and found', async () => {
    const on = ground();
    const row = await newOrder();
    const now = async (attempt: number) => ({ ...(await rowOf(shop, row.id)), attempt });
    const lists = (act: () => Promise<unknown>) => sentTo('GET', '/v1/subscriptions', act);
    expect(await lists(async () => subscribe(on, await now(1)))).toEqual([]);
    const [subscriptionId] = [...shop.fake.state.subscription.keys()].slice(-1);
    const again = async () =>
      expect(await subscribe(on, await now(2))).toMatchObject({ subscriptionId, due: 119_900 });
    expect(await lists(again)).toHaveLength(1);
    expect([...shop.fake.state.subscription.keys()].at(-1)).toBe(subscriptionId);
  });

  test('is found by its mark among others, also when it has ended', async () => {
    const on = ground();
    const first = await newOrder();
    const started = await subscribe(on, first);
    if (typeof started === 'string') throw new Error(started);
    const { customerId, subscriptionId } = started;
    const customer = customerId ?? '';
    await subscribe(on, await newOrder({ customerId }));
    const find = (row: Row<'orders'>) => findSubscription(on.stripe, row, customer);
    expect(await find(first)).toEqual(started);
    shop.fake.expire(subscriptionId ?? '');
    expect((await find(first))?.subscriptionId).toBe(subscriptionId);
    expect(await find({ ...first, id: first.id + 500 })).toBeUndefined();
    expect(await find({ ...first, createdAt: 5 })).toBeUndefined();
    expect(await findSubscription(on.stripe, first, 'cus_gone')).toBeUndefined();
    const refused = failure({ message: 'No such customer: cus_other', code: 'resource_missing' });
    vi.spyOn(on.stripe.subscriptions, 'list').mockImplementation(() => {
      throw refused;
    });
    await expect(find(first)).rejects.toBe(refused);
  });
});

describe('the first invoice', () => {
  /** What is made of a subscription that Stripe answers with these changes. */
  async function answered(invoice: object | null | string, change: object = {}) {
    const on = ground();
    const row = await newOrder();
    const { create } = on.stripe.subscriptions;
    vi.spyOn(on.stripe.subscriptions, 'create').mockImplementation(async (...asked) => {
      const made = await create.call(on.stripe.subscriptions, ...asked);
      const whole = made.latest_invoice;
      const bent =
        typeof invoice === 'object' && invoice ? Object.assign(whole ?? {}, invoice) : invoice;
      return Object.assign(made, { latest_invoice: bent }, change);
    });
    const outcome = await subscribe(on, row).catch((error: Error) => error.message);
    return { outcome, status: [...shop.fake.state.subscription.values()].at(-1)?.status };
  }

  test.each([
    [{ amount_due: 119_901 }],
    [{ amount_due: 119_911, total: 119_910, total_excluding_tax: 119_900 }],
  ])('must not ask for more than was shown: %j', async (invoice) => {
    const { outcome, status } = await answered(invoice);
    expect(outcome).toContain('asked for 119901 cents before tax');
    expect(status).toBe('incomplete_expired');
  });

  test('may ask for tax besides, and for less', async () => {
    const taxed = { amount_due: 119_910, total: 119_910, total_excluding_tax: 119_900 };
    expect(await answered(taxed)).toMatchObject({
      outcome: { due: 119_910 },
      status: 'incomplete',
    });
    const untold = { amount_due: 100, total: 119_900, total_excluding_tax: null };
    expect(await answered(untold)).toMatchObject({ outcome: { due: 100 } });
  });

  test('counts only while it can still be paid', async () => {
    const dear = await answered({ amount_due: 500_000 }, { status: 'active' });
    expect(dear).toMatchObject({ outcome: { due: 500_000 }, status: 'incomplete' });
  });

  test('without a secret there is nothing to pay', async () => {
    const { outcome } = await answered({ confirmation_secret: null });
    expect(outcome).toMatchObject({ paymentId: null, clientSecret: null });
  });

  test('is asked for whole', async () => {
    expect((await answered(null)).outcome).toContain('without its invoice');
    expect((await answered('in_1')).outcome).toContain('without its invoice');
  });
});

test('a reference is an id, or the whole thing', () => {
  expect([idOf('cus_1'), idOf({ id: 'cus_2' })]).toEqual(['cus_1', 'cus_2']);
});
