/** An order is its browser's, costs what the server says, and changes only as allowed. */

import { describe, expect, test, vi } from 'vitest';
import type { OrderStatus } from '../../../src/billing/order-status.ts';
import { updateOrder } from '../../../src/billing/order-store.server.ts';
import { orderReference } from '../../../src/billing/reference.ts';
import { SAMPLE_ORDER, type Scene } from '../../support/call-row.ts';
import { changeItem } from '../../support/change-item.ts';
import { makeScene } from '../../support/every-call.ts';
import { sharedStaff, sharedTestApp } from '../../support/test-app.ts';

/** The transitions that the contract allows, independent of the code. */
const MAY_FOLLOW: Record<OrderStatus, string> = {
  pending: 'processing failed canceled',
  processing: 'paid failed canceled',
  failed: 'processing',
  paid: 'past_due refunded canceled',
  past_due: 'paid canceled',
  canceled: '',
  refunded: '',
};
const STATUSES = Object.keys(MAY_FOLLOW) as OrderStatus[];
const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));

const app = sharedTestApp();

describe('the status of an order', () => {
  const staff = sharedStaff(() => app);

  const put = (orderId: number, status: OrderStatus) =>
    app.database.db.updateTable('orders').set({ status }).where('id', '=', orderId).execute();
  const read = async (orderId: number) => (await staff.get(`/api/orders/${orderId}`)).json;
  const confirm = ({ owner, clientSecret }: Scene, token = 'succeeds') =>
    owner.post('/api/test-payments/confirm', { clientSecret, token });

  test('is never set by a customer, and by staff only along allowed transitions, which the history keeps', async () => {
    for (const [from, to] of pairs) {
      const { orderId, owner } = await makeScene(app);
      await put(orderId, from);
      const byOwner = await owner.post(`/api/orders/${orderId}/update-status`, { status: to });
      expect([from, to, byOwner.status, byOwner.json.status]).toEqual([from, to, 200, from]);
      const answered = await staff.post(`/api/orders/${orderId}/update-status`, { status: to });
      const allowed = from === to || MAY_FOLLOW[from].split(' ').includes(to);
      const now = await read(orderId);
      expect([from, to, answered.status, now.status]).toEqual([
        from,
        to,
        allowed ? 200 : 409,
        allowed ? to : from,
      ]);
      const causes = now.history.map(({ cause }: { cause: string }) => cause);
      const isUnpaid = ['pending', 'processing'].includes(from);
      const ended = isUnpaid ? 'Canceled by admin' : 'Ended immediately by admin';
      const cause = to === 'canceled' ? ended : 'set by admin';
      const kept = allowed && from !== to ? ['order placed', cause] : ['order placed'];
      expect(causes).toEqual(kept);
    }
  });

  test('follows the payment even if the buyer is signed in as staff, who can still set it', async () => {
    const { json } = await staff.post('/api/create-payment-intent', SAMPLE_ORDER);
    const { orderId, clientSecret } = json;
    const set = async (status: string) =>
      (await staff.post(`/api/orders/${orderId}/update-status`, { status })).json.status;
    expect(await set('processing')).toBe('pending');
    await staff.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    expect([await set('processing'), await set('past_due')]).toEqual(['paid', 'past_due']);
  });

  test('does not go back from past due, refunded or canceled to paid when the customer returns', async () => {
    for (const status of ['past_due', 'refunded', 'canceled'] as const) {
      const scene = await makeScene(app);
      await confirm(scene);
      expect((await read(scene.orderId)).status).toBe('paid');
      await put(scene.orderId, status);
      await scene.owner.post(`/api/orders/${scene.orderId}/update-status`, { status: 'paid' });
      expect((await read(scene.orderId)).status).toBe(status);
    }
  });

  test('follows a payment that is declined, tried again and approved, and stays paid after that', async () => {
    const scene = await makeScene(app);
    const { orderId, owner, clientSecret } = scene;
    const answer = (approve: boolean) =>
      owner.post('/api/test-payments/answer', { clientSecret, approve });
    await confirm(scene, 'declined');
    // Nothing asked for an approval.
    await answer(true);
    for (const approve of [false, true]) {
      await confirm(scene, 'asks');
      await answer(approve);
    }
    await confirm(scene, 'declined');
    await answer(false);
    const { status, history } = await read(orderId);
    expect(status).toBe('paid');
    const statuses = ['pending', 'failed', 'processing', 'failed', 'processing', 'paid'];
    expect(history.map((each: { status: string }) => each.status)).toEqual(statuses);
  });

  test('cannot be updated with the payment id of another order', async () => {
    const mine = await makeScene(app);
    const other = await makeScene(app);
    const { paymentId } = await read(other.orderId);
    const path = `/api/orders/${mine.orderId}/update-status`;
    for (const who of [mine.owner, staff])
      expect((await who.post(path, { status: 'paid', paymentId })).status).toBe(409);
    expect((await read(mine.orderId)).history.length).toBe(1);
  });
});

describe('an order', () => {
  const buy = (change: object, headers = {}, visitor = app.visitor()) =>
    visitor.post('/api/create-payment-intent', { ...SAMPLE_ORDER, ...change }, headers);
  const orders = () =>
    app.database.db
      .selectFrom('orders')
      .innerJoin('subscriptions', 'subscriptions.orderId', 'orders.id')
      .selectAll('orders')
      .select(['provider', 'live', 'collection', 'amountCents'])
      .orderBy('id')
      .execute();

  test('with another amount than the server’s price is refused and not saved', async () => {
    const before = await orders();
    const message = 'The price has changed. Please review your order.';
    for (const amount of [0, -0, -450, 449.99, 450.01, 450.000001, 45000, 1e300, 5e-324])
      expect(await buy({ amount }), `${amount}`).toMatchObject({ status: 409, json: { message } });
    expect(await orders()).toEqual(before);
  });

  test('without a Microsoft 365 option has no users and no backup, whatever the request says', async () => {
    const { json } = await buy({ ms365Users: 5000, includeCloudBackup: true });
    const order = (await orders()).find(({ id }) => id === json.orderId);
    expect(order).toMatchObject({ amountCents: 45_000 });
  });

  test('is saved as chosen, and costs the sum of plan, licenses and backup, give or take a rounding error', async () => {
    const choice = { ms365Option: 'business_standard', ms365Users: 3, includeCloudBackup: true };
    for (const amount of [502.35, 502.3500000001])
      expect(await buy({ ...choice, amount })).toMatchObject({
        status: 200,
        json: { amount: 502.35 },
      });
    // Without an idempotency key, each is an order of its own.
    const [one, other] = (await orders()).slice(-2);
    expect(other?.boughtLines).toBe(one?.boughtLines);
    const { planId, name, email, phone } = SAMPLE_ORDER;
    expect(one).toMatchObject({
      planId,
      name,
      email,
      phone,
      collection: 'card',
      planName: 'Essential',
      ms365Option: choice.ms365Option,
      status: 'pending',
      amountCents: 502_35,
      provider: 'test',
      live: 0,
    });
    const lines: { amount: number }[] = JSON.parse(one?.boughtLines ?? '');
    expect(lines.map(({ amount }) => amount)).toEqual([450_00, 37_50, 14_85]);
  });

  test('is placed once per key: the same body gets the same order, another body 409', async () => {
    const key = { 'Idempotency-Key': 'a-key-of-one-order' };
    const first = await buy({}, key);
    const again = await buy({}, key);
    expect(again.json).toEqual(first.json);
    const reordered = Object.fromEntries(Object.entries(SAMPLE_ORDER).reverse());
    expect((await buy(reordered, key)).json).toEqual(first.json);
    // Whatever the plan costs by now.
    await changeItem(app.database.db, 'plans', 1, { price: 500 });
    expect((await buy({ amount: 500 })).status).toBe(200);
    expect((await buy({}, key)).json).toEqual(first.json);
    await changeItem(app.database.db, 'plans', 1, { price: 450 });
    expect((await buy({ name: 'John Doe' }, key)).status).toBe(409);
    expect((await buy({}, { 'Idempotency-Key': 'another' })).json.orderId).not.toBe(
      first.json.orderId,
    );
    for (const bad of ['', 'with spaces', 'x'.repeat(256), 'é']) {
      expect((await buy({}, { 'Idempotency-Key': bad })).status).toBe(400);
    }
  });

  test('can be opened in a browser that repeats its key with the same body, and in no other; the browser keeps access to its own orders', async () => {
    const key = { 'Idempotency-Key': 'the-same-order' };
    const visitor = app.visitor();
    const ids = [(await buy({}, {}, visitor)).json.orderId, (await buy({}, key)).json.orderId];
    expect((await buy({ name: 'John Doe' }, key, visitor)).status).toBe(409);
    expect((await visitor.get(`/api/orders/${ids[1]}`)).status).toBe(404);
    expect((await buy({}, key, visitor)).json.orderId).toBe(ids[1]);
    for (const id of ids) expect((await visitor.get(`/api/orders/${id}`)).status).toBe(200);
  });

  test.each([
    ['five minutes later', 300_001, 'pending'],
    ['once it has been paid', 0, 'paid'],
  ] as const)(
    'sent again by its key %s, gives its answer and no access',
    async (_when, ms, status) => {
      const key = { 'Idempotency-Key': `known-${status}` };
      const { json } = await buy({}, key);
      const orders = app.database.db.updateTable('orders').set({ status });
      await orders.where('id', '=', json.orderId).execute();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
      const stranger = app.visitor();
      expect((await buy({}, key, stranger)).json).toEqual(json);
      vi.useRealTimers();
      expect((await stranger.get(`/api/orders/${json.orderId}`)).status).toBe(404);
    },
  );

  test('that staff marked as paid, and that has no payment, can no longer be paid by its key', async () => {
    const key = { 'Idempotency-Key': 'paid-by-hand' };
    const { orderId } = (await buy({}, key)).json;
    const { db } = app.database;
    await updateOrder(db, orderId, { status: 'paid' }, { paymentId: null, subscriptionId: null });
    const message = `Order ${orderReference(orderId)} can no longer be paid. Press Pay again.`;
    const json = { message, errors: [{ path: 'Idempotency-Key', message }] };
    expect(await buy({}, key)).toMatchObject({ status: 409, json });
  });
});
