/** An order belongs to who made it, costs what the server says, and moves only as it may. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderStatus } from '../../../src/orders/order.ts';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { makeScene } from '../../support/every-call.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

/** The contract's transitions, written down once more. */
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

describe('the status of an order', () => {
  let app: TestApp;
  let staff: Visitor;
  beforeAll(async () => {
    app = await startTestApp();
    staff = await app.staff();
  });
  afterAll(() => app.stop());

  /** Puts the order where a story begins. */
  const put = (orderId: number, status: OrderStatus) =>
    app.database.db.updateTable('orders').set({ status }).where('id', '=', orderId).execute();
  const read = async (orderId: number) => (await staff.get(`/api/orders/${orderId}`)).json;

  test('is never what a customer says, and is set by staff where the table allows it; each change is kept', async () => {
    for (const [from, to] of pairs) {
      const { orderId, owner } = await makeScene(app);
      await put(orderId, from);
      const said = await owner.post(`/api/orders/${orderId}/update-status`, { status: to });
      expect([from, to, said.status, said.json.status]).toEqual([from, to, 200, from]);
      expect(said.json.history).toBeUndefined();
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
      const isGivenUp = to === 'canceled' && ['pending', 'processing'].includes(from);
      const cause = isGivenUp ? 'Canceled by admin' : 'set by admin';
      const kept = allowed && from !== to ? ['order placed', cause] : ['order placed'];
      expect(causes).toEqual(kept);
    }
  });

  test('follows the payment also when it is a colleague who buys', async () => {
    const { json } = await staff.post('/api/create-payment-intent', SAMPLE_ORDER);
    const { orderId, clientSecret } = json;
    const back = () => staff.post(`/api/orders/${orderId}/update-status`, { status: 'processing' });
    expect((await back()).json.status).toBe('pending');
    await staff.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    expect(await back()).toMatchObject({ status: 200, json: { status: 'paid' } });
  });

  test('is ended by staff also when its payment was never begun', async () => {
    const { orderId } = await makeScene(app);
    await app.database.db.deleteFrom('testPayments').where('orderId', '=', orderId).execute();
    const ended = await staff.post(`/api/admin/orders/${orderId}/cancel`, { when: 'now' });
    expect(ended).toMatchObject({ status: 200, json: { status: 'canceled' } });
  });

  test('is not turned from past due, refunded or canceled to paid by a customer who returns', async () => {
    for (const status of ['past_due', 'refunded', 'canceled'] as const) {
      const { orderId, owner, clientSecret } = await makeScene(app);
      await owner.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
      expect((await read(orderId)).status).toBe('paid');
      await put(orderId, status);
      await owner.post(`/api/orders/${orderId}/update-status`, { status: 'paid' });
      expect((await read(orderId)).status).toBe(status);
    }
  });

  test('that is over stays so, and its payment can no longer be made', async () => {
    const { orderId, owner, clientSecret } = await makeScene(app);
    await put(orderId, 'canceled');
    const paid = await owner.post('/api/test-payments/confirm', {
      clientSecret,
      token: 'succeeds',
    });
    expect(paid.json).toEqual({ status: 'canceled' });
    expect((await read(orderId)).status).toBe('canceled');
  });

  test('follows the payment: refused, tried again, approved', async () => {
    const { orderId, owner, clientSecret } = await makeScene(app);
    const confirm = (token: string) =>
      owner.post('/api/test-payments/confirm', { clientSecret, token });
    await confirm('declined');
    await confirm('asks');
    await owner.post('/api/test-payments/answer', { clientSecret, approve: false });
    await confirm('asks');
    await owner.post('/api/test-payments/answer', { clientSecret, approve: true });
    // Too late: a paid order is paid.
    await confirm('declined');
    await owner.post('/api/test-payments/answer', { clientSecret, approve: false });
    const { status, history } = await read(orderId);
    expect(status).toBe('paid');
    expect(history.map((each: { status: string }) => each.status)).toEqual([
      'pending',
      'failed',
      'processing',
      'failed',
      'processing',
      'paid',
    ]);
  });

  test('moves once when two cards decide at the same moment', async () => {
    const { orderId, owner, clientSecret } = await makeScene(app);
    const tokens = Array.from({ length: 10 }, (_, i) => (i % 2 ? 'succeeds' : 'declined'));
    await Promise.all(
      tokens.map((token) => owner.post('/api/test-payments/confirm', { clientSecret, token })),
    );
    const { status, history } = await read(orderId);
    expect(status).toBe('paid');
    const paid = history.filter((each: { status: string }) => each.status === 'paid');
    expect(paid.length).toBe(1);
  });

  test('is not updated with the payment of another order', async () => {
    const mine = await makeScene(app);
    const other = await makeScene(app);
    const { paymentId } = await read(other.orderId);
    for (const who of [mine.owner, staff]) {
      const body = { status: 'paid', paymentId };
      const { status } = await who.post(`/api/orders/${mine.orderId}/update-status`, body);
      expect(status).toBe(409);
    }
    expect((await read(mine.orderId)).history.length).toBe(1);
  });
});

test('what is for anyone asks no more of a colleague: a program may send it without an Origin', async () => {
  const app = await startTestApp();
  const colleague = await app.staff();
  const send = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await colleague.send(path, sent)).status;
  };
  expect(await send('/api/create-payment-intent', SAMPLE_ORDER)).toBe(200);
  expect(await send('/api/order-page', { token: 'x' })).toBe(404);
  await app.stop();
});

describe('the price of an order', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  const buy = (change: object, headers = {}) =>
    app.visitor().post('/api/create-payment-intent', { ...SAMPLE_ORDER, ...change }, headers);
  const orders = () => app.database.db.selectFrom('orders').selectAll().orderBy('id').execute();

  test('is the server’s own: any other amount is refused, and no order is made', async () => {
    const before = await orders();
    for (const amount of [0, -0, -450, 449.99, 450.01, 450.000001, 45000, 1e300, 5e-324]) {
      const { status, json } = await buy({ amount });
      expect([amount, status, json.message]).toEqual([
        amount,
        409,
        'The price has changed. Please review your order.',
      ]);
    }
    expect(await orders()).toEqual(before);
  });

  test('counts no users and no backup without a Microsoft 365 option', async () => {
    const { json } = await buy({ ms365Users: 5000, includeCloudBackup: true });
    const order = (await orders()).find(({ id }) => id === json.orderId);
    expect(order).toMatchObject({ ms365Users: 0, includeCloudBackup: 0, amountCents: 45_000 });
  });

  test('is the sum of plan, licences and backup', async () => {
    const choice = { ms365Option: 'business_standard', ms365Users: 3, includeCloudBackup: true };
    for (const amount of [502.35, 502.3500000001]) {
      const { status, json } = await buy({ ...choice, amount });
      expect([status, json.amount]).toEqual([200, 502.35]);
    }
  });

  test('is one order per key: the same body gets the same order, another body 409', async () => {
    const key = { 'Idempotency-Key': 'a-key-of-one-order' };
    const first = await buy({}, key);
    const again = await buy({}, key);
    expect(again.json).toEqual(first.json);
    const reordered = Object.fromEntries(Object.entries(SAMPLE_ORDER).reverse());
    expect((await buy(reordered, key)).json).toEqual(first.json);
    expect((await buy({ name: 'John Doe' }, key)).status).toBe(409);
    expect((await buy({}, { 'Idempotency-Key': 'another' })).json.orderId).not.toBe(
      first.json.orderId,
    );
    for (const bad of ['with spaces', 'x'.repeat(256), 'é']) {
      expect((await buy({}, { 'Idempotency-Key': bad })).status).toBe(400);
    }
  });
});

test('whoever repeats a key without a cookie is let in four times, and no more keys are stored', async () => {
  const app = await startTestApp();
  const body = { ...SAMPLE_ORDER, email: 'keys@example.com' };
  const seen = new Set<number>();
  for (let time = 1; time <= 6; time += 1) {
    const headers = { 'Idempotency-Key': 'the-same' };
    const { status, json } = await app.visitor().post('/api/create-payment-intent', body, headers);
    expect(status).toBe(200);
    seen.add(json.orderId);
  }
  expect(seen.size).toBe(1);
  const keys = await app.database.db.selectFrom('orderAccess').select('keyHash').execute();
  expect(keys).toHaveLength(4);
  await app.stop();
});
