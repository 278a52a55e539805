/** An order is read and updated by who may, whatever the provider says. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callDirectly } from '../../tests/support/call-directly.ts';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { NewRow } from '../platform/database/tables.server.ts';
import { Cookies, newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { ERASED_BUYER } from './order.ts';
import { allowAccess, receiptLink } from './order-access.server.ts';
import { orderCalls, orderJson, staffOrderJson } from './order-calls.server.ts';
import type { Order } from './order-store.server.ts';

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

type Asking = Parameters<typeof callDirectly>[2];
function ask(name: string, asking: Asking) {
  const { db } = app.database;
  const notify = async (_trx: unknown, { kind }: { kind: string }) => {
    notified.push(kind);
  };
  const calls = orderCalls({ db, gateway, notify, publicUrl, cookies: new Cookies(false) });
  return callDirectly(calls, name, asking);
}
const read = (id: number | string, asking: Asking = {}) =>
  ask('GET /api/orders/:id', { id, ...asking });
const update = (id: number, body: object, asking: Asking = {}) =>
  ask('POST /api/orders/:id/update-status', { id, body, ...asking });

describe('an order is read', () => {
  test('by the browser that made it, and by staff, who see more', async () => {
    const order = await save();
    const own = await read(order.id, { headers: COOKIE });
    expect(own).toMatchObject({ status: 200, json: orderJson(order, await pageOf(order)) });
    expect(own.json.history).toBeUndefined();
    const seen = await staffOrderJson({ db: app.database.db, gateway }, order);
    expect((await read(order.id, { staff: true })).json).toEqual(seen);
    expect(seen.providerPage).toBe(`https://provider/${order.id}`);
  });

  test('by no one else: missing and foreign look the same', async () => {
    const { id } = await save();
    const missing = { status: 404, json: { message: 'This order does not exist' } };
    for (const cookie of ['', `order_key=${newToken()}`]) {
      const headers = { cookie };
      expect(await read(id, { headers })).toMatchObject(missing);
      expect(await update(id, { status: 'paid' }, { headers })).toMatchObject(missing);
    }
    for (const unknown of [999_999, 'x'])
      expect(await read(unknown, { staff: true })).toMatchObject(missing);
  });
});

describe('a customer who returns', () => {
  const comesBack = (id: number, body: object = { status: 'processing' }) =>
    update(id, body, { headers: COOKIE });

  test.each([
    ['was never begun', { paymentId: null }],
    ['is of another provider', { provider: 'test' }],
  ] as const)('sees an order that %s as it is', async (_, change) => {
    const order = await save(change);
    expect((await comesBack(order.id)).json).toEqual(orderJson(order, await pageOf(order)));
    expect(gateway.fetchPaymentState).not.toHaveBeenCalled();
  });

  test('is asked to try again when the provider is away', async () => {
    gateway.fetchPaymentState.mockResolvedValue('unavailable');
    expect((await comesBack((await save()).id)).status).toBe(503);
  });
});

test('staff who set that all is over end what is charged, at the order’s own provider', async () => {
  const [order, foreign] = [await save(), await save({ provider: 'test' })];
  for (const { id } of [order, foreign]) {
    const { json } = await update(id, { status: 'canceled' }, { staff: true });
    expect(json.status).toBe('canceled');
  }
  expect(gateway.cancelPayment.mock.calls.map(([{ id }]) => id)).toEqual([order.id]);
});

test('the link in a receipt is no longer valid once its buyer was erased', async () => {
  const token = new URL(await pageOf(await save(ERASED_BUYER))).hash.slice(1);
  const opened = await app.visitor().post('/api/order-page', { token });
  expect([opened.status, opened.json.message]).toEqual([404, 'This link isn’t valid']);
});
