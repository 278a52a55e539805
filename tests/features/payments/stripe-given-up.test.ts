/** A canceled order is never charged, whatever its buyer, staff or Stripe do at the same moment. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expireOrders } from '../../../src/billing/abandon-order.server.ts';
import { getOrder } from '../../../src/billing/order-store.server.ts';
import { HOUR_MS } from '../../../src/platform/time.ts';
import { logged } from '../../support/logged.ts';
import { intervalsOf } from '../../support/running-subscription.ts';
import { savedOrder } from '../../support/saved-order.ts';
import { order, sharedShop, submit } from '../../support/stripe-shop.ts';
import type { Answered } from '../../support/visitor.ts';

const GOOD = '4242424242424242';
const DECLINED = '4000000000000002';
const ASKS = '4000002500003155';
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

test('an order is canceled, with its payment, after a day unpaid or an hour at the bank, whatever is wrong with another', async () => {
  const { db } = shop.app.database;
  const placedBefore = async (hours: number, card?: string) => {
    const { orderId, clientSecret } = await order(shop);
    if (card) shop.fake.confirmCard(clientSecret, card);
    await shop.fake.deliver(shop.fake.events.slice(-2), { to: shop.webhook });
    const columns = { createdAt: Date.now() - hours * HOUR_MS };
    await db.updateTable('orders').set(columns).where('id', '=', orderId).execute();
    return orderId;
  };
  const broken = await placedBefore(26);
  const ids = [await placedBefore(23), await placedBefore(25), await placedBefore(25, DECLINED)];
  ids.push(await placedBefore(2, ASKS), await placedBefore(2, ASKS));
  await db
    .updateTable('orderEvents')
    .set({ at: Date.now() - 1.1 * HOUR_MS })
    .where('orderId', '=', ids[3] ?? 0)
    .execute();
  const statuses = () =>
    Promise.all([broken, ...ids].map(async (id) => (await getOrder(db, { id })).status));
  const before = ['pending', 'pending', 'pending', 'failed', 'processing', 'processing'];
  expect(await statuses()).toEqual(before);
  const context = intervalsOf(shop);
  const { gateway } = context;
  const cancelPayment: typeof gateway.cancelPayment = async (order) => {
    if (order.id === broken) throw new Error('a bug');
    return gateway.cancelPayment(order);
  };
  const withBug = { ...context, gateway: { ...gateway, cancelPayment } };
  expect(await logged(() => expireOrders(withBug, () => false))).toMatchObject([
    { event: 'order-expiry-failed', orderId: broken, message: 'a bug' },
  ]);
  const after = ['pending', 'pending', 'canceled', 'canceled', 'canceled', 'processing'];
  expect(await statuses()).toEqual(after);
  const [, , ...rest] = [...shop.fake.state.subscription.values()].slice(-5);
  expect(rest.map(({ status }) => status)).toEqual([
    'incomplete_expired',
    'incomplete_expired',
    'incomplete',
  ]);
});

test('a buyer whose interrupted order has expired at Stripe cannot pay it any more', async () => {
  const attempt = await interrupted('reset-after-execution', '/v1/subscriptions');
  shop.fake.expire([...shop.fake.state.subscription.keys()].at(-1) ?? '');
  const invoice = [...shop.fake.state.invoice.values()].at(-1);
  Object.assign(invoice ?? {}, { confirmation_secret: null });
  await expectOver(attempt);
});

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

  test('no order whose end Stripe refuses, and read why', async () => {
    const email = `${randomUUID()}@example.com`;
    const { orderId } = await order(shop, { email });
    shop.fake.failNext({ how: 'status-403', method: 'POST', path: /\/void$/, times: 9 });
    const { status, json } = await cancel(orderId);
    shop.fake.clearFaults();
    expect([status, json.message]).toEqual([409, expect.stringContaining('permission')]);
    expect(json.now.status).toBe('pending');
  });

  test('an order by setting its status', async () => {
    const email = `${randomUUID()}@example.com`;
    const { orderId, clientSecret } = await order(shop, { email });
    const path = `/api/orders/${orderId}/update-status`;
    expect((await shop.staff.post(path, { status: 'canceled' })).json.status).toBe('canceled');
    expect(await statusAtStripe(email)).toBe('incomplete_expired');
    expect(shop.fake.confirmCard(clientSecret, GOOD).error?.code).toBe(
      'payment_intent_unexpected_state',
    );
    const message = 'This cannot be done with an order that is canceled';
    expect(await cancel(orderId)).toMatchObject({ status: 409, json: { message } });
  });

  test('a paid order by setting its status, and with it its subscription', async () => {
    const email = `${randomUUID()}@example.com`;
    const { orderId, clientSecret } = await order(shop, { email });
    shop.fake.confirmCard(clientSecret, GOOD);
    await shop.fake.deliver(shop.fake.eventsOf('invoice.paid').slice(-1), { to: shop.webhook });
    const { version } = await getOrder(shop.app.database.db, { id: orderId });
    const set = { status: 'canceled', version };
    const { json } = await shop.staff.post(`/api/orders/${orderId}/update-status`, set);
    expect([json.status, await statusAtStripe(email)]).toEqual(['canceled', 'canceled']);
  });

  test.each(['before', 'while'])(
    'nothing when the customer pays %s they cancel, which is Stripe’s news',
    async (when) => {
      const email = `${randomUUID()}@example.com`;
      const { orderId, clientSecret } = await order(shop, { email });
      const paid = () => void shop.fake.confirmCard(clientSecret, GOOD);
      if (when === 'before') paid();
      else shop.fake.beforeRequests((path) => (path.endsWith('/void') ? paid() : undefined));
      expect((await cancel(orderId)).status).toBe(409);
      shop.fake.beforeRequests(null);
      expect(await statusAtStripe(email)).toBe('active');
      const { json } = await shop.staff.get(`/api/orders/${orderId}`);
      expect(json.history.at(-1)).toMatchObject({
        status: 'paid',
        cause: 'status checked at Stripe',
      });
    },
  );

  test('an order whose payment is started again while they cancel it', async () => {
    const attempt = await interrupted('status-500-kept', '/v1/subscriptions');
    const { id } = await rowOf(attempt.email);
    // The order is looked for when it is read, and again when its payment is to be canceled.
    let looks = 0;
    shop.fake.beforeRequests(async (path, method) => {
      if (method !== 'GET' || path !== '/v1/subscriptions') return;
      looks += 1;
      if (looks === 2) expect((await pay(attempt)).status).toBe(200);
    });
    expect((await cancel(id)).json.status).toBe('canceled');
    shop.fake.beforeRequests(null);
    expect(await statusAtStripe(attempt.email)).toBe('incomplete_expired');
  });

  test('a test order, but none of a provider or mode that is not active, and read why', async () => {
    const { db } = shop.app.database;
    const trial = await savedOrder(db, { provider: 'test', paymentId: 'test_1' });
    const set = ({ id }: typeof trial) =>
      shop.staff.post(`/api/orders/${id}/update-status`, { status: 'canceled' });
    expect((await set(trial)).json.status).toBe('canceled');
    for (const [provider, message] of [
      ['earlier', 'The order was placed with another payment provider (earlier)'],
      ['stripe', 'The order was placed in live mode, which is not active now'],
    ]) {
      const other = await savedOrder(db, { provider, live: 1, subscriptionId: `sub_${provider}` });
      for (const answer of [await cancel(other.id), await set(other)])
        expect(answer).toMatchObject({ status: 409, json: { message } });
      expect((await getOrder(db, other)).status).toBe('pending');
    }
  });

  test('an order that has already expired at Stripe', async () => {
    const email = `${randomUUID()}@example.com`;
    const { orderId } = await order(shop, { email });
    shop.fake.expire((await rowOf(email)).subscriptionId ?? '');
    expect((await cancel(orderId)).json.status).toBe('canceled');
  });
});
