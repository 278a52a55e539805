/** Staff erase a buyer who paid by Stripe once the plan has ended, and read of the copies. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateOrder } from '../../../src/billing/order-store.server.ts';
import { orderReference } from '../../../src/billing/reference.ts';
import { eventually } from '../../support/eventually.ts';
import { tablesWith } from '../../support/every-row.ts';
import { DESK, Mailbox } from '../../support/mailbox.ts';
import {
  atStripe,
  order,
  paidOrder,
  press,
  rowOf,
  type Started,
  sharedShop,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const mailbox = await Mailbox.start();
afterAll(() => mailbox.stop());
const mailed = sharedShop(mailbox.variables);
beforeAll(() => mailed.fake.autoDeliver(mailed.webhook));

const shop = sharedShop(WITH_MAIL);
beforeAll(() => shop.fake.autoDeliver(shop.webhook));

const erase = (email: string) => shop.staff.move().post('/api/admin/people/erase', { email });

const end = ({ orderId }: Started, when = 'now') => press(shop, orderId, 'cancel', { when });

describe('staff erase a buyer', () => {
  test('once the subscription has ended', async () => {
    const email = 'running.buyer@example.com';
    const buyer = { email, name: 'Running Buyer', phone: '(770) 555-0177' };
    const placed = await paidOrder(shop, buyer);
    expect((await erase(email)).json.message).toContain(orderReference(placed.orderId));
    // A subscription that ends with its month still runs.
    await end(placed, 'period-end');
    expect((await erase(email)).status).toBe(409);
    await end(placed);
    await shop.fake.settled();

    const { customerId, subscriptionId } = (await rowOf(shop, placed.orderId)).subscription;
    expect(await tablesWith(shop.app.database, email)).toContain('orders');
    const { status, json } = await erase(email);
    expect(status).toBe(200);
    expect(json).toEqual({
      erased: [],
      kept: [orderReference(placed.orderId)],
      externalCopies: {
        channels: ['mail-staff'],
        providerCustomers: [
          {
            id: customerId,
            provider: 'Stripe',
            url: `https://dashboard.stripe.com/test/customers/${customerId}`,
          },
        ],
      },
    });
    for (const trace of [email, buyer.name, buyer.phone]) {
      expect(await tablesWith(shop.app.database, trace)).toEqual([]);
    }
    expect(await rowOf(shop, placed.orderId)).toMatchObject({
      status: 'canceled',
      subscription: { customerId, subscriptionId, amountCents: 119_900 },
      requestHash: '',
      idempotencyKey: null,
    });

    // The order still follows Stripe.
    const refund = await shop.staff.post(`/api/admin/orders/${placed.orderId}/refund`, {
      amount: 100,
    });
    expect(refund.json).toMatchObject({ name: 'Erased on request', refunded: 100 });
    await shop.fake.settled();
    expect(await tablesWith(shop.app.database, email)).toEqual([]);
  });

  test('with an unpaid order, which can then no longer be paid', async () => {
    const email = 'hesitant.buyer@example.com';
    const placed = await order(shop, { email });
    shop.fake.failNext({ how: 'status-500-kept', path: /^\/v1\/subscriptions\//, times: 100 });
    const unavailable = await erase(email);
    expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await rowOf(shop, placed.orderId)).email).toBe(email);
    shop.fake.clearFaults();

    expect((await erase(email)).status).toBe(200);
    expect((await rowOf(shop, placed.orderId)).status).toBe('canceled');
    expect((await atStripe(shop, placed)).status).not.toBe('active');
    expect(await tablesWith(shop.app.database, email)).toEqual([]);
    const again = await order(shop, { email });
    expect(again.orderId).not.toBe(placed.orderId);
  });

  test('not while a change of their order is under way, which would store them again', async () => {
    const email = 'moving.buyer@example.com';
    const placed = await order(shop, { email });
    const path = `/api/orders/${placed.orderId}/update-status`;
    await shop.staff.post(path, { status: 'canceled' });
    const asked = Promise.withResolvers<unknown>();
    shop.fake.beforeRequests(async (path, method) => {
      if (!path.startsWith('/v1/customers') || method !== 'POST') return;
      shop.fake.beforeRequests(null);
      asked.resolve(await erase(email));
    });
    const facts = { name: 'Moving Buyer', company: 'Moved', phone: null, email };
    const details = { ...facts, billingAddress: null, billsTo: null };
    await shop.staff.post(`/api/admin/orders/${placed.orderId}/details`, details);
    expect(await asked.promise).toMatchObject({ status: 409 });
    expect((await erase(email)).status).toBe(200);
    expect(await tablesWith(shop.app.database, email)).toEqual([]);
  });

  test('whose only orders were placed with the test gateway', async () => {
    const email = 'trial.buyer@example.com';
    const placed = await order(shop, { email });
    const was = { status: 'paid' } as const;
    const ofTest = { provider: 'test', live: 0 } as const;
    const { db } = shop.app.database;
    await updateOrder(db, placed.orderId, was, ofTest);
    expect((await erase(email)).status).toBe(200);
    expect(await rowOf(shop, placed.orderId)).toMatchObject({
      ...was,
      email: '',
      subscription: ofTest,
    });
  });
});

test('staff who read that a refund to an erased buyer failed are not sent to ask them', async () => {
  const email = 'refunded.buyer@example.com';
  const { orderId } = await paidOrder(mailed, { email });
  await mailed.staff.post(`/api/admin/orders/${orderId}/refund`, { amount: null });
  await mailed.fake.settled();
  expect((await mailed.staff.post('/api/admin/people/erase', { email })).status).toBe(200);
  mailed.fake.failRefund();
  const failed = () =>
    mailbox.to(DESK).filter(({ subject }) => subject?.startsWith('Failed refund'));
  await eventually(() => expect(failed()).toHaveLength(1));
  const text = failed()[0]?.text?.replace(/\s+/g, ' ');
  expect(text).toContain('The buyer was erased, and gets no email about this.');
  expect(text).not.toContain('Ask the customer');
});
