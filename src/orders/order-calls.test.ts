/**
 * What customers and staff do with orders, whatever the payment provider answers, and staff's list
 * of orders.
 */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { callDirectly } from '../../tests/support/call-directly.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { parseCsv } from '../../tests/support/parse-csv.ts';
import { line, savedOrder, savedOrders } from '../../tests/support/saved-order.ts';
import { siteWith } from '../../tests/support/site-with.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { saveCharges } from '../billing/charge-store.server.ts';
import { PaymentChecks } from '../billing/follow-payment.server.ts';
import type { PaymentState } from '../billing/gateway.server.ts';
import type { OrderStatus } from '../billing/order-status.ts';
import { getOrder, type Order } from '../billing/order-store.server.ts';
import { todayOf } from '../company/hours.ts';
import { newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { cents } from '../platform/money.ts';
import { allowAccess, receiptLink } from './order-access.server.ts';
import { orderCalls } from './order-calls.server.ts';
import { orderJson } from './order-json.server.ts';
import { orderListCalls } from './order-list.server.ts';

const app = sharedTestApp();
let gateway: ReturnType<typeof standInGateway>;
beforeEach(async () => {
  await app.database.db.deleteFrom('orders').execute();
  gateway = standInGateway();
});

const publicUrl = 'https://shop.example';
const STAFF = { staff: true };

const saved = (status: OrderStatus, change = {}) =>
  savedOrder(app.database.db, { status, subscriptionId: randomUUID(), ...change });

function ask(name: string, request: Parameters<typeof callDirectly>[2]) {
  const { db } = app.database;
  const notify = async () => undefined;
  const { company } = ownContent();
  const paymentChecks = new PaymentChecks();
  const today = todayOf(company);
  const site = siteWith({ db, gateway, notify, paymentChecks, publicUrl, company, today });
  const calls = [...orderCalls(site), ...orderListCalls(site)];
  return callDirectly(calls, name, request);
}
const act = (what: 'refund' | 'cancel', id: number, body: object) =>
  ask(`POST /api/admin/orders/:id/${what}`, { id, body, ...STAFF });
const refund = ({ id }: Order, amount: number | null = null) => act('refund', id, { amount });
const cancel = ({ id }: Order, when: 'now' | 'period-end' = 'now') => act('cancel', id, { when });
/** Sets the state that the provider returns. */
const setState = (state: PaymentState) =>
  gateway.fetchPaymentState.mockImplementation(async () => state);

describe('a customer who returns from paying', () => {
  async function comeBack(order: Order) {
    const token = newToken();
    await allowAccess(app.database.db, order.id, tokenHash(token) ?? '', 'placed it');
    return ask('POST /api/orders/:id/update-status', {
      id: order.id,
      body: { status: 'processing' },
      headers: { cookie: `order_key=${token}` },
    });
  }

  test.each([
    ['never reached the provider', { subscriptionId: null }],
    ['belongs to another provider', { provider: 'test' }],
  ])('sees an order that %s unchanged', async (_, change) => {
    const order = await saved('pending', change);
    const page = await receiptLink({ db: app.database.db, publicUrl }, order);
    expect((await comeBack(order)).json).toEqual(orderJson(order, page));
    expect(gateway.fetchPaymentState).not.toHaveBeenCalled();
  });

  test('is asked to try again while the provider cannot be reached', async () => {
    gateway.fetchPaymentState.mockResolvedValue('unavailable');
    expect((await comeBack(await saved('pending'))).status).toBe(503);
  });
});

test('staff who set an order to canceled also stop its charges, but only at the active provider', async () => {
  const [own, foreign] = [await saved('paid'), await saved('paid', { provider: 'test' })];
  for (const { id } of [own, foreign]) {
    const request = { id, body: { status: 'canceled' }, ...STAFF };
    const { json } = await ask('POST /api/orders/:id/update-status', request);
    expect(json.status).toBe('canceled');
  }
  expect(gateway.cancel.mock.calls.map(([{ id }]) => id)).toEqual([own.id]);
});

test('staff read why the provider refuses or that it is unavailable, and the order stays as it is', async () => {
  const order = await saved('paid');
  const message = 'It is too late';
  for (const answer of [gateway.refund, gateway.cancel])
    answer.mockResolvedValueOnce({ refused: message }).mockResolvedValueOnce('unavailable');
  for (const [status, json] of [
    [409, { message }],
    [503, {}],
  ] as const) {
    expect(await refund(order)).toMatchObject({ status, json });
    expect(await cancel(order)).toMatchObject({ status, json });
  }
  expect(await getOrder(app.database.db, order)).toEqual(order);
});

test('a refund by staff is noted even if the provider cannot be reached right after it', async () => {
  gateway.fetchPaymentState.mockResolvedValue('unavailable');
  const answered = await refund(await saved('paid'), 50);
  expect(answered).toMatchObject({ status: 200, json: { status: 'paid', refunded: 0 } });
  expect(answered.json.changes.at(-1)).toMatchObject({ text: '$50.00 refunded by admin' });
});

describe('staff end an order', () => {
  test('at once, even if the provider does not report the end yet', async () => {
    const answered = await cancel(await saved('paid'));
    expect(answered.json.status).toBe('canceled');
    expect(answered.json.history.at(-1).cause).toBe('Ended immediately by admin');
  });

  test('at the end of the paid month, or at once when that month is unpaid', async () => {
    setState({ cancelAt: Date.UTC(2026, 11, 22, 2, 30) });
    const answered = await cancel(await saved('paid'), 'period-end');
    expect(answered.json).toMatchObject({
      status: 'paid',
      endsAt: '2026-12-22T02:30:00.000Z',
    });
    // In Georgia, it is still the day before.
    expect(answered.json.changes.at(-1).text).toBe(
      'The subscription ends on December 21, 2026 (Set to end with the paid month by admin)',
    );
    expect((await cancel(await saved('past_due'), 'period-end')).json.status).toBe('canceled');
    expect(gateway.cancel.mock.calls.map(([, when]) => when)).toEqual(['period-end', 'now']);
  });

  test('too late when its customer has just paid: it stays paid', async () => {
    gateway.cancelPayment.mockImplementationOnce(async () => {
      setState({ status: 'active' });
      return 'succeeded';
    });
    const order = await saved('pending');
    expect((await cancel(order)).status).toBe(409);
    expect((await getOrder(app.database.db, order)).status).toBe('paid');
    expect(gateway.cancel).not.toHaveBeenCalled();
  });

  test('only if it is not canceled', async () => {
    const message = 'This cannot be done with an order that is canceled';
    expect(await cancel(await saved('canceled'))).toMatchObject({ status: 409, json: { message } });
  });
});

describe('staff’s list of orders', () => {
  const download = async () => parseCsv((await ask('GET /api/admin/orders/download', STAFF)).text);

  test('shows 50 orders a page, newest first, and the CSV file has all of them once', async () => {
    const { db } = app.database;
    const createdAt = Date.UTC(2026, 5, 1);
    const newest = await savedOrder(db, { createdAt: createdAt + 1 });
    await savedOrders(db, 1000, { createdAt });
    const oldest = await savedOrder(db, { createdAt: createdAt - 1 });
    const between = Array.from({ length: 1000 }, (_, index) => oldest.id - 1 - index);
    const all = [newest.id, ...between, oldest.id];
    for (const [page, ids] of [
      [1, all.slice(0, 50)],
      [21, all.slice(1000)],
      [22, []],
    ] as const) {
      const { json } = await ask('GET /api/admin/orders', { query: `page=${page}`, ...STAFF });
      expect(json).toMatchObject({ total: 1002, orders: ids.map((id) => ({ id })) });
    }
    const [, ...lines] = await download();
    expect(lines.map(([id]) => Number(id))).toEqual(all);
  });

  test('shows and exports the orders of one day at the company', async () => {
    const { db } = app.database;
    const ids = new Map<string, number>();
    for (const time of ['21T04:59:59Z', '21T05:00:00Z', '22T02:30:00Z', '22T05:00:00Z']) {
      const createdAt = Date.parse(`2028-12-${time}`);
      ids.set(time, (await savedOrder(db, { createdAt, status: 'paid' })).id);
    }
    const thatDay = [ids.get('22T02:30:00Z'), ids.get('21T05:00:00Z')];
    const query = 'from=2028-12-21&to=2028-12-21';
    const { json } = await ask('GET /api/admin/orders', { query, ...STAFF });
    expect(json).toMatchObject({ total: 2, counts: { paid: 2 } });
    expect(json.orders.map(({ id }: Order) => id)).toEqual(thatDay);
    const { text } = await ask('GET /api/admin/orders/download', { query, ...STAFF });
    expect(
      parseCsv(text)
        .slice(1)
        .map(([id]) => Number(id)),
    ).toEqual(thatDay);
    const since = await ask('GET /api/admin/orders', { query: 'from=2028-12-22', ...STAFF });
    expect(since.json.total).toBe(1);
    for (const ignored of ['from=2028-13-01', 'to=yesterday', 'from=0002-01-01'])
      expect(
        (await ask('GET /api/admin/orders', { query: ignored, ...STAFF })).json.total,
      ).toBeGreaterThan(3);
  });

  test('exports each order with all its fields, and what a stranger typed is never a formula', async () => {
    const { id } = await savedOrder(app.database.db, {
      name: '=HYPERLINK("http://x")',
      phone: '404-555-0100',
      company: 'Lantern Row Motors',
      ms365Option: 'e3',
      priceLines: JSON.stringify([line('microsoft365', 0, 12), line('backup', 0, 12)]),
      status: 'paid',
      cancelAt: Date.UTC(2026, 1, 15),
      subscriptionId: 'sub_1',
    });
    const charge = { id: 'ch_1', amountCents: cents(450_00), refundedCents: cents(12_50) };
    await saveCharges(app.database.db, { id, charges: [] }, [{ ...charge, dispute: 'won' }]);
    const [head = [], row = []] = await download();
    expect(Object.fromEntries(head.map((name, place) => [name, row[place]]))).toEqual({
      id: `${id}`,
      createdAt: '2026-01-14T19:00:00-05:00',
      name: `'=HYPERLINK("http://x")`,
      email: 'jane@dealer.example',
      phone: '="404-555-0100"',
      company: 'Lantern Row Motors',
      plan: 'Essential',
      ms365Option: '="e3"',
      ms365Users: '12',
      cloudBackup: 'true',
      monthlyAmount: '450.00',
      status: 'paid',
      refunded: '12.50',
      dispute: 'won',
      endsAt: '2026-02-14T19:00:00-05:00',
      subscription: 'sub_1',
      paidBy: 'card',
      invoice: '',
      purchaseOrder: '',
      acceptedBy: '',
      acceptedTitle: '',
      termsOf: '',
      termsSha256: '',
    });
  });
});
