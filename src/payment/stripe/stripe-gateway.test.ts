/** Stripe as a payment provider: what staff and buyers ask of it, and what is told when it does not answer. */
import Stripe from 'stripe';
import { describe, expect, test, vi } from 'vitest';
import { logged } from '../../../tests/support/logged.ts';
import { clientOf, newOrders } from '../../../tests/support/order-at-stripe.ts';
import { rowOf, sharedShop, stripeEnv } from '../../../tests/support/stripe-shop.ts';
import type { StripeEnv } from '../../platform/env/env.server.ts';
import { cents } from '../../platform/money.ts';
import { stripeGateway } from './stripe-gateway.server.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);
function open(change: Partial<StripeEnv> = {}) {
  const stripe = clientOf(shop, change);
  const gateway = stripeGateway(stripe, stripeEnv(shop.fake, change), shop.app.database.db);
  /** An order that has been started, and paid when a card is given. */
  const started = async (card?: string) => {
    const row = await newOrder();
    const begun = await gateway.start(row);
    if (typeof begun === 'string') throw new Error(begun);
    if (card) shop.fake.confirmCard(begun.clientSecret ?? '', card);
    const { due: _, ...ids } = begun;
    return { row: { ...row, ...ids }, subscription: begun.subscriptionId ?? '' };
  };
  return { stripe, gateway, started };
}

const GOOD = '4242424242424242';
/** Whether it is remembered that nothing more is charged. */
const hasEnded = async ({ id }: { id: number }) => (await rowOf(shop, id)).subscriptionEnded;
const statusOf = (subscription: string) => shop.fake.state.subscription.get(subscription)?.status;

/** Asks while Stripe's API fails at this path, and gives the name under which that was logged. */
async function away(path: RegExp | string, method: string, act: () => Promise<unknown>) {
  shop.fake.failNext({ how: 'status-500-kept', times: 9, path, method });
  const lines = await logged(async () => expect(await act()).toBe('away'));
  shop.fake.clearFaults();
  return lines.map(({ during }) => during);
}

test('staff find the order in the dashboard of its mode', async () => {
  const order = { ...(await newOrder()), subscriptionId: 'sub_1' };
  const page = (live: boolean) => open({ live }).gateway.staffPage(order);
  expect(page(true)).toBe('https://dashboard.stripe.com/subscriptions/sub_1');
  expect(page(false)).toBe('https://dashboard.stripe.com/test/subscriptions/sub_1');
  expect(open().gateway.staffPage({ ...order, subscriptionId: null })).toBeNull();
});

describe('an order', () => {
  test('that is submitted several times at once is started once, and can be started again', async () => {
    const { gateway } = open();
    const row = await newOrder();
    const another = await newOrder();
    const [first, second] = [gateway.start(row), gateway.start(row)];
    const other = gateway.start(another);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
    await first;
    expect(gateway.start(row)).not.toBe(first);
    await other;
  });

  test('whose start failed for a reason of ours can be started again', async () => {
    const { gateway, stripe } = open();
    const row = await newOrder();
    const create = vi.spyOn(stripe.subscriptions, 'create');
    create.mockRejectedValueOnce(new TypeError('ours'));
    await expect(gateway.start(row)).rejects.toThrow('ours');
    expect(await gateway.start(row)).toMatchObject({ due: 119_900 });
  });

  test('is not started while Stripe does not answer', async () => {
    const { gateway } = open();
    const row = await newOrder();
    const start = () => gateway.start(row);
    expect(await away('/v1/customers', 'POST', start)).toEqual(['start']);
  });

  test('is looked at where it was started', async () => {
    const { gateway, started } = open();
    const nothing = { status: 'requires_payment_method', refused: false };
    expect(await gateway.fetchPaymentState(await newOrder())).toEqual(nothing);
    const { row } = await started(GOOD);
    expect(await gateway.fetchPaymentState(row)).toMatchObject({ status: 'succeeded' });
    const look = () => gateway.fetchPaymentState(row);
    expect(await away(/^\/v1\/payment_intents/, 'GET', look)).toEqual(['look']);
  });

  test('whose answer was lost is found by its customer', async () => {
    const { gateway, started } = open();
    const { row, subscription } = await started();
    expect(await gateway.find(row)).toMatchObject({ subscriptionId: subscription });
    expect(await gateway.find({ ...row, customerId: null })).toBeNull();
    expect(await gateway.find({ ...row, createdAt: 5 })).toBeNull();
    const find = () => gateway.find(row);
    expect(await away('/v1/subscriptions', 'GET', find)).toEqual(['find']);
  });
});

describe('money is given back', () => {
  const NOTHING = { refused: 'No payment found in Stripe' };

  test('in part and then all that is left, each under a key of its own', async () => {
    const { gateway, started } = open();
    const { row } = await started(GOOD);
    const before = shop.fake.requests.length;
    const id = expect.stringMatching(/^ch_/);
    const part = await gateway.refund(row, cents(500), 'k1');
    expect(part).toEqual({ id, amount: 119_900, refunded: 500 });
    expect(await gateway.refund(row, cents(500), 'k1')).toEqual(part);
    expect(await gateway.refund(row, undefined, 'k2')).toMatchObject({ refunded: 119_900 });
    const sent = shop.fake.requests.slice(before).filter(({ path }) => path === '/v1/refunds');
    const key = `order-${row.id}-${row.createdAt}-refund`;
    expect(sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      `${key}-k1-500`,
      `${key}-k1-500`,
      `${key}-k2-all`,
    ]);
    const refused = expect.stringContaining('refund');
    expect(await gateway.refund(row, cents(1), 'k3')).toEqual({ refused });
  });

  test('of the newest month that was paid', async () => {
    const { gateway, started } = open();
    const { row, subscription } = await started(GOOD);
    shop.fake.renew(subscription, { pay: true });
    shop.fake.renew(subscription, { pay: false });
    await gateway.refund(row, undefined, 'k');
    const refunded = [...shop.fake.state.charge.values()].slice(-2);
    expect(refunded.map((each) => each.amount_refunded)).toEqual([119_900, 0]);
  });

  test('only where something was paid', async () => {
    const { gateway, started } = open();
    expect(await gateway.refund(await newOrder(), undefined, 'k')).toEqual(NOTHING);
    const { row } = await started();
    expect(await gateway.refund(row, undefined, 'k')).toEqual(NOTHING);
  });

  test('or not, when Stripe does not answer or leaves out the charge', async () => {
    const { gateway, stripe, started } = open();
    const { row } = await started(GOOD);
    const refund = () => gateway.refund(row, cents(1), 'k');
    expect(await away('/v1/refunds', 'POST', refund)).toEqual(['refund']);
    const { create } = stripe.refunds;
    for (const charge of [null, 'ch_1']) {
      vi.spyOn(stripe.refunds, 'create').mockImplementation(async (...asked) => {
        return Object.assign(await create.call(stripe.refunds, ...asked), { charge });
      });
      await expect(gateway.refund(row, cents(1), `${charge}`)).rejects.toThrow(
        'without its charge',
      );
    }
  });
});

describe('a subscription is ended', () => {
  test('at once, which is remembered', async () => {
    const { gateway, started } = open();
    const { row, subscription } = await started(GOOD);
    expect(await gateway.cancel(row, 'now')).toBe('done');
    expect([statusOf(subscription), await hasEnded(row)]).toEqual(['canceled', 1]);
    expect(await gateway.cancel(row, 'now')).toBe('done');
  });

  test('at the end of the month', async () => {
    const { gateway, started } = open();
    const { row, subscription } = await started(GOOD);
    expect(await gateway.cancel(row, 'period-end')).toBe('done');
    expect(shop.fake.state.subscription.get(subscription)).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
    });
    expect(await hasEnded(row)).toBe(0);
  });

  test('also when nobody paid it, twice', async () => {
    const { gateway, started } = open();
    const { row, subscription } = await started();
    for (let times = 0; times < 2; times += 1)
      expect(await gateway.cancel(row, 'now')).toBe('done');
    expect(statusOf(subscription)).toBe('incomplete_expired');
  });

  test('although its answer was lost, and not when it was never made', async () => {
    const { gateway, started } = open();
    const { row, subscription } = await started();
    const lost = { ...row, subscriptionId: null };
    expect(await gateway.cancel(lost, 'now')).toBe('done');
    const { paymentId } = row;
    const kept = { subscriptionId: subscription, paymentId, subscriptionEnded: 1 };
    expect(await rowOf(shop, row.id)).toMatchObject(kept);
    expect(statusOf(subscription)).toBe('incomplete_expired');
    const asked = shop.fake.requests.length;
    expect(await gateway.cancel(await newOrder(), 'now')).toBe('done');
    expect(shop.fake.requests.length).toBe(asked);
    const cancel = () => gateway.cancel(lost, 'now');
    expect(await away('/v1/subscriptions', 'GET', cancel)).toEqual(['find']);
  });

  test('not while Stripe does not answer, or runs on', async () => {
    const { gateway, started } = open();
    const { row, subscription } = await started(GOOD);
    const cancel = () => gateway.cancel(row, 'period-end');
    expect(await away(/^\/v1\/subscriptions\//, 'POST', cancel)).toEqual(['cancel']);
    expect(
      await away(/^\/v1\/subscriptions\//, 'DELETE', () => gateway.cancel(row, 'now')),
    ).toEqual(['cancel']);
    expect(statusOf(subscription)).toBe('active');
  });

  test.each([
    [399, 'away'],
    [400, { refused: 'in words' }],
    [404, { refused: 'in words' }],
    [499, { refused: 'in words' }],
    [409, 'away'],
    [429, 'away'],
    [500, 'away'],
    [undefined, 'away'],
  ])('or refused with %j: %j', async (statusCode, outcome) => {
    const { gateway, stripe } = open();
    const refusal = { message: 'in words', type: 'invalid_request_error' as const };
    const error = new Stripe.errors.StripeInvalidRequestError(
      statusCode ? { ...refusal, statusCode } : refusal,
    );
    vi.spyOn(stripe.subscriptions, 'update').mockRejectedValue(error);
    const row = await newOrder({ subscriptionId: `sub_${statusCode}` });
    expect(await gateway.cancel(row, 'period-end')).toEqual(outcome);
  });
});

test("a customer's own page leads back to the order", async () => {
  const { gateway, started } = open();
  const { row } = await started();
  const page = () => gateway.billingPage(row, 'https://shop.example.com/order/1');
  expect(await page()).toMatch(/^https:\/\/billing\.stripe\.com\//);
  expect([...shop.fake.state.portal_session.values()].at(-1)).toMatchObject({
    customer: row.customerId,
    return_url: 'https://shop.example.com/order/1',
  });
  expect(await gateway.billingPage({ ...row, customerId: null }, 'x')).toBeNull();
  expect(await away('/v1/billing_portal/sessions', 'POST', page)).toEqual(['billing-page']);
});
