import { beforeAll, describe, expect, test } from 'vitest';
import { orderReference } from '../../../src/billing/reference.ts';
import { linkOf } from '../../support/own-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { notesOf } from '../../support/saved-order.ts';
import { quotedByInvoice } from '../../support/staff-quote.ts';
import { colleague } from '../../support/staff-steps.ts';
import {
  atStripe,
  order,
  paidOrder,
  press,
  renew,
  rowOf,
  type Started,
  seenByStaff,
  sharedShop,
  subscriptionOf,
} from '../../support/stripe-shop.ts';

const shop = sharedShop();
beforeAll(() => shop.fake.autoDeliver(shop.webhook));

const act = ({ orderId }: Started, what: 'refund' | 'cancel' | 'keep', body: object) =>
  shop.staff.post(`/api/admin/orders/${orderId}/${what}`, body);

/** The order's refunds at Stripe, in cents. */
async function refundsOf(placed: Started): Promise<number[]> {
  const { customerId } = (await rowOf(shop, placed.orderId)).subscription;
  return [...shop.fake.state.refund.values()]
    .filter(({ charge }) => shop.fake.state.charge.get(charge)?.customer === customerId)
    .map(({ amount }) => amount);
}

describe('staff', () => {
  test('search orders by name, company, email, plan and number, filter them by status, and download what they see', async () => {
    const { orderId } = await paidOrder(shop, {
      name: 'Quentin 100% Searched',
      email: 'q_s@example.com',
      company: 'Lantern Row Motors',
    });
    await order(shop, { name: 'Quentin Unpaid' });
    const found = async (query: string) =>
      (await shop.staff.get(`/api/admin/orders?${query}`)).json;
    expect((await found('find=quentin')).total).toBe(2);
    expect(await found('find=QUENTIN+professional&status=paid')).toMatchObject({
      orders: [{ id: orderId, planName: 'Professional', amount: 1199, status: 'paid' }],
      total: 1,
      counts: { paid: 1, pending: 1 },
    });
    const { text } = await shop.staff.get('/api/admin/orders/download?find=quentin&status=paid');
    expect(parseCsv(text).map(([first]) => first)).toEqual(['id', `${orderId}`]);
    const { orders } = await found('find=lantern+row');
    expect(orders).toMatchObject([{ id: orderId, company: 'Lantern Row Motors' }]);
    expect((await found('find=100%25')).total).toBe(1);
    expect((await found('find=q_s@')).total).toBe(1);
    expect((await found('find=qxs@')).total).toBe(0);
    const spaced = orderReference(orderId);
    for (const number of [
      `O-${orderId}`,
      `(O-${orderId})`,
      `#o-${orderId}`,
      spaced,
      spaced.slice(2),
      spaced.replaceAll(' ', '-'),
      spaced.replace('-', ' ').toLowerCase(),
    ]) {
      const { orders } = await found(`find=${encodeURIComponent(number)}`);
      expect(orders, number).toMatchObject([{ id: orderId }]);
    }
    await order(shop, { name: 'Zoë Åkerblom' });
    for (const words of ['ZOË', 'åKERBLOM', 'KERBLOM'])
      expect((await found(`find=${encodeURIComponent(words)}`)).total).toBe(1);
    expect((await found('status=nonsense&page=-1')).orders.length).toBeGreaterThan(1);
  });

  test('read in the file of payments what Stripe kept of one, though it is asked for no fee by itself', async () => {
    const { orderId } = await paidOrder(shop);
    const { text } = await shop.staff.move().get('/api/admin/payments/download');
    const [head = [], ...rows] = parseCsv(text);
    const row = rows.find(([number]) => number === `O-${orderId}`) ?? [];
    const cells = ['amount', 'fee', 'refunded'].map((name) => row[head.indexOf(name)]);
    // 2.9 % and 30 cents.
    expect(cells).toEqual(['1199.00', '35.07', '0.00']);
  });

  test('find a payment on the day that its money came, which its receipt shows', async () => {
    const placed = await order(shop);
    const { subscriptionId } = (await rowOf(shop, placed.orderId)).subscription;
    const { latest_invoice: id } = shop.fake.state.subscription.get(subscriptionId ?? '') ?? {};
    shop.fake.autoDeliver(null);
    shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    const [issued, came] = ['2026-01-04T15:00:00.000Z', '2026-01-20T15:00:00.000Z'];
    Object.assign(shop.fake.state.invoice.get(id ?? '') ?? {}, {
      created: Date.parse(issued) / 1000,
      status_transitions: { paid_at: Date.parse(came) / 1000 },
    });
    await shop.fake.deliver(shop.fake.eventsOf('invoice.paid').slice(-1), { to: shop.webhook });
    shop.fake.autoDeliver(shop.webhook);
    const dated = async (day: string) => {
      const path = `/api/admin/payments/download?from=${day}&to=${day}`;
      const [, ...rows] = parseCsv((await shop.staff.move().get(path)).text);
      return rows.map((row) => row.slice(0, 2));
    };
    expect(await dated('2026-01-04')).toEqual([]);
    const payment = [`O-${placed.orderId}`, expect.stringContaining('2026-01-20')];
    expect(await dated('2026-01-20')).toEqual([payment]);
    const { token } = await linkOf(shop.app, placed.orderId);
    const { payments } = (await placed.visitor.post('/api/order-page', { token })).json;
    expect(payments).toMatchObject([{ at: came }]);
  });

  test('refund a part, then the rest, which ends the subscription', async () => {
    const placed = await paidOrder(shop);
    const part = await act(placed, 'refund', { amount: 199 });
    expect(part.json).toMatchObject({ status: 'paid', refunded: 199 });
    // Keeps the first request open until the second arrives; otherwise they would be two refunds.
    shop.fake.failNext({ how: 'slow', ms: 300, path: '/v1/refunds' });
    const twice = await Promise.all([
      act(placed, 'refund', { amount: 100 }),
      act(placed, 'refund', { amount: 100 }),
    ]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await seenByStaff(shop, placed.orderId)).refunded).toBe(299);
    const rest = await act(placed, 'refund', { amount: null });
    expect(rest.json).toMatchObject({ status: 'refunded', refunded: 1199 });
    await shop.fake.settled();
    expect((await atStripe(shop, placed)).status).toBe('canceled');
    const { status, changes } = await seenByStaff(shop, placed.orderId);
    expect(status).toBe('refunded');
    expect(changes.filter(({ text }: { text: string }) => text.includes('ended'))).toEqual([]);
    expect((await act(placed, 'refund', { amount: null })).status).toBe(409);
  });

  test('refund what Stripe refused to a colleague in their own name', async () => {
    const placed = await paidOrder(shop);
    shop.fake.failNext({ how: 'status-403', path: '/v1/refunds' });
    expect((await press(shop, placed.orderId, 'refund', { amount: 50 })).status).toBe(409);
    const other = await colleague(shop.app, 'second@example.com');
    const path = `/api/admin/orders/${placed.orderId}/refund`;
    const { version } = await rowOf(shop, placed.orderId);
    expect((await other.post(path, { amount: 50, version })).json).toMatchObject({ refunded: 50 });
    const notes = await notesOf(shop.app.database.db, placed.orderId);
    expect(notes).toContain('$50.00 refunded by second@example.com');
  });

  test('refund again what came back, and Stripe makes a second refund of the same amount', async () => {
    const placed = await paidOrder(shop);
    expect((await act(placed, 'refund', { amount: 50 })).json.refunded).toBe(50);
    shop.fake.failRefund();
    await shop.fake.settled();
    expect((await act(placed, 'refund', { amount: 50 })).json.refunded).toBe(50);
  });

  test('refund the same amount of a renewal twice, before Stripe has reported the renewal', async () => {
    const placed = await paidOrder(shop);
    await renew(shop, placed, { pay: true });
    shop.fake.autoDeliver(null);
    const first = await act(placed, 'refund', { amount: 50 });
    expect(first.json).toMatchObject({ status: 'paid', refunded: 50 });
    expect((await act(placed, 'refund', { amount: 50 })).json.refunded).toBe(100);
    shop.fake.autoDeliver(shop.webhook);
    expect(await refundsOf(placed)).toEqual([50_00, 50_00]);
  });

  test('are told how many orders and quotes have news since they last looked', async () => {
    const news = async (since: object) =>
      (await shop.staff.move().get(`/api/admin/sales/news?${new URLSearchParams({ ...since })}`))
        .json;
    const { newest } = await news({});
    const seen = { orders: `${newest}`, quotes: `${newest}` };
    expect(await news(seen)).toEqual({ orders: 0, quotes: 0, newest });
    const placed = await paidOrder(shop);
    await renew(shop, placed, { pay: false });
    await paidOrder(shop);
    expect(await news(seen)).toMatchObject({ orders: 2, quotes: 0 });
    const accept = await quotedByInvoice(shop.app, shop.staff.move());
    expect((await accept()).status).toBe(200);
    expect(await news(seen)).toMatchObject({ quotes: 1 });
  });

  test('refund the month that they chose, though a newer one was paid', async () => {
    const placed = await paidOrder(shop);
    await renew(shop, placed, { pay: true });
    const seen = () => shop.staff.move().get(`/api/admin/orders/${placed.orderId}/account`);
    const first = (await seen()).json.payments[1];
    const { json } = await act(placed, 'refund', { amount: 40, payment: first.id });
    expect(json).toMatchObject({ status: 'paid', refunded: 40 });
    const { payments } = (await seen()).json;
    expect(payments).toMatchObject([{ refunded: 0 }, { id: first.id, refunded: 40 }]);
    const unknown = await act(placed, 'refund', { amount: 1, payment: 'in_unknown' });
    expect(unknown.status).toBe(409);
  });

  test('refund the last paid month of an order whose renewal failed', async () => {
    const placed = await paidOrder(shop);
    await renew(shop, placed, { pay: false });
    const { json } = await act(placed, 'refund', { amount: 50 });
    expect(json).toMatchObject({ status: 'past_due', refunded: 50 });
  });

  test('refund the payment that succeeded when an invoice has several, and its receipt names the card', async () => {
    const placed = await paidOrder(shop);
    const renewal = shop.fake.renew(await subscriptionOf(shop, placed), { pay: true });
    const payment = { payment_intent: 'pi_declined' };
    renewal?.payments.data.unshift({ is_default: false, payment, status: 'open' });
    await shop.fake.settled();
    expect((await act(placed, 'refund', { amount: 50 })).json.refunded).toBe(50);
    expect((await rowOf(shop, placed.orderId)).charges).toContainEqual(
      expect.objectContaining({ invoiceId: renewal?.id, cardLast4: '4242' }),
    );
  });

  test('refund a part, which is noted even if Stripe cannot be reached right after it', async () => {
    const placed = await paidOrder(shop);
    shop.fake.beforeRequests((path) => {
      if (path === '/v1/refunds')
        shop.fake.failNext({ how: 'status-500', method: 'GET', times: 99 });
    });
    shop.fake.autoDeliver(null);
    const { status, json } = await act(placed, 'refund', { amount: 50 });
    shop.fake.beforeRequests(null);
    shop.fake.clearFaults();
    shop.fake.autoDeliver(shop.webhook);
    expect([status, json.status, json.refunded]).toEqual([200, 'paid', 0]);
    expect(json.changes.at(-1)).toMatchObject({ text: '$50.00 refunded by admin' });
  });

  test('end an overdue plan at once, not with its unpaid month', async () => {
    const placed = await paidOrder(shop);
    await renew(shop, placed, { pay: false });
    const { json } = await press(shop, placed.orderId, 'cancel', { when: 'period-end' });
    expect(json.status).toBe('canceled');
  });

  test('cannot refund an unpaid order, more than was paid, or a fraction of a cent, and can correct the amount', async () => {
    const unpaid = await order(shop);
    expect((await act(unpaid, 'refund', { amount: null })).status).toBe(409);
    const placed = await paidOrder(shop);
    const tooMuch = await act(placed, 'refund', { amount: 5000 });
    expect(tooMuch.status).toBe(409);
    expect(tooMuch.json.message).toContain('greater than');
    expect((await act(placed, 'refund', { amount: 1.234 })).status).toBe(400);
    expect((await act(placed, 'refund', { amount: -5 })).status).toBe(400);
    expect((await act(placed, 'refund', { amount: 500 })).json.refunded).toBe(500);
  });

  test('take back the end of a plan, which its customer is told of', async () => {
    const placed = await paidOrder(shop);
    const ended = (await press(shop, placed.orderId, 'cancel', { when: 'period-end' })).json;
    expect(ended.endsAt).not.toBeNull();
    const kept = (await act(placed, 'keep', { version: ended.version })).json;
    expect(kept.endsAt).toBeNull();
    expect((await atStripe(shop, placed)).cancel_at_period_end).toBe(false);
    const notes = await notesOf(shop.app.database.db, placed.orderId);
    expect(notes).toContain('End taken back by admin');
    expect(notes.at(-1)).toContain('The subscription continues');
  });
});
