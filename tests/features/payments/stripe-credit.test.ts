/** A credit that staff gave at Stripe covers the first month: there is nothing to pay, and the order is paid. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  order,
  receiptsFor,
  seenByStaff,
  sharedShop,
  submit,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';
import type { Visitor } from '../../support/visitor.ts';

const shop = sharedShop(WITH_MAIL);

/** A buyer whose customer at Stripe has more credit than a month costs. */
async function buyerWithCredit(): Promise<{ email: string; visitor: Visitor }> {
  const email = `${randomUUID()}@example.com`;
  const { orderId, visitor } = await order(shop, { email, planId: 1, amount: 799 });
  const { customerId } = await shop.app.database.db
    .selectFrom('orders')
    .select('customerId')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  const customer = shop.fake.state.customer.get(customerId ?? '');
  Object.assign(customer ?? {}, { balance: -500_000 });
  return { email, visitor };
}

const deliverFrom = (before: number) =>
  shop.fake.deliver(shop.fake.events.slice(before), { to: shop.webhook });

test('the order is paid at once, and staff read that there is no card', async () => {
  const { email, visitor } = await buyerWithCredit();
  const before = shop.fake.events.length;
  const subscriptions = shop.fake.subscriptionCount();
  const key = randomUUID();
  const placed = await submit(visitor, { email }, key);
  expect(placed.status).toBe(200);
  expect(placed.json).toMatchObject({ clientSecret: null, amount: 1199 });
  const { orderId } = placed.json;
  const seen = await seenByStaff(shop, orderId);
  expect(seen.status).toBe('paid');
  expect(seen.notes.map(({ note }: { note: string }) => note)).toEqual([
    'Nothing was due for the first month, so no card is on file for the next',
  ]);
  const answers = await deliverFrom(before);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await receiptsFor(shop, orderId)).toBe(1);
  expect((await submit(visitor, { email }, key)).json).toEqual(placed.json);
  expect(shop.fake.subscriptionCount()).toBe(subscriptions + 1);
});

test('the webhook finds it when the answer to the order was lost', async () => {
  const { email, visitor } = await buyerWithCredit();
  const before = shop.fake.events.length;
  shop.fake.failNext({
    how: 'reset-after-execution',
    method: 'POST',
    path: '/v1/subscriptions',
    times: 3,
  });
  expect((await submit(visitor, { email })).status).toBe(503);
  const answers = await deliverFrom(before);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const { json } = await shop.staff.get(`/api/admin/orders?find=${email}&status=paid`);
  expect(json.total).toBe(1);
});
