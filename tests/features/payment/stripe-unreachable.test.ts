/** What is heard of an order while Stripe's API is away ends none. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  becomes,
  openShop,
  order,
  paymentOf,
  receiptsFor,
  type StripeShop,
  seenByStaff,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

let shop: StripeShop;
beforeEach(async () => {
  shop = await openShop(WITH_MAIL);
});
afterEach(() => shop.close());

test('while Stripe cannot be asked, an event counts as far as it speaks for itself, and is asked after', async () => {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, '4000000000000002');
  const [failed] = shop.fake.eventsOf('invoice.payment_failed');
  shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
  shop.fake.failNext({ how: 'status-500-kept', path: /^\/v1\/payment_intents/ });
  const answers = await shop.fake.deliver(failed ? [failed] : [], { to: shop.webhook });
  expect(answers.map(({ status }) => status)).toEqual([200]);
  expect((await seenByStaff(shop, placed.orderId)).status).toBe('failed');
  expect((await shop.staff.get('/api/admin/payments')).json.waiting).toBe(1);
  await shop.restart();
  await becomes(shop, placed, 'paid');
  await expect.poll(async () => (await shop.staff.get('/api/admin/payments')).json.waiting).toBe(0);
});

describe('while Stripe cannot be asked, no order ends', () => {
  /** Hears of everything that has happened while Stripe's API is away, in this order. */
  async function hearInTheDark(types: string[]): Promise<void> {
    shop.fake.failNext({ how: 'status-500-kept', method: 'GET', times: 1000 });
    const events = types.flatMap((type) => shop.fake.eventsOf(type));
    const answers = await shop.fake.deliver(events, { to: shop.webhook });
    expect(answers.map(({ status }) => status)).toEqual(types.map(() => 200));
    shop.fake.clearFaults();
  }
  const subscriptionOf = () => [...shop.fake.state.subscription.keys()].at(-1) ?? '';

  test('although its subscription has: the payment may be heard later', async () => {
    const placed = await order(shop);
    shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    shop.fake.cancelSubscription(subscriptionOf());
    await hearInTheDark(['customer.subscription.deleted']);
    expect((await seenByStaff(shop, placed.orderId)).status).toBe('pending');
    await shop.fake.deliver(shop.fake.eventsOf('invoice.paid'), { to: shop.webhook });
    expect((await seenByStaff(shop, placed.orderId)).status).toBe('paid');
    expect(await receiptsFor(shop, placed.orderId)).toBe(1);
    await shop.restart();
    await becomes(shop, placed, 'canceled');
  });

  test('although one payment was refunded: later ones may have been made', async () => {
    const placed = await order(shop);
    shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    shop.fake.renew(subscriptionOf(), { pay: true });
    shop.fake.refundCharge(paymentOf(placed));
    await hearInTheDark(['charge.refunded']);
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject({
      status: 'paid',
      refunded: 1199,
    });
    await shop.restart();
    await expect
      .poll(async () => (await shop.staff.get('/api/admin/payments')).json.waiting)
      .toBe(0);
    expect((await seenByStaff(shop, placed.orderId)).status).toBe('paid');
    expect(shop.fake.state.subscription.get(subscriptionOf())?.status).toBe('active');
  });

  test('nor when only its bills cannot be read', async () => {
    const placed = await order(shop);
    shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    shop.fake.renew(subscriptionOf(), { pay: true });
    shop.fake.refundCharge(paymentOf(placed));
    shop.fake.failNext({ how: 'status-500-kept', path: '/v1/invoices' });
    await shop.fake.deliver(shop.fake.eventsOf('charge.refunded'), { to: shop.webhook });
    expect((await seenByStaff(shop, placed.orderId)).status).toBe('paid');
    expect((await shop.staff.get('/api/admin/payments')).json.waiting).toBe(1);
  });
});
