/** A canceled order is never charged, whatever its buyer, staff or Stripe do at the same moment. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { order, sharedShop, submit } from '../../support/stripe-shop.ts';
import type { Answered } from '../../support/visitor.ts';

const shop = sharedShop();

async function rowOf(email: string) {
  return shop.app.database.db
    .selectFrom('orders')
    .innerJoin('subscriptions', 'subscriptions.orderId', 'orders.id')
    .select(['id', 'orders.status', 'subscriptionId'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
}

async function statusAtStripe(email: string): Promise<string | undefined> {
  const { subscriptionId } = await rowOf(email);
  return shop.fake.state.subscription.get(subscriptionId ?? '')?.status;
}

interface Attempt {
  email: string;
  key: string;
}

const newAttempt = (): Attempt => ({ email: `${randomUUID()}@example.com`, key: randomUUID() });

const pay = ({ email, key }: Attempt): Promise<Answered> =>
  submit(shop.app.visitor(), { email }, key);

/** An order whose buyer read that payments are unavailable. */
async function interrupted(
  how: 'status-500-kept' | 'reset-after-execution',
  path: string,
): Promise<Attempt> {
  const attempt = newAttempt();
  shop.fake.failNext({ how, method: 'POST', path, times: 3 });
  expect((await pay(attempt)).status).toBe(503);
  shop.fake.clearFaults();
  return attempt;
}

const cancel = (id: number) => shop.staff.post(`/api/admin/orders/${id}/cancel`, { when: 'now' });

/** The old idempotency key no longer places an order, and a new one does. */
async function expectOver(attempt: Attempt): Promise<void> {
  const before = shop.fake.subscriptionCount();
  const refused = await pay(attempt);
  expect(refused.status).toBe(409);
  expect(refused.json.errors[0].path).toBe('Idempotency-Key');
  expect(shop.fake.subscriptionCount()).toBe(before);
  expect((await pay({ ...attempt, key: randomUUID() })).status).toBe(200);
  expect(shop.fake.subscriptionCount()).toBe(before + 1);
}

describe('staff cancel', () => {
  test.each([
    ['never reached Stripe', 'status-500-kept', '/v1/customers', undefined],
    [
      'has a subscription whose response was lost',
      'reset-after-execution',
      '/v1/subscriptions',
      'incomplete_expired',
    ],
  ] as const)('an order that %s', async (_what, how, path, statusThere) => {
    const attempt = await interrupted(how, path);
    const { id, subscriptionId } = await rowOf(attempt.email);
    expect(subscriptionId).toBeNull();
    expect((await cancel(id)).json.status).toBe('canceled');
    expect(await statusAtStripe(attempt.email)).toBe(statusThere);
    await expectOver(attempt);
  });

  test('nothing while Stripe cannot say whether there is a subscription, or void its invoice', async () => {
    const { email } = await interrupted('reset-after-execution', '/v1/subscriptions');
    const { id } = await rowOf(email);
    for (const path of ['/v1/subscriptions', /\/void$/]) {
      shop.fake.failNext({ how: 'status-500-kept', path });
      expect((await cancel(id)).status).toBe(503);
      expect((await rowOf(email)).status).toBe('pending');
    }
    expect((await cancel(id)).json.status).toBe('canceled');
  });

  test('an order whose subscription is being created', async () => {
    const attempt = newAttempt();
    const held = Promise.withResolvers<void>();
    shop.fake.beforeRequests((path, method) =>
      method === 'POST' && path === '/v1/subscriptions' ? held.promise : undefined,
    );
    const paying = pay(attempt);
    await expect.poll(() => rowOf(attempt.email).catch(() => null)).not.toBeNull();
    const canceled = await cancel((await rowOf(attempt.email)).id);
    expect(canceled.json.status).toBe('canceled');
    shop.fake.beforeRequests(null);
    held.resolve();
    expect((await paying).status).toBe(409);
    expect(await statusAtStripe(attempt.email)).toBe('incomplete_expired');
  });

  test('an order by setting its status', async () => {
    const email = `${randomUUID()}@example.com`;
    const { orderId, clientSecret } = await order(shop, { email });
    const path = `/api/orders/${orderId}/update-status`;
    expect((await shop.staff.post(path, { status: 'canceled' })).json.status).toBe('canceled');
    expect(await statusAtStripe(email)).toBe('incomplete_expired');
    const late = shop.fake.confirmCard(clientSecret, '4242424242424242');
    expect(late.error?.code).toBe('payment_intent_unexpected_state');
  });

  test('an order that has already expired at Stripe', async () => {
    const email = `${randomUUID()}@example.com`;
    const { orderId } = await order(shop, { email });
    shop.fake.expire((await rowOf(email)).subscriptionId ?? '');
    expect((await cancel(orderId)).json.status).toBe('canceled');
  });
});
