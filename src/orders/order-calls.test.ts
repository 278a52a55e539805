/** An order is read and updated by who may, and the link in a receipt leads to it, whatever the provider says. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { askCall } from '../../tests/support/ask-call.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { NOTHING_TRIED, standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { accountCalls } from '../account/account-calls.server.ts';
import { pricesInForce } from '../catalogue/catalogue-content.server.ts';
import type { NewRow } from '../platform/database/tables.server.ts';
import { Cookies, newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { ERASED_BUYER } from './order.ts';
import { allowAccess, receiptLink } from './order-access.server.ts';
import { orderCalls, orderJson, staffOrderJson } from './order-calls.server.ts';
import { type Order, orderNow } from './order-store.server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

let gateway: ReturnType<typeof standInGateway>;
const notified: string[] = [];
beforeEach(() => {
  gateway = standInGateway();
  notified.length = 0;
});

const TOKEN = newToken();
const COOKIE = { cookie: `order_key=${TOKEN}` };

/** An order of the browser that sends COOKIE, which was begun at the provider. */
async function save(change: Partial<NewRow<'orders'>> = {}) {
  const { db } = app.database;
  const order = await savedOrder(db, { paymentId: newToken(), ...change });
  await allowAccess(db, order.id, tokenHash(TOKEN) ?? '');
  return order;
}

const publicUrl = 'https://shop.example';
const pageOf = (order: Order) => receiptLink(app.database.db, publicUrl, order);

type Asking = Parameters<typeof askCall>[2];
function ask(name: string, asking: Asking) {
  const { db } = app.database;
  const notify = async (_trx: unknown, { kind }: { kind: string }) => {
    notified.push(kind);
  };
  const calls = orderCalls({ db, gateway, notify, publicUrl, cookies: new Cookies(false) });
  return askCall(calls, name, asking);
}
const read = (id: number | string, asking: Asking = {}) =>
  ask('GET /api/orders/:id', { id, ...asking });
const update = (id: number, body: object, asking: Asking = {}) =>
  ask('POST /api/orders/:id/update-status', { id, body, ...asking });
const MISSING = { status: 404, json: { message: 'This order does not exist' } };

describe('an order is read', () => {
  test('by the browser that made it, and by staff, who see more', async () => {
    const order = await save();
    const own = await read(order.id, { headers: COOKIE });
    expect(own).toMatchObject({ status: 200, json: orderJson(order, await pageOf(order)) });
    expect(own.json.history).toBeUndefined();
    const seen = await staffOrderJson(app.database.db, gateway, order);
    expect((await read(order.id, { staff: true })).json).toEqual(seen);
    expect(seen.providerPage).toBe(`https://provider/${order.id}`);
  });

  test('by nobody else: missing and foreign look the same', async () => {
    const { id } = await save();
    for (const cookie of ['', `order_key=${newToken()}`]) {
      const headers = { cookie };
      expect(await read(id, { headers })).toMatchObject(MISSING);
      expect(await update(id, { status: 'paid' }, { headers })).toMatchObject(MISSING);
    }
    for (const missing of [999_999, 'x']) {
      expect(await read(missing, { staff: true })).toMatchObject(MISSING);
    }
  });
});

describe('a customer who returns', () => {
  const comesBack = (id: number, body: object = { status: 'processing' }) =>
    update(id, body, { headers: COOKIE });

  test('lets the order follow its payment', async () => {
    const { id } = await save();
    gateway.fetchPaymentState.mockResolvedValue({ ...NOTHING_TRIED, status: 'succeeded' });
    expect(await comesBack(id)).toMatchObject({ status: 200, json: { id, status: 'paid' } });
    const { history } = (await read(id, { staff: true })).json;
    expect(history.at(-1).cause).toBe('customer returned');
    expect(notified).toEqual(['order-paid']);
  });

  test.each([
    ['was never begun', { paymentId: null }],
    ['is paid', { status: 'paid' }],
    ['is of another provider', { provider: 'test' }],
  ] as const)('is told where an order stands that %s, and nobody is asked', async (_, change) => {
    const order = await save(change);
    expect((await comesBack(order.id)).json).toEqual(orderJson(order, await pageOf(order)));
    expect(gateway.fetchPaymentState).not.toHaveBeenCalled();
  });

  test('is asked to try again when the provider is away', async () => {
    gateway.fetchPaymentState.mockResolvedValue('unavailable');
    expect((await comesBack((await save()).id)).status).toBe(503);
  });

  test('may name the payment, and no other', async () => {
    const paymentId = 'x'.repeat(255);
    const { id } = await save({ paymentId });
    for (const named of [paymentId, null]) {
      expect((await comesBack(id, { status: 'paid', paymentId: named })).status).toBe(200);
    }
    const message = 'This payment does not belong to the order';
    const other = await comesBack(id, { status: 'paid', paymentId: 'another' });
    expect(other).toMatchObject({ status: 409, json: { message } });
    const tooLong = comesBack(id, { status: 'paid', paymentId: 'x'.repeat(256) });
    await expect(tooLong).rejects.toThrow();
  });

  test('may be a colleague, for whom nothing is set then', async () => {
    const { id } = await save();
    const back = { headers: COOKIE, staff: true };
    const answered = await update(id, { status: 'processing' }, back);
    expect(answered).toMatchObject({ status: 200, json: { status: 'pending' } });
    expect(gateway.fetchPaymentState).toHaveBeenCalledTimes(1);
  });
});

describe('staff', () => {
  const set = (id: number, status: string) => update(id, { status }, { staff: true });

  test('set a status where it may follow, and it is known who did it', async () => {
    const { id } = await save();
    const answered = await set(id, 'processing');
    expect(answered).toMatchObject({ status: 200, json: { id, status: 'processing' } });
    const { history } = (await read(id, { staff: true })).json;
    expect(history.at(-1)).toMatchObject({ status: 'processing', cause: 'set by admin' });
    expect([notified, gateway.fetchPaymentState.mock.calls, gateway.cancel.mock.calls]).toEqual([
      [],
      [],
      [],
    ]);
    expect((await set(id, 'paid')).status).toBe(200);
    expect(notified).toEqual(['order-paid']);
  });

  test('are refused what may not follow', async () => {
    const order = await save();
    const message = 'An order that is pending cannot become refunded';
    expect(await set(order.id, 'refunded')).toMatchObject({ status: 409, json: { message } });
    expect(await orderNow(app.database.db, order)).toEqual(order);
  });

  test('may set what is set already: nothing happens', async () => {
    const order = await save({ status: 'canceled' });
    expect(await set(order.id, 'canceled')).toMatchObject({ status: 200, json: orderJson(order) });
    expect(gateway.cancel).not.toHaveBeenCalled();
    expect((await read(order.id, { staff: true })).json.history).toHaveLength(1);
  });

  test('end what is charged by setting that all is over, at the order’s own provider', async () => {
    const [order, foreign] = [await save(), await save({ provider: 'test' })];
    expect((await set(order.id, 'canceled')).json.status).toBe('canceled');
    expect(gateway.cancelPayment).toHaveBeenCalledTimes(1);
    expect((await set(foreign.id, 'canceled')).json.status).toBe('canceled');
    expect(gateway.cancelPayment).toHaveBeenCalledTimes(1);
  });
});

describe('the link in a receipt', () => {
  const tokenOf = async (id: number) =>
    new URL(
      await receiptLink(app.database.db, 'https://shop.example', { id, linkVersion: 0 }),
    ).hash.slice(1);
  const open = async (token: string) => {
    const calls = accountCalls({
      db: app.database.db,
      gateway,
      notify: async () => undefined,
      addOnPrices: () => pricesInForce(ownContent().addOns, new Date()),
      cookies: new Cookies(false),
    });
    const accept = vi.fn();
    const sent = { body: { token }, headers: COOKIE, accept };
    const answered = await askCall(calls, 'POST /api/order-page', sent);
    return { ...answered, accepted: accept.mock.calls.length > 0 };
  };

  test('opens its order', async () => {
    const order = await save();
    const opened = await open(await tokenOf(order.id));
    expect(opened).toMatchObject({ status: 200, json: { order: orderJson(order) } });
  });

  test('leads nowhere when it is forged, or its buyer was erased, and counts as nothing', async () => {
    const { id } = await save();
    const [, signature] = (await tokenOf(id)).split('.');
    const erased = await tokenOf((await save(ERASED_BUYER)).id);
    const forged = [`${id}.${'A'.repeat(43)}`, `${id + 1}.${signature}`, `${id}.`, `${id}`, 'x'];
    for (const token of [...forged, erased, await tokenOf(999_999), 'x'.repeat(100)]) {
      const json = { message: 'This link isn’t valid' };
      expect(await open(token)).toMatchObject({ status: 404, json, accepted: false });
    }
    await expect(open('x'.repeat(101))).rejects.toThrow();
  });
});
