/** Starting an order against a stand-in gateway: what is saved, and what each answer of the provider leads to. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { callDirectly } from '../../tests/support/call-directly.ts';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { AMOUNT, QUOTE } from '../../tests/support/quote-site.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { addOnPricesAt } from '../catalogue/catalogue-content.server.ts';
import type { OrderStatus } from '../orders/order.ts';
import { hasAccess } from '../orders/order-access.server.ts';
import { getOrder } from '../orders/order-store.server.ts';
import { Cookies, newToken } from '../platform/http/cookies.server.ts';
import { cents } from '../platform/money.ts';
import { startOrder } from './start-order.server.ts';

const { plans, addOns } = ownContent();
const app = sharedTestApp();

const countTowardLimit = vi.fn();
let gateway: ReturnType<typeof standInGateway>;
beforeEach(() => {
  gateway = standInGateway();
  countTowardLimit.mockReset();
});

/** `key` is the idempotency key; null sends none. */
function place(change: object = {}, key: string | null = randomUUID(), cookie = '') {
  const start = startOrder({
    db: app.database.db,
    cookies: new Cookies(false),
    gateway,
    notify: async () => undefined,
    findPlan: async (id) => plans.find((plan) => plan.id === id),
    addOnPrices: () => addOnPricesAt(addOns, new Date()),
  });
  const body = { ...SAMPLE_ORDER, email: `${randomUUID()}@dealer.example`, ...change };
  const headers = { cookie, ...(key === null ? {} : { 'idempotency-key': key }) };
  return callDirectly([start], 'POST /api/create-payment-intent', {
    body,
    headers,
    countTowardLimit,
  });
}
/** One body and one key, to be sent more than once. */
function sameOrder() {
  const [email, key] = [`${randomUUID()}@dealer.example`, randomUUID()];
  return (cookie = '', change = {}) => place({ email, ...change }, key, cookie);
}
type Answered = Awaited<ReturnType<typeof place>>;
const row = ({ json }: Answered) => getOrder(app.database.db, { id: json.orderId });
const put = (id: number, change: { status: OrderStatus }) =>
  app.database.db.updateTable('orders').set(change).where('id', '=', id).execute();

describe('a new order', () => {
  test('is saved with everything that was chosen, and its price in cents', async () => {
    const choice = { ms365Option: 'business_standard', ms365Users: 3, includeCloudBackup: true };
    gateway.live = true;
    const answered = await place({ ...choice, amount: 502.35, postalCode: '30060' });
    const { orderId, clientSecret } = answered.json;
    expect(answered).toMatchObject({ status: 200, json: { amount: 502.35 } });
    expect(clientSecret).toBe(`pi_${orderId}_secret_x`);
    const { createdAt, requestHash, idempotencyKey, email, ...rest } = await row(answered);
    expect(rest).toMatchObject({
      ...{ name: 'Jane Doe', phone: '404-555-0100', postalCode: '30060' },
      ...{ planId: 1, planName: 'Essential', paymentMethod: 'credit_card' },
      ...{ ...choice, includeCloudBackup: 1, status: 'pending', amountCents: 502_35 },
      ...{ provider: 'stripe', live: 1, refundedCents: 0, customerId: 'cus_1' },
      ...{ paymentId: `pi_${orderId}`, subscriptionId: `sub_${orderId}`, dueCents: 502_35 },
    });
    const lines: { amount: number }[] = JSON.parse(rest.priceLines);
    expect(lines.map(({ amount }) => amount)).toEqual([450_00, 37_50, 14_85]);
  });

  test('counts toward the limit and is started at the provider once, however often it is sent', async () => {
    const send = sameOrder();
    const answered = await send();
    const plain = { postalCode: null, includeCloudBackup: 0, ms365Users: 0, live: 0 };
    expect(await row(answered)).toMatchObject(plain);
    expect(countTowardLimit).toHaveBeenCalledTimes(1);
    expect((await send()).json).toEqual(answered.json);
    expect(countTowardLimit).toHaveBeenCalledTimes(1);
    expect(gateway.start).toHaveBeenCalledTimes(1);
    expect(gateway.fetchPaymentState).not.toHaveBeenCalled();
  });

  test('is saved each time when no idempotency key is sent', async () => {
    const [first, second] = [await place({}, null), await place({}, null)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json.orderId).not.toBe(first.json.orderId);
  });

  test('for a plan that is not offered is refused', async () => {
    const message = 'This plan is not offered';
    const json = { message, errors: [{ path: 'planId', message }] };
    expect(await place({ planId: 99 })).toMatchObject({ status: 400, json });
    expect(countTowardLimit).not.toHaveBeenCalled();
  });

  test('of a quote that changes while it is placed is refused, and can be placed again', async () => {
    const { planId, ms365Option, ms365Users, includeCloudBackup } = QUOTE;
    const choice = { planId, ms365Option, ms365Users, includeCloudBackup };
    const quoted = { ...QUOTE, email: `${randomUUID()}@dealer.example` };
    const { json } = await app.visitor().post('/api/quotes', quoted);
    const changedAt = Date.now() + 1;
    gateway.now.mockImplementationOnce(async () => {
      await app.database.db.updateTable('quotes').set({ changedAt }).execute();
      return Date.now();
    });
    const send = () => place({ ...choice, amount: AMOUNT, quote: json.url.split('/').at(-1) });
    const message =
      'This quote has just been changed or is being paid. Please open its link again.';
    expect(await send()).toMatchObject({ status: 409, json: { message } });
    expect(gateway.start).not.toHaveBeenCalled();
    expect((await send()).status).toBe(200);
  });
});

describe('an order that is sent again', () => {
  test('keeps its price when the plan’s price has changed since', async () => {
    const send = sameOrder();
    const placed = await send();
    const essential = plans.find(({ id }) => id === 1);
    const before = { ...essential };
    Object.assign(essential ?? {}, { price: 500_00 });
    expect((await send()).json).toEqual(placed.json);
    Object.assign(essential ?? {}, before);
  });

  test.each([
    ['failed', {}],
    ['paid', {}],
    ['past_due', { paymentId: null }],
  ] as const)('keeps its answer when it is %s %j', async (status, ids) => {
    const send = sameOrder();
    const placed = await send();
    await put(placed.json.orderId, { status, ...ids });
    expect(await send()).toMatchObject({ status: 200, json: placed.json });
  });

  test.each([
    ['canceled', {}],
    ['paid', { paymentId: null, subscriptionId: null }],
  ] as const)('can no longer be paid when it is %s %j', async (status, ids) => {
    const send = sameOrder();
    const { orderId } = (await send()).json;
    await put(orderId, { status, ...ids });
    const message = `Order O-${orderId} can no longer be paid. Press Pay again.`;
    const json = { message, errors: [{ path: 'Idempotency-Key', message }] };
    expect(await send()).toMatchObject({ status: 409, json });
    expect(gateway.start).toHaveBeenCalledTimes(1);
  });

  test.each(['was canceled while it was started', 'has no payment left to make'])(
    'is refused, and its subscription canceled, when it %s',
    async (why) => {
      gateway.start.mockImplementationOnce(async ({ id }) => {
        const isExpired = why.startsWith('has no');
        if (!isExpired) await put(id, { status: 'canceled' });
        return {
          paymentId: isExpired ? null : `pi_${id}`,
          clientSecret: isExpired ? null : `pi_${id}_secret_x`,
          customerId: 'cus_1',
          subscriptionId: `sub_${id}`,
          due: cents(0),
        };
      });
      const send = sameOrder();
      const { status, json } = await send();
      expect([status, json.errors[0].path]).toEqual([409, 'Idempotency-Key']);
      const started = { subscriptionId: expect.stringMatching(/^sub_/) };
      expect(gateway.cancelPayment.mock.calls).toEqual([[expect.objectContaining(started)]]);
    },
  );
});

test('a browser keeps its access key, also when it repeats an order that another browser placed', async () => {
  const tokenOf = ({ headers }: Answered) =>
    /^order_key=([\w-]{43}); Max-Age=7776000;/.exec(headers.get('set-cookie') ?? '')?.[1];
  const opens = (token: string | undefined, id: number) =>
    hasAccess(
      { db: app.database.db, cookies: new Cookies(false) },
      id,
      new Headers({ cookie: `order_key=${token}` }),
    );

  const send = sameOrder();
  const first = await send();
  expect(await opens(tokenOf(first), first.json.orderId)).toBe(true);
  const own = newToken();
  expect(tokenOf(await send(`order_key=${own}`))).toBe(own);
  expect(await opens(own, first.json.orderId)).toBe(true);
});
