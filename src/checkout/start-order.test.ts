/** Starting an order against a stand-in gateway: what each answer of the provider leads to. */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { callDirectly } from '../../tests/support/call-directly.ts';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { ownContent, todaysAddOnPrices } from '../../tests/support/own-content.ts';
import { orderByQuote, QUOTE } from '../../tests/support/quote-site.ts';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { siteWith } from '../../tests/support/site-with.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { PaymentChecks } from '../billing/follow-payment.server.ts';
import type { OrderStatus } from '../billing/order-status.ts';
import { getOrder, updateOrder } from '../billing/order-store.server.ts';
import { termsVersion } from '../orders/accepted-terms.server.ts';
import { cents } from '../platform/money.ts';
import { startOrder } from './start-order.server.ts';

const { plans } = ownContent();
const app = sharedTestApp();

let gateway: ReturnType<typeof standInGateway>;
beforeEach(() => {
  gateway = standInGateway();
});

function place(change: object, key: string = randomUUID(), cookie = '') {
  const start = startOrder(
    siteWith({
      db: app.database.db,
      gateway,
      notify: async () => undefined,
      paymentChecks: new PaymentChecks(),
      findPlan: async (id) => plans.find((plan) => plan.id === id),
      addOnPrices: () => todaysAddOnPrices(ownContent()),
      termsOfService: termsVersion(ownContent().texts),
    }),
  );
  const body = { ...SAMPLE_ORDER, email: `${randomUUID()}@dealer.example`, ...change };
  const headers = { 'idempotency-key': key, cookie };
  return callDirectly([start], 'POST /api/create-payment-intent', { body, headers });
}
/** One body and one key, to be sent more than once. */
function sameOrder() {
  const [email, key] = [`${randomUUID()}@dealer.example`, randomUUID()];
  return () => place({ email }, key);
}
const put = (id: number, status: OrderStatus, ids = {}) =>
  updateOrder(app.database.db, id, { status }, ids);

describe('a new order', () => {
  test('is saved with its payment and mode, and started at the provider once, however often it is sent', async () => {
    gateway.chargesRealMoney = true;
    const send = sameOrder();
    const { json } = await send();
    const id = json.orderId;
    expect(json.clientSecret).toBe(`pi_${id}_secret_x`);
    expect(await getOrder(app.database.db, { id })).toMatchObject({
      subscription: {
        provider: gateway.provider,
        live: 1,
        customerId: 'cus_1',
        totalCents: 450_00,
        paymentId: `pi_${id}`,
        subscriptionId: `sub_${id}`,
      },
    });
    expect((await send()).json).toEqual(json);
    expect(gateway.start).toHaveBeenCalledTimes(1);
  });

  test('can be placed beside an unpaid one while the provider cannot say whether that was paid', async () => {
    const email = `${randomUUID()}@dealer.example`;
    const [cookie] = (await place({ email })).headers.getSetCookie();
    gateway.fetchPaymentState.mockResolvedValue('unavailable');
    expect((await place({ email }, randomUUID(), cookie)).status).toBe(200);
  });

  test('of a quote that is sent twice at once is one order, and neither request cancels it', async () => {
    const { json } = await app.visitor().post('/api/quotes', QUOTE);
    gateway.tax = true;
    const [email, key] = ['twice@fox.example', randomUUID()];
    const token = json.url.split('/').at(-1);
    const send = () => place({ ...orderByQuote(token), email, postalCode: '30060' }, key);
    // The first request is answered while the provider still checks the ZIP code of the second.
    let first: ReturnType<typeof send> | undefined;
    gateway.checkPostalCode.mockImplementationOnce(async () => {
      first = send();
      await first;
      return 'known';
    });
    const second = await send();
    expect(second).toMatchObject({ status: 200, json: (await first)?.json });
    expect(gateway.cancelPayment).not.toHaveBeenCalled();
  });

  test('can be seen by its browser, however often it had to be sent until the provider was there', async () => {
    const [body, key] = [{ email: `${randomUUID()}@dealer.example` }, randomUUID()];
    let cookie = '';
    const send = async () => {
      const answered = await place(body, key, cookie);
      cookie = answered.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return answered;
    };
    for (let tries = 0; tries < 5; tries += 1) {
      gateway.start.mockImplementationOnce(async () => 'unavailable');
      expect((await send()).status).toBe(503);
    }
    const { orderId } = (await send()).json;
    const { status } = await app.visitor().get(`/api/orders/${orderId}`, { Cookie: cookie });
    expect(status).toBe(200);
  });

  test('of a quote that changes while it is placed is refused, and can be placed again unless someone else was faster', async () => {
    const { json } = await app.visitor().post('/api/quotes', QUOTE);
    const changedAt = Date.now() + 1;
    gateway.tax = true;
    gateway.checkPostalCode.mockImplementationOnce(async () => {
      await app.database.db.updateTable('quotes').set({ changedAt }).execute();
      return 'known';
    });
    const order = { ...orderByQuote(json.url.split('/').at(-1)), postalCode: '30060' };
    const send = () => place(order);
    const message =
      'This quote has just been changed or is being paid. Please open its link again.';
    expect(await send()).toMatchObject({ status: 409, json: { message } });
    expect(gateway.start).not.toHaveBeenCalled();
    expect((await send()).status).toBe(200);
    gateway.cancelPayment.mockImplementationOnce(async ({ quoteId }) => {
      await savedOrder(app.database.db, { quoteId });
      return 'canceled';
    });
    expect(await send()).toMatchObject({ status: 409, json: { message } });
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
    await put(placed.json.orderId, status, ids);
    expect(await send()).toMatchObject({ status: 200, json: placed.json });
  });

  test.each([
    ['canceled', {}],
    ['paid', { paymentId: null, subscriptionId: null }],
  ] as const)('can no longer be paid when it is %s %j', async (status, ids) => {
    const send = sameOrder();
    const { orderId } = (await send()).json;
    await put(orderId, status, ids);
    const message = `Order O-${orderId} can no longer be paid. Press Pay again.`;
    const json = { message, errors: [{ path: 'Idempotency-Key', message }] };
    expect(await send()).toMatchObject({ status: 409, json });
    expect(gateway.start).toHaveBeenCalledTimes(1);
  });

  test.each(['was canceled while it was started', 'has no payment left to make'])(
    'is refused, and its subscription canceled, when it %s',
    async (why) => {
      gateway.start.mockImplementationOnce(async ({ id }) => {
        const started = { customerId: 'cus_1', subscriptionId: `sub_${id}`, due: cents(0) };
        if (why.startsWith('has no')) return { ...started, paymentId: null, clientSecret: null };
        await put(id, 'canceled');
        return { ...started, paymentId: `pi_${id}`, clientSecret: `pi_${id}_secret_x` };
      });
      const send = sameOrder();
      const { status, json } = await send();
      expect([status, json.errors[0].path]).toEqual([409, 'Idempotency-Key']);
      const subscription = { subscriptionId: expect.stringMatching(/^sub_/) };
      expect(gateway.cancelPayment.mock.calls).toMatchObject([[{ subscription }]]);
    },
  );
});
