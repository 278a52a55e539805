/** A quote that is paid by invoice at the test gateway. */

import { hash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { followInvoices } from '../../../src/billing/follow-invoices.server.ts';
import { PaymentChecks } from '../../../src/billing/refresh-order.server.ts';
import { localDate } from '../../../src/company/days.ts';
import { DEMO_FACTOR, PAYMENT_CALLS } from '../../../src/limits.ts';
import type { Notify } from '../../../src/notifications/notification.server.ts';
import { testGateway } from '../../../src/payments/test-gateway/test-gateway.server.ts';
import { formatDollars, fromDollars } from '../../../src/platform/money.ts';
import { eventually } from '../../support/eventually.ts';
import { ownContent } from '../../support/own-content.ts';
import { happen } from '../../support/own-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { AMOUNT, orderByQuote, QUOTE, sharedQuoteSite } from '../../support/quote-site.ts';
import { acceptanceOf, quoteByStaff } from '../../support/staff-quote.ts';
import { sharedStaff } from '../../support/test-app.ts';

const site = sharedQuoteSite();
const staff = sharedStaff(() => site.app);

const { company, texts } = ownContent();
const TERMS = texts.find(({ name }) => name === 'terms-of-service');
let people = 0;

/** Staff make a quote and pass its link on. */
async function make(change: object = {}) {
  people += 1;
  const email = `cfo-${people}@fox.example`;
  const quote = await quoteByStaff(staff, { ...QUOTE, email, dueDays: 15, ...change });
  return { ...quote, email, wanted: await acceptanceOf(site.app, quote.token) };
}
type Made = Awaited<ReturnType<typeof make>>;

const accept = ({ wanted }: Made, change: object = {}, by = site.app.visitor()) =>
  by.post('/api/quote/accept', { ...wanted, ...change });
async function accepted(change: object = {}, by = site.app.visitor()) {
  const quote = await make();
  const { status, json } = await accept(quote, change, by);
  expect([status, json.message]).toEqual([200, undefined]);
  return { ...quote, orderId: json.orderId as number, page: json.page as string, by };
}
type Accepted = Awaited<ReturnType<typeof accepted>>;
const seen = async ({ orderId }: Pick<Accepted, 'orderId'>) =>
  (await staff.get(`/api/orders/${orderId}`)).json;
const shownToCustomer = async ({ page }: Accepted) =>
  (await site.app.visitor().post('/api/order-page', { token: page.split('#')[1] })).json;
const ordersOf = ({ id }: Pick<Made, 'id'>) =>
  site.app.database.db.selectFrom('orders').select('id').where('quoteId', '=', id).execute();
const press = ({ orderId }: Accepted, ...happenings: Parameters<typeof happen>[2][]) =>
  happen(site.app, orderId, ...happenings);
const mailsTo = ({ email }: Made, subject: string) =>
  site.mailbox.to(email).filter((mail) => mail.subject?.includes(subject));

test('a customer who accepted and has not paid yet gets the link that the page promises', async () => {
  const order = await accepted();
  const token = order.page.split('#')[1];
  const asked = { token, place: null };
  expect((await site.app.visitor().post('/api/order-page/link', asked)).status).toBe(204);
  await expect.poll(() => mailsTo(order, 'Your orders').length).toBe(1);
  const [, access] = /\/access\/([\w-]+)/.exec(mailsTo(order, 'Your orders')[0]?.text ?? '') ?? [];
  const opened = await site.app.visitor().post('/api/order-page/open', { token, access });
  expect(opened.json.mayChange).toBe(true);
});

describe('accepting a quote by invoice', () => {
  test('makes an order that asks for no card, says so to both sides, and keeps what was accepted', async () => {
    const order = await accepted({ poNumber: 'PO-2026/17 A_1.b' });
    const shown = await seen(order);
    expect(shown).toMatchObject({
      status: 'pending',
      payment: { state: 'sent' },
      paymentMethod: 'invoice',
      poNumber: 'PO-2026/17 A_1.b',
      email: order.email,
      accepted: { name: 'Dana Fox', title: 'CFO', termsDate: TERMS?.updated },
    });
    expect(shown.accepted.price).toEqual(shown.price);
    const { payments } = await shownToCustomer(order);
    expect(payments).toMatchObject([{ state: 'open', payment: { state: 'sent' }, amount: AMOUNT }]);
    const due = Date.parse(payments[0].at) + 15 * 86_400_000;
    expect(payments[0].payment.dueDay).toBe(localDate(company, due));
    expect((await staff.get(order.path)).json).toMatchObject({
      state: 'accepted',
      acceptedBy: 'Dana Fox',
    });
    await eventually(() => expect(mailsTo(order, 'invoice is on its way')).toHaveLength(1));
    expect(mailsTo(order, 'invoice is on its way')[0]?.text).toContain('PO-2026/17 A_1.b');
  });

  test('keeps the text of the terms, whose SHA-256 the order has', async () => {
    const { accepted: what } = await seen(await accepted());
    const { text, headers } = await site.app.visitor().get(`/api/terms/${what.termsHash}`);
    expect(hash('sha256', text)).toBe(what.termsHash);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toContain(ownContent().company.legalName);
    const kept = await site.app.database.db.selectFrom('termsVersions').selectAll().execute();
    expect(kept).toHaveLength(1);
    expect((await site.app.visitor().get(`/api/terms/${'0'.repeat(64)}`)).status).toBe(404);
  });

  test('makes one order, however often and in however many browsers it is pressed, which one of them may open', async () => {
    const quote = await make();
    const one = site.app.visitor();
    const browsers = [one, one, ...Array.from({ length: 4 }, () => site.app.visitor())];
    const answers = await Promise.all(browsers.map((by) => accept(quote, {}, by)));
    const opened = answers.filter(({ headers }) => headers.has('set-cookie'));
    expect(opened).toHaveLength(1);
    answers.push(await accept(quote, {}, one), await accept(quote, { name: 'Somebody Else' }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ json }) => json.orderId)).size).toBe(1);
    expect(await ordersOf(quote)).toHaveLength(1);
    expect(answers.at(-1)?.json.page).toBeNull();
    expect(await seen(answers[0]?.json)).toMatchObject({ accepted: { name: 'Dana Fox' } });
  });

  test.each([
    ['=1+1', 'letters from A to Z'],
    ['x'.repeat(41), 'at most 40 characters'],
    ['הזמנה 17', 'letters from A to Z'],
    ['PO\n17', 'can’t be displayed'],
  ])('refuses the purchase order number %j at its field', async (poNumber, words) => {
    const quote = await make();
    const { status, json } = await accept(quote, { poNumber });
    const message = expect.stringContaining(words);
    expect([status, json.errors]).toEqual([
      400,
      expect.arrayContaining([{ path: 'poNumber', message }]),
    ]);
    expect(await ordersOf(quote)).toEqual([]);
  });

  test.each(['name', 'title'])('asks for the %s', async (field) => {
    const { status, json } = await accept(await make(), { [field]: ' ' });
    expect([status, json.errors[0].path]).toEqual([400, field]);
  });

  test.each([
    [410, 'withdrawn', (quote: Made) => staff.post(`${quote.path}/withdraw`, {})],
    [410, 'expired', (quote: Made) => site.age(quote.id, 31)],
    [409, 'changed', (quote: Made) => staff.post(quote.path, { ...quote.body, note: 'Other' })],
    [409, 'card', (quote: Made) => staff.post(quote.path, { ...quote.body, dueDays: null })],
  ])(
    'answers %i for a quote that was %s meanwhile, and makes no order',
    async (status, words, act) => {
      const quote = await make();
      await act(quote);
      const answer = await accept(quote);
      expect([answer.status, answer.json.message]).toEqual([
        status,
        expect.stringContaining(words),
      ]);
      expect(await ordersOf(quote)).toEqual([]);
    },
  );

  test('answers 409 when the terms were changed since they were shown', async () => {
    expect((await accept(await make(), { terms: 'f'.repeat(64) })).status).toBe(409);
  });

  test('is bounded by address, also where it is refused', async () => {
    const quote = await make();
    const one = site.app.visitor();
    const statuses: number[] = [];
    const [[calls] = [0]] = PAYMENT_CALLS.rules;
    const most = calls * DEMO_FACTOR;
    for (let n = 0; n <= most; n += 1)
      statuses.push((await accept(quote, { terms: 'f'.repeat(64) }, one)).status);
    expect([statuses.indexOf(429), statuses[0]]).toEqual([most, 409]);
  });

  test('cannot be avoided by the public checkout, which takes cards alone', async () => {
    const { token } = await make();
    const body = orderByQuote(token);
    const pay = (change: object) =>
      site.app.visitor().post('/api/create-payment-intent', { ...body, ...change });
    expect((await pay({})).status).toBe(409);
    expect((await pay({ paymentMethod: 'invoice' })).status).toBe(400);
  });

  test('allows 10 to 60 days', async () => {
    const { body } = await make();
    for (const [dueDays, status] of [
      [9, 400],
      [10, 200],
      [60, 200],
      [61, 400],
    ] as const)
      expect((await staff.post('/api/admin/quotes', { ...body, dueDays })).status).toBe(status);
  });
});

describe('an accepted quote', () => {
  test('stays as it is, even for staff', async () => {
    const quote = await accepted();
    expect((await staff.post(quote.path, quote.body)).status).toBe(409);
    expect((await staff.post(`${quote.path}/withdraw`, {})).status).toBe(409);
    expect(await seen(quote)).toMatchObject({ status: 'pending' });
  });

  test('keeps its order, though staff withdraw the quote in the same moment', async () => {
    const quote = await make();
    const executor = site.app.database.db.getExecutor();
    const execute = executor.executeQuery;
    let answer: Awaited<ReturnType<typeof accept>> | undefined;
    // Once staff's request has read the quote and looks for its order.
    executor.executeQuery = async (query) => {
      if (/from "orders" where "quoteId"/.test(query.sql)) {
        executor.executeQuery = execute;
        answer = await accept(quote);
      }
      return Reflect.apply(execute, executor, [query]);
    };
    const withdrawn = await staff.move().post(`${quote.path}/withdraw`, {});
    executor.executeQuery = execute;
    expect([withdrawn.status, answer?.status]).toEqual([409, 200]);
    expect((await seen({ orderId: answer?.json.orderId })).status).toBe('pending');
  });

  test('is paid when the money arrives, with one receipt that has the purchase order number', async () => {
    const order = await accepted({ poNumber: '4711' });
    expect(await press(order, 'invoice_paid')).toMatchObject({
      status: 'paid',
      payment: { state: 'paid' },
    });
    await eventually(() => expect(mailsTo(order, 'Receipt')).toHaveLength(1));
    expect(mailsTo(order, 'Receipt')[0]?.text).toContain('4711');
  });

  test('is failed while its bank debit is returned, which both sides are told, and can still be paid', async () => {
    const order = await accepted();
    const returned = { status: 'failed', payment: { state: 'debit_returned' } };
    expect(await press(order, 'debit_returned')).toMatchObject(returned);
    await eventually(() => expect(mailsTo(order, 'was returned')).toHaveLength(1));
    expect(await press(order, 'invoice_paid')).toMatchObject({
      status: 'paid',
      payment: { state: 'paid' },
    });
  });

  test('whose newest month was paid outside gives back no earlier month', async () => {
    const order = await accepted();
    await press(order, 'invoice_paid', 'renewed');
    const { version } = await seen(order);
    const path = `/api/admin/orders/${order.orderId}`;
    await staff.post(`${path}/mark-paid`, { reference: 'Check 7', version });
    const refund = await staff.post(`${path}/refund`, { amount: 10 });
    expect(refund).toMatchObject({ status: 409, json: { message: 'No payment found' } });
  });

  test('whose wire came short is paid with the sum that came, and staff read of each event once', async () => {
    const order = await accepted();
    const { version, owed } = await seen(order);
    const came = owed[0].remaining - 12.5;
    const path = `/api/admin/orders/${order.orderId}/mark-paid`;
    const body = { reference: 'Wire 118', amount: came, version };
    const { status, json } = await staff.post(path, body);
    expect([status, json.status, json.owed]).toEqual([200, 'paid', []]);
    const [payment] = (await shownToCustomer(order)).payments;
    expect(payment).toMatchObject({ state: 'paid', paid: came, remaining: 0 });
    await eventually(() => expect(mailsTo(order, 'Receipt')).toHaveLength(1));
    expect(mailsTo(order, 'Receipt')[0]?.text).toContain(
      `${formatDollars(fromDollars(came))} paid`,
    );
    const csv = parseCsv((await staff.get('/api/admin/payments/download')).text);
    expect(csv.find(([number]) => number === `O-${order.orderId}`)).toContain(came.toFixed(2));
    const told = (changes: { text: string }[], words: RegExp) =>
      changes.map(({ text }) => text).filter((text) => words.test(text));
    expect(told(json.changes, /paid|received/i)).toEqual([
      expect.stringMatching(/marked as paid outside with \$[\d,.]+ of \$[\d,.]+ by \w+: Wire 118$/),
    ]);
    const returned = await press(await accepted(), 'invoice_paid', 'debit_returned');
    expect(told(returned.changes, /returned|dispute/i)).toHaveLength(1);
  });

  test('says where its customer came from', async () => {
    const quote = await make();
    const headers = { 'First-Visit': 'page=%2F&utm=&source=Ledger' };
    const by = site.app.visitor();
    const { json } = await by.post('/api/quote/accept', quote.wanted, headers);
    expect((await seen(json)).source).toContain('ledger');
    const money = async () => {
      const { sources } = (await staff.move().get('/api/admin/sources')).json;
      return sources.find(({ source }: { source: string }) => source.includes('ledger'))?.money;
    };
    await press(json, 'invoice_paid');
    expect(await money()).toBe(AMOUNT);
    // The bank takes it back.
    await press(json, 'debit_returned');
    expect(await money()).toBe(0);
  });

  test('is given up by staff: nothing is owed, and the customer is told', async () => {
    const order = await accepted();
    const { version } = await seen(order);
    const path = `/api/admin/orders/${order.orderId}/cancel`;
    const ended = await staff.post(path, { when: 'now', version });
    expect(ended.json).toMatchObject({ status: 'canceled', payment: { state: 'void' } });
    await eventually(() => expect(mailsTo(order, 'has ended')).toHaveLength(1));
    expect(mailsTo(order, 'has ended')[0]?.text).toContain('Please don’t pay it');
    expect((await accept(order)).status).toBe(409);
  });

  test('stands in the CSV with its invoice, purchase order and who accepted it', async () => {
    const { orderId } = await accepted({ poNumber: '-1' });
    const rows = parseCsv((await staff.get('/api/admin/orders/download')).text);
    const [head = [], ...orders] = rows;
    const row = orders.find(([id]) => id === String(orderId)) ?? [];
    const cell = (name: string) => row[head.indexOf(name)];
    expect(['paidBy', 'invoice', 'purchaseOrder', 'acceptedBy', 'acceptedTitle'].map(cell)).toEqual(
      ['invoice', 'Invoice sent', '="-1"', 'Dana Fox', 'CFO'],
    );
  });

  test('shows the customer no card to replace', async () => {
    const order = await accepted();
    await press(order, 'invoice_paid');
    const token = order.page.split('#')[1];
    const { status, json } = await order.by.post('/api/order-page/card', { token });
    expect([status, json.message]).toEqual([409, expect.stringContaining('paid by invoice')]);
  });
});

test('a card’s order keeps the name and the terms that were accepted as well', async () => {
  const { token } = await site.save();
  const { json } = await site.pay(token, { name: 'Sam Reed' });
  expect((await seen(json)).accepted).toMatchObject({ name: 'Sam Reed', title: null });
});

test('an invoice that is not paid is overdue once its due day has ended at the company, which is told once', async () => {
  const { db } = site.app.database;
  const told: string[] = [];
  const notify: Notify = async (_, { kind }, id) => void told.push(`${kind} ${id}`);
  const context = {
    db,
    notify,
    gateway: testGateway({ db, company, notify }),
    company,
    paymentChecks: new PaymentChecks(),
  };
  const unpaid = await accepted();
  const ofOrder = db.updateTable('invoices').where('orderId', '=', unpaid.orderId);
  await ofOrder.set({ dueDay: '2031-12-13' }).execute();
  const at = async (now: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
    await Promise.all([1, 2].map(() => followInvoices(context, () => false)));
    vi.useRealTimers();
  };
  await at('2031-12-13T23:59:59-05:00');
  expect(await seen(unpaid)).toMatchObject({ status: 'pending', payment: { state: 'sent' } });
  await at('2031-12-14T00:00:01-05:00');
  expect(await seen(unpaid)).toMatchObject({ status: 'pending', payment: { state: 'overdue' } });
  expect(told.filter((one) => one === `order-overdue ${unpaid.orderId}`)).toHaveLength(1);
});

test('each month brings another invoice, and the one that was owed first is paid first', async () => {
  const order = await accepted();
  const sent = { status: 'paid', payment: { state: 'sent' } };
  expect(await press(order, 'invoice_paid', 'renewed')).toMatchObject(sent);
  const months = [{ payment: { state: 'sent' } }, { payment: { state: 'paid' } }];
  expect((await shownToCustomer(order)).payments).toMatchObject(months);
  const overdue = { status: 'past_due', payment: { state: 'overdue' } };
  expect(await press(order, 'due_day_passed', 'renewed')).toMatchObject(overdue);
  await eventually(() => expect(mailsTo(order, 'overdue')).toHaveLength(1));
  expect(await press(order, 'invoice_paid')).toMatchObject(sent);
});
