/** An order by invoice at Stripe: sent once, and followed until it is paid or given up. */

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { expireOrders } from '../../../src/billing/abandon-order.server.ts';
import { followInvoices } from '../../../src/billing/follow-invoices.server.ts';
import { readEvents } from '../../../src/billing/order-event-store.server.ts';
import { orderReference } from '../../../src/billing/reference.ts';
import { parseLines } from '../../../src/catalogue/pricing.ts';
import type { Notify } from '../../../src/notifications/notification.server.ts';
import { cents, formatDollars, fromDollars } from '../../../src/platform/money.ts';
import { deleteUnpaidOrders } from '../../../src/privacy/expire-messages.server.ts';
import { ownPage } from '../../support/own-page.ts';
import { intervalsOf, openSubscriptions } from '../../support/running-subscription.ts';
import { notesOf } from '../../support/saved-order.ts';
import { quotedByInvoice } from '../../support/staff-quote.ts';
import {
  ageOrders,
  atStripe,
  countEmails,
  PURCHASE,
  press,
  rowOf,
  seenByStaff,
  sharedShop,
  subscriptionOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';
import { variant } from '../../support/variant.ts';

const shop = sharedShop(WITH_MAIL);
beforeAll(() => shop.fake.autoDeliver(shop.webhook));

const quoted = (acceptance: object = {}) =>
  quotedByInvoice(shop.app, shop.staff, {
    choice: { email: `${randomUUID()}@example.com` },
    acceptance,
  });

async function accepted(change: object = {}) {
  const { status, json } = await (await quoted(change))();
  expect([status, json.message]).toEqual([200, undefined]);
  await shop.fake.settled();
  return { orderId: json.orderId as number, token: json.page.split('#')[1] as string };
}
type Accepted = Awaited<ReturnType<typeof accepted>>;

const seen = ({ orderId }: Pick<Accepted, 'orderId'>) => seenByStaff(shop, orderId);
const page = async ({ token }: Accepted) =>
  (await shop.app.visitor().post('/api/order-page', { token })).json;
/** The order's invoices at Stripe, oldest first. */
async function invoicesOf(order: Accepted) {
  const id = await subscriptionOf(shop, order);
  return [...shop.fake.state.invoice.values()].filter(
    ({ parent }) => parent.subscription_details.subscription === id,
  );
}
const firstOf = async (order: Accepted) => (await invoicesOf(order))[0]?.id ?? '';
/** Something happens at Stripe, and its events arrive. */
async function happens(order: Accepted, act: (invoice: string) => unknown) {
  act((await invoicesOf(order)).at(-1)?.id ?? '');
  await shop.fake.settled();
  return seen(order);
}
/** The next month begins, whose invoice is a draft. */
async function beginNextMonth(order: Accepted) {
  const subscription = await subscriptionOf(shop, order);
  await happens(order, () => shop.fake.renew(subscription, {}));
}
async function billNextMonth(order: Accepted) {
  await beginNextMonth(order);
  await happens(order, (id) => shop.fake.finalize(id));
}
/** An order whose first month is paid, and the second one's invoice open. */
async function billedAgain(how: 'us_bank_account' | 'customer_balance' = 'us_bank_account') {
  const order = await accepted();
  await happens(order, (id) => shop.fake.receiveMoney(id, how));
  await billNextMonth(order);
  return order;
}
/** The bank takes back what paid the invoice first. */
function takeBack(invoice: string) {
  const debit = shop.fake.state.invoice.get(invoice)?.payments.data[0]?.payment.payment_intent;
  shop.fake.closeDispute(shop.fake.openDispute(debit ?? '').id, 'lost');
}
const timesSent = (invoice?: { id: string }) =>
  shop.fake.eventsOf('invoice.sent').filter(({ object }) => object.id === invoice?.id).length;
const mails = ({ orderId }: Accepted, kind: string) =>
  countEmails(shop.app.database.db, kind, orderId);
/** The id of the invoice that the newest email of this kind is about. */
async function askedFor({ orderId }: Accepted, kind: 'debit-returned') {
  const events = (await readEvents(shop.app.database.db, orderId)).map(({ event }) => event);
  const newest = events.findLast((event) => event.kind === kind);
  return newest?.kind === kind ? newest.invoice.id : undefined;
}
async function staffPost(order: Accepted, call: string, body: object) {
  const answer = await press(shop, order.orderId, call, body);
  await shop.fake.settled();
  return answer;
}
const look = (notify?: Notify) => followInvoices(intervalsOf(shop, notify), () => false);

async function passDueDay(orderId: number): Promise<void> {
  await shop.app.database.db
    .updateTable('invoices')
    .set({ dueDay: '2026-01-01' })
    .where('orderId', '=', orderId)
    .execute();
}

describe('issuing', () => {
  test('makes one subscription whose first invoice is open, sent once, and has the purchase order', async () => {
    const accept = await quoted({ poNumber: 'PO 17' });
    const before = shop.fake.subscriptionCount();
    const answers = await Promise.all([accept(), accept(), accept()]);
    answers.push(await accept());
    await shop.fake.settled();
    expect(shop.fake.subscriptionCount()).toBe(before + 1);
    const { orderId, page: url } = answers.find(({ json }) => json.page !== null)?.json ?? {};
    const order = { orderId, token: url.split('#')[1] };
    const [invoice, ...more] = await invoicesOf(order);
    expect(more).toEqual([]);
    expect(invoice).toMatchObject({
      status: 'open',
      custom_fields: [{ name: 'Purchase order', value: 'PO 17' }],
    });
    expect(timesSent(invoice)).toBe(1);
    expect(await seen(order)).toMatchObject({ status: 'pending', payment: { state: 'sent' } });
    expect((await page(order)).payments).toMatchObject([
      { payment: { state: 'sent' }, payUrl: invoice?.hosted_invoice_url, number: invoice?.number },
    ]);
  });

  test.each([
    ['POST', /^\/v1\/customers$/],
    ['POST', /^\/v1\/subscriptions$/],
    ['POST', /\/finalize$/],
    ['POST', /\/send$/],
  ])('is made up for, once, when Stripe fails at %s %s', async (method, path) => {
    const before = shop.fake.subscriptionCount();
    shop.fake.failNext({ method, path, how: 'reset-after-execution', times: 3 });
    const order = await accepted();
    shop.fake.clearFaults();
    await Promise.all([look(), look()]);
    expect(shop.fake.subscriptionCount()).toBe(before + 1);
    const [invoice] = await invoicesOf(order);
    expect([invoice?.status, timesSent(invoice)]).toEqual(['open', 1]);
  });
});

variant(
  'an invoice that Stripe fails to issue for an hour is reported to staff, once',
  async () => {
    const path = /\/finalize$/;
    shop.fake.failNext({ method: 'POST', path, how: 'status-500', times: 30 });
    const order = await accepted();
    const told: string[] = [];
    const notify: Notify = async (_, { kind }, id) => void told.push(`${kind} ${id}`);
    await look(notify);
    expect(told).toEqual([]);
    await ageOrders(shop, 61);
    await look(notify);
    await look(notify);
    shop.fake.clearFaults();
    expect(told).toEqual([`order-invoice-not-issued ${order.orderId}`]);
    await look(notify);
    expect((await invoicesOf(order))[0]?.status).toBe('open');
  },
);

describe('the money', () => {
  test('by bank debit is told while it is under way, when it comes back, and when it is tried again', async () => {
    const order = await accepted();
    const debit = (id: string) => shop.fake.startDebit(id);
    const underWay = { status: 'processing', payment: { state: 'debit_under_way' } };
    expect(await happens(order, debit)).toMatchObject(underWay);
    expect(await happens(order, (id) => shop.fake.refuseDebit(id))).toMatchObject({
      status: 'failed',
      payment: { state: 'debit_returned' },
    });
    expect(await mails(order, 'order-debit-returned')).toBe(1);
    expect(await happens(order, debit)).toMatchObject(underWay);
    const arrives = (id: string) => shop.fake.receiveMoney(id, 'us_bank_account');
    expect(await happens(order, arrives)).toMatchObject({ status: 'paid' });
  });

  test('by bank debit cannot be paid once more on the customer’s page, unless it comes back', async () => {
    const order = await accepted();
    const payUrl = async () => (await page(order)).payments[0].payUrl;
    await happens(order, (id) => shop.fake.startDebit(id));
    expect(await payUrl()).toBeNull();
    await happens(order, (id) => shop.fake.refuseDebit(id));
    expect(await payUrl()).toContain('https://invoice.stripe.com/');
  });

  test('by wire is not told as a debit while Stripe waits for it, or for two small deposits', async () => {
    const order = await accepted();
    const waiting = await happens(order, (id) => {
      const { payments, customer } = shop.fake.state.invoice.get(id) ?? {};
      const intent = payments?.data[0]?.payment.payment_intent ?? '';
      Object.assign(shop.fake.state.payment_intent.get(intent) ?? {}, {
        status: 'requires_action',
      });
      shop.fake.emit('payment_intent.processing', { id: intent, customer });
    });
    expect(waiting).toMatchObject({ status: 'pending', payment: { state: 'sent' } });
  });

  test('that the bank takes back a week later is owed again, while the plan goes on', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.receiveMoney(id, 'us_bank_account'));
    const returned = await happens(order, takeBack);
    expect(returned).toMatchObject({ status: 'past_due', payment: { state: 'debit_returned' } });
    expect((await rowOf(shop, order.orderId)).subscription.status).not.toBe('canceled');
    expect(await mails(order, 'order-debit-returned')).toBe(1);
    expect(await mails(order, 'order-refunded')).toBe(0);
    expect(returned.owed).toMatchObject([{ amount: 1199, remaining: 1199 }]);
    const { json } = await staffPost(order, 'mark-paid', { reference: 'Wire 5' });
    expect(json).toMatchObject({
      status: 'paid',
      payment: { state: 'paid_out_of_band' },
      owed: [],
    });
    const { customerId: customer } = (await rowOf(shop, order.orderId)).subscription;
    await happens(order, () => shop.fake.emit('invoice.updated', { customer }));
    expect((await page(order)).payments).toMatchObject([{ state: 'paid', remaining: 0 }]);
    expect(await mails(order, 'order-renewed')).toBe(1);
  });

  test('by wire in part, whose rest the bank takes back, leaves that rest open', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.receivePart(id, 40_000));
    await happens(order, (id) => shop.fake.receiveMoney(id, 'us_bank_account'));
    const { owed } = await happens(order, takeBack);
    expect(owed).toMatchObject([{ amount: 1199, remaining: 799 }]);
  });

  test('by wire in part, whose rest is a bank debit, is told while that is under way', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.receivePart(id, 40_000));
    const { payment } = await happens(order, (id) => shop.fake.startDebit(id));
    expect(payment.state).toBe('debit_under_way');
  });

  test('of two debits that come back is asked for each, by the invoice that it would have paid', async () => {
    const order = await accepted();
    await billNextMonth(order);
    const invoices = await invoicesOf(order);
    for (const [at, invoice] of invoices.entries()) {
      await happens(order, () => shop.fake.startDebit(invoice.id));
      await happens(order, () => shop.fake.refuseDebit(invoice.id));
      expect(await mails(order, 'order-debit-returned')).toBe(at + 1);
      expect(await askedFor(order, 'debit-returned')).toBe(invoice.id);
    }
  });

  test('from outside settles the invoice at Stripe once, where nothing is charged', async () => {
    const order = await accepted();
    expect((await staffPost(order, 'mark-paid', { reference: ' ' })).status).toBe(400);
    const mark = () => staffPost(order, 'mark-paid', { reference: 'Check 1042' });
    const { json } = await mark();
    expect(json).toMatchObject({ status: 'paid', payment: { state: 'paid_out_of_band' } });
    expect(shop.fake.state.invoice.get(await firstOf(order))).toMatchObject({ status: 'paid' });
    const { customerId } = (await rowOf(shop, order.orderId)).subscription;
    const charges = [...shop.fake.state.charge.values()];
    expect(charges.filter(({ customer }) => customer === customerId)).toEqual([]);
    expect((await page(order)).payments).toMatchObject([{ reference: 'Check 1042' }]);
    const { entries } = (await shop.staff.get('/api/admin/audit')).json;
    const detail = expect.stringContaining(`${orderReference(order.orderId)}: `);
    expect(entries[0]).toMatchObject({ kind: 'order-marked-paid', name: 'admin', detail });
    expect((await mark()).status).toBe(409);
  });

  test('from outside keeps what staff typed, the sum too, also when Stripe’s answer never came', async () => {
    const order = await accepted();
    shop.fake.failNext({ method: 'POST', path: /\/pay$/, how: 'reset-after-execution', times: 9 });
    const came = PURCHASE.amount - 15;
    const body = { reference: 'Check 9', amount: came };
    const { status } = await staffPost(order, 'mark-paid', body);
    shop.fake.clearFaults();
    expect(status).toBe(503);
    await happens(order, (id) =>
      shop.fake.emit('invoice.paid', shop.fake.state.invoice.get(id) ?? {}),
    );
    const { entries } = (await shop.staff.get('/api/admin/audit')).json;
    expect(entries[0]).toMatchObject({ kind: 'order-marked-paid', name: 'admin' });
    expect((await page(order)).payments).toMatchObject([
      { payment: { state: 'paid_out_of_band' }, reference: 'Check 9', paid: came },
    ]);
  });

  test('from outside that a colleague marks at Stripe is theirs, after a press that never got there', async () => {
    const order = await accepted();
    shop.fake.failNext({ method: 'POST', path: /invoices/, how: 'status-500-kept', times: 9 });
    const body = { reference: 'Check 12', amount: PURCHASE.amount - 15 };
    expect((await staffPost(order, 'mark-paid', body)).status).toBe(503);
    shop.fake.clearFaults();
    const { payment } = await happens(order, (id) => shop.fake.payOutside(id));
    expect(payment.state).toBe('paid_out_of_band');
    expect((await page(order)).payments).toMatchObject([{ reference: null, paid: null }]);
    const { invoices } = await rowOf(shop, order.orderId);
    expect(invoices).toMatchObject([{ markedPaidById: null, amountPaidCents: 119_900 }]);
  });

  test.each([
    ['the first month', 'less, since the bank kept 15 dollars', -1500],
    ['the first month', 'more', 2000],
    ['a later month', 'less', -1500],
    ['a later month', 'more', 2000],
  ])(
    'for %s by a wire of %s, which Stripe counts as paid, is noted for staff',
    async (month, _what, off) => {
      const order = await accepted();
      const isLater = month === 'a later month';
      if (isLater) {
        await happens(order, (id) => shop.fake.receiveMoney(id, 'customer_balance'));
        await billNextMonth(order);
      }
      const { status, changes } = await happens(order, (id) => {
        shop.fake.receiveMoney(id, 'customer_balance');
        const invoice = shop.fake.state.invoice.get(id);
        if (invoice) invoice.amount_paid = invoice.amount_due + off;
      });
      expect(status).toBe('paid');
      const note = isLater
        ? `is for ${formatDollars(cents(PURCHASE.amount * 100 + off))}`
        : 'first invoice';
      expect(JSON.stringify(changes)).toContain(note);
    },
  );

  test('that staff credited in part before the rest came is shown with the credit, and pays the order', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.creditPart(id, 1_500));
    expect((await seen(order)).owed).toMatchObject([{ amount: 1184, remaining: 1184 }]);
    const paid = await happens(order, (id) => shop.fake.receiveMoney(id, 'customer_balance'));
    expect(paid.status).toBe('paid');
    const [payment] = (await page(order)).payments;
    expect(payment).toMatchObject({ state: 'paid', amount: 1184 });
    expect(payment.lines.at(-1)).toMatchObject({ kind: 'credit', amount: -15 });
  });

  test.each([
    ['one', [40_000]],
    ['two', [30_000, 54_321]],
  ])(
    'by wire in %s part leaves the rest open, which customer, staff and reminder read, and then pays the order',
    async (_what, parts) => {
      const order = await accepted();
      const came = parts.reduce((sum, part) => sum + part, 0);
      for (const part of parts) await happens(order, (id) => shop.fake.receivePart(id, part));
      const remaining = (PURCHASE.amount * 100 - came) / 100;
      const rest = { amount: PURCHASE.amount, remaining };
      const now = await seen(order);
      expect(now).toMatchObject({ status: 'pending', payment: { state: 'sent' }, owed: [rest] });
      expect((await page(order)).payments).toMatchObject([{ state: 'open', ...rest }]);
      const { db } = shop.app.database;
      const last = `${formatDollars(fromDollars(remaining))} is still open`;
      expect(
        (await notesOf(db, order.orderId)).filter((note) => note.includes('still open')),
      ).toHaveLength(parts.length);
      await passDueDay(order.orderId);
      await look();
      const [overdue] = (await readEvents(db, order.orderId)).flatMap(({ event }) =>
        event.kind === 'overdue' ? [event.invoice] : [],
      );
      expect(overdue).toMatchObject({ amount: PURCHASE.amount * 100, remaining: remaining * 100 });
      expect((await notesOf(db, order.orderId)).join()).toContain(last);
      const paid = await happens(order, (id) => shop.fake.receiveMoney(id, 'customer_balance'));
      expect(paid).toMatchObject({ status: 'paid', payment: { state: 'paid' }, owed: [] });
    },
  );

  test('by wire in part is settled from outside for the rest, and all of it counts', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.receivePart(id, 40_000));
    const { json } = await staffPost(order, 'mark-paid', { reference: 'Check 77' });
    expect(json).toMatchObject({
      status: 'paid',
      payment: { state: 'paid_out_of_band' },
      owed: [],
    });
    const { invoices } = await rowOf(shop, order.orderId);
    const all = { amountPaidCents: PURCHASE.amount * 100, amountRemainingCents: 0 };
    expect(invoices).toMatchObject([{ ...all, reference: 'Check 77' }]);
    expect(JSON.stringify(json.changes)).not.toContain('first invoice');
  });

  test('from outside is not counted before staff have seen the wire that came meanwhile', async () => {
    const order = await accepted();
    shop.fake.autoDeliver(null);
    shop.fake.receivePart(await firstOf(order), 20_000);
    shop.fake.autoDeliver(shop.webhook);
    const mark = () => staffPost(order, 'mark-paid', { reference: 'Check 78' });
    expect((await mark()).status).toBe(409);
    expect((await mark()).json).toMatchObject({ status: 'paid' });
    const { invoices } = await rowOf(shop, order.orderId);
    expect(invoices).toMatchObject([{ amountPaidCents: PURCHASE.amount * 100 }]);
  });

  test('of two wires goes back as one payment: in part, or all that is left of it', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.receivePart(id, 40_000));
    await happens(order, (id) => shop.fake.receiveMoney(id, 'customer_balance'));
    const refund = async (amount: number | null) =>
      (await staffPost(order, 'refund', { amount })).json;
    const { message } = await refund(PURCHASE.amount + 1);
    expect(message).toContain(`left to refund, ${formatDollars(fromDollars(PURCHASE.amount))}`);
    expect(await refund(1_000)).toMatchObject({ status: 'paid', refunded: 1_000 });
    expect(await refund(null)).toMatchObject({ status: 'refunded', refunded: PURCHASE.amount });
  });

  test('of two wires, of which only one goes back, is told as what did', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.receivePart(id, 40_000));
    await happens(order, (id) => shop.fake.receiveMoney(id, 'customer_balance'));
    shop.fake.autoDeliver(null);
    let refunds = 0;
    shop.fake.beforeRequests(async (path) => {
      if (path !== '/v1/refunds') return;
      refunds += 1;
      if (refunds === 2) shop.fake.failNext({ path, how: 'status-400' });
    });
    expect((await staffPost(order, 'refund', { amount: null })).status).toBe(409);
    shop.fake.beforeRequests(null);
    shop.fake.autoDeliver(shop.webhook);
    const { refunded, changes } = await seen(order);
    expect(refunded).toBe(PURCHASE.amount - 400);
    expect(changes.slice(-2).map(({ text }: { text: string }) => text)).toEqual([
      expect.stringMatching(/^Refused: .* refunded by admin/),
      expect.stringContaining(`${formatDollars(cents(79_900))} refunded in all`),
    ]);
  });

  test('in part is not forgotten when staff end the order: both sides read that it came', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.receivePart(id, 40_000));
    const { json } = await staffPost(order, 'cancel', { when: 'now' });
    expect(json).toMatchObject({ status: 'canceled', payment: { state: 'void' }, owed: [] });
    expect(JSON.stringify(json.changes)).toContain(
      '$400.00 was taken although the order is canceled',
    );
    expect(await mails(order, 'order-paid-after-end')).toBe(1);
    const refunded = await staffPost(order, 'refund', { amount: null });
    expect(refunded.json).toMatchObject({ status: 'canceled', refunded: 400 });
  });

  test('is paid on Stripe’s page, whose present address is asked for whenever it is shown', async () => {
    const order = await accepted();
    const shown = async () => (await page(order)).payments[0].payUrl;
    const before = await shown();
    shop.fake.movePages();
    const [invoice] = await invoicesOf(order);
    expect(await shown()).toBe(invoice?.hosted_invoice_url);
    expect(await shown()).not.toBe(before);
    shop.fake.failNext({ method: 'GET', path: '/v1/invoices', how: 'status-500', times: 9 });
    const away = await page(order);
    shop.fake.clearFaults();
    expect(away).toMatchObject({ billingUnavailable: true, payments: [{ payUrl: null }] });
  });

  test('from outside by one check settles one of two months that the bank took back, however often it is pressed', async () => {
    const order = await billedAgain();
    await happens(order, (id) => shop.fake.receiveMoney(id, 'us_bank_account'));
    for (const { id } of await invoicesOf(order)) await happens(order, () => takeBack(id));
    const { version, owed } = await seen(order);
    expect(owed).toHaveLength(2);
    const mark = () =>
      shop.staff
        .move()
        .post(`/api/admin/orders/${order.orderId}/mark-paid`, { reference: 'Check 1', version });
    expect((await mark()).json.owed).toHaveLength(1);
    expect((await mark()).status).toBe(409);
    expect((await seen(order)).owed).toHaveLength(1);
  });

  test('from outside is not counted when the customer has paid in the meantime, a colleague has marked it at Stripe, or a debit is under way', async () => {
    const [paid, marked, debited] = [await accepted(), await accepted(), await accepted()];
    shop.fake.autoDeliver(null);
    shop.fake.receiveMoney(await firstOf(paid), 'us_bank_account');
    shop.fake.payOutside(await firstOf(marked));
    shop.fake.startDebit(await firstOf(debited));
    shop.fake.autoDeliver(shop.webhook);
    for (const order of [paid, marked])
      expect(await staffPost(order, 'mark-paid', { reference: 'Check 1' })).toMatchObject({
        status: 409,
        json: { message: expect.stringContaining('paid in the meantime') },
      });
    expect((await staffPost(debited, 'mark-paid', { reference: 'Check 1' })).status).toBe(409);
    const row = await rowOf(shop, paid.orderId);
    expect(row.invoices.map(({ paidOutOfBand }) => paidOutOfBand)).toEqual([0]);
  });
});

describe('time', () => {
  test('makes an unpaid invoice overdue by the site’s own clock, told once; a debit under way is left alone', async () => {
    const [late, debited] = [await accepted(), await accepted()];
    // Its events never arrive.
    shop.fake.autoDeliver(null);
    shop.fake.startDebit(await firstOf(debited));
    shop.fake.autoDeliver(shop.webhook);
    shop.fake.passDueDate(await firstOf(late));
    await shop.fake.settled();
    const { db } = shop.app.database;
    await db.updateTable('invoices').set({ dueDay: '2026-01-01' }).execute();
    const told: number[] = [];
    const notify: Notify = async (_, { kind }, id) => {
      if (kind === 'order-overdue') told.push(id);
    };
    await Promise.all([look(notify), look(notify)]);
    await look(notify);
    expect(told.filter((id) => id === late.orderId)).toHaveLength(1);
    expect(told).not.toContain(debited.orderId);
    expect(await seen(late)).toMatchObject({ status: 'pending', payment: { state: 'overdue' } });
  });

  test('is told by the day at the company, where it is the next one in UTC', async () => {
    const order = await accepted();
    const [invoice] = await invoicesOf(order);
    // 10:30 PM in Georgia.
    if (invoice) invoice.due_date = Date.parse('2031-03-02T03:30:00Z') / 1000;
    await happens(order, (id) => shop.fake.startDebit(id));
    expect((await page(order)).payments).toMatchObject([{ payment: { dueDay: '2031-03-01' } }]);
  });

  test('an only invoice that staff void at Stripe asks them whether the order ends, which they can', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.waiveInvoice(id, 'void'));
    const now = await seen(order);
    expect(now).toMatchObject({ status: 'pending', payment: { state: 'void' } });
    expect(now.changes).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('end the order if it should not') }),
    );
    expect((await staffPost(order, 'cancel', { when: 'now' })).json.status).toBe('canceled');
    expect((await atStripe(shop, order)).status).toBe('canceled');
  });

  test('that runs out while a debit is under way is no card’s fault when the plan is changed', async () => {
    const order = await billedAgain();
    await happens(order, (id) => shop.fake.startDebit(id));
    await happens(order, (id) => shop.fake.passDueDate(id));
    const { gateway } = openSubscriptions(shop);
    const row = await rowOf(shop, order.orderId);
    const lines = parseLines(row.subscription.priceLines).filter(({ kind }) => kind !== 'backup');
    const refused = await gateway.subscriptions.preview(row, {
      lines,
      at: Math.floor(Date.now() / 1000) * 1000,
    });
    expect(refused).toEqual({ refused: expect.stringMatching(/invoice isn’t paid yet/) });
  });

  test('ends no order that waits for its money, as it ends a card’s after a day', async () => {
    const order = await accepted();
    const { db } = shop.app.database;
    await ageOrders(shop, 45 * 24 * 60);
    await expireOrders(intervalsOf(shop), () => false);
    await db.updateTable('orderEvents').set({ at: 0 }).execute();
    await deleteUnpaidOrders(db);
    expect(await seen(order)).toMatchObject({ status: 'pending', payment: { state: 'sent' } });
  });

  test('brings an invoice each month, of which the customer reads once it is final', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.receiveMoney(id, 'us_bank_account'));
    await beginNextMonth(order);
    expect((await page(order)).payments).toHaveLength(1);
    const renewed = await happens(order, (id) => shop.fake.finalize(id));
    expect(renewed).toMatchObject({ status: 'paid', payment: { state: 'sent' } });
    await happens(order, (id) => shop.fake.receiveMoney(id, 'customer_balance'));
    expect(await mails(order, 'order-renewed')).toBe(1);
    expect((await page(order)).payments).toMatchObject([{ state: 'paid' }, { state: 'paid' }]);
  });

  test('names the purchase order number that staff changed on the invoices that follow', async () => {
    const order = await accepted({ poNumber: 'PO 17' });
    const first = await firstOf(order);
    expect((await staffPost(order, 'po-number', { poNumber: 'PO-2027' })).json).toMatchObject({
      poNumber: 'PO-2027',
    });
    expect((await page(order)).order.poNumber).toBe('PO-2027');
    expect((await staffPost(order, 'po-number', { poNumber: 'Ü 1' })).status).toBe(400);
    const named = [...shop.fake.state.subscription.values()].at(-1)?.invoice_settings.custom_fields;
    expect(named).toEqual([{ name: 'Purchase order', value: 'PO-2027' }]);
    expect(shop.fake.state.invoice.get(first)?.custom_fields).toMatchObject([{ value: 'PO 17' }]);
    await beginNextMonth(order);
    const next = [...shop.fake.state.invoice.values()].at(-1);
    expect(next?.custom_fields).toEqual(named);
    // Also when it is changed while the month's invoice is a draft.
    await staffPost(order, 'po-number', { poNumber: 'PO-2028' });
    expect(next?.custom_fields).toMatchObject([{ value: 'PO-2028' }]);
    await happens(order, (id) => shop.fake.finalize(id));
    const numbers = [{ poNumber: 'PO-2028' }, { poNumber: 'PO 17' }];
    expect((await page(order)).payments).toMatchObject(numbers);
    const { poNumber } = (await staffPost(order, 'po-number', { poNumber: '' })).json;
    expect(poNumber).toBeNull();
    expect(
      [...shop.fake.state.subscription.values()].at(-1)?.invoice_settings.custom_fields,
    ).toBeNull();
    expect(await notesOf(shop.app.database.db, order.orderId)).toContain(
      'The purchase order number was changed by admin',
    );
  });
});

describe('staff who give an order up', () => {
  test('with a later invoice open read nothing of a plan that goes on', async () => {
    const order = await billedAgain();
    const { json } = await staffPost(order, 'cancel', { when: 'now' });
    expect(json).toMatchObject({ status: 'canceled', owed: [] });
    expect(JSON.stringify((await seen(order)).changes)).not.toContain('The plan goes on');
  });

  test('void its invoice, so that nobody can pay it any more', async () => {
    const order = await accepted();
    const { json } = await staffPost(order, 'cancel', { when: 'now' });
    expect(json).toMatchObject({ status: 'canceled', payment: { state: 'void' } });
    expect(shop.fake.state.invoice.get(await firstOf(order))).toMatchObject({ status: 'void' });
    expect(await mails(order, 'order-ended')).toBe(1);
    // A mistyped number can still be mended.
    const { json: mended } = await staffPost(order, 'po-number', { poNumber: 'PO 5' });
    expect(mended.poNumber).toBe('PO 5');
  });

  test('in Stripe’s dashboard cause no reminder of its invoice', async () => {
    const order = await accepted();
    const subscription = await subscriptionOf(shop, order);
    const ended = await happens(order, () => shop.fake.cancelSubscription(subscription));
    expect(ended).toMatchObject({ status: 'canceled', payment: { state: 'void' } });
    // Stripe leaves it open, and the customer was told not to pay it.
    expect(shop.fake.state.invoice.get(await firstOf(order))).toMatchObject({ status: 'void' });
  });

  test('are refused while a bank debit pays it', async () => {
    const order = await accepted();
    await happens(order, (id) => shop.fake.startDebit(id));
    expect(await staffPost(order, 'cancel', { when: 'now' })).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining('bank is deciding') },
    });
    expect(await seen(order)).toMatchObject({ status: 'processing' });
  });

  test('are refused when the money has just arrived', async () => {
    const order = await accepted();
    shop.fake.autoDeliver(null);
    shop.fake.receiveMoney(await firstOf(order), 'us_bank_account');
    shop.fake.autoDeliver(shop.webhook);
    expect((await staffPost(order, 'cancel', { when: 'now' })).status).toBe(409);
    expect(await seen(order)).toMatchObject({ status: 'paid' });
  });
});

test('a plan that ends at once leaves the credit that its last bill, a draft for an hour, gives', async () => {
  const visitor = shop.app.visitor();
  const { orderId, page: url } = (await (await quoted())(visitor)).json;
  const order = { orderId, token: url.split('#')[1] };
  await happens(order, (id) => shop.fake.receiveMoney(id, 'us_bank_account'));
  const { account, change } = await ownPage(shop.app, orderId, visitor);
  const { ms365Users: users, includeCloudBackup: backup } = (await account()).order;
  await change({ users: 1, backup, from: { users, backup } });
  await shop.fake.settled();
  const { status } = await staffPost(order, 'cancel', { when: 'now' });
  expect([status, (await invoicesOf(order)).at(-1)?.status]).toEqual([200, 'draft']);
  await happens(order, (id) => shop.fake.finalize(id));
  expect((await account()).order.credit).toBeGreaterThan(0);
  expect(await notesOf(shop.app.database.db, orderId)).not.toContainEqual(
    expect.stringContaining('dropped a credit'),
  );
});
