/**
 * Order emails: without real money, strangers must not use them to send their own words to anyone.
 */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { DESK, Mailbox } from '../../tests/support/mailbox.ts';
import { INVOICE, line, notesOf, savedOrder, TEST_CAUSE } from '../../tests/support/saved-order.ts';
import { signedData } from '../../tests/support/signed-event.ts';
import { startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';
import type { Order } from '../billing/billed-order.server.ts';
import type { Invoice } from '../billing/invoice-store.server.ts';
import { newsOfCharges } from '../billing/news-of-charges.server.ts';
import type { OrderEvent } from '../billing/order-event.server.ts';
import { recordEvent } from '../billing/order-event-store.server.ts';
import { getOrder } from '../billing/order-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import { cents } from '../platform/money.ts';

let mailbox: Mailbox;
let site: TestOutbox;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  site = await startTestOutbox(mailbox.variables);
});
afterAll(async () => {
  await site.stop();
  await mailbox.stop();
});

const TYPED = { name: 'Your Card Was Charged', company: 'INVOICE PAID?' };

const MONTHLY = { lines: [], tax: cents(0) };
const PAID: OrderEvent[] = [
  { kind: 'paid', monthly: MONTHLY, invoice: INVOICE },
  { kind: 'renewed', invoices: [INVOICE], running: true },
];

type Change = Parameters<typeof savedOrder>[1];

const save = (change: Change) =>
  savedOrder(site.database.db, { ...TYPED, status: 'paid', ...change });

async function record(order: Order, ...events: readonly OrderEvent[]): Promise<void> {
  const { notify } = site.outbox;
  await site.database.db.transaction().execute(async (trx) => {
    for (const event of events)
      await recordEvent({ db: trx, notify }, order, { event }, TEST_CAUSE);
  });
  site.outbox.wake();
}

async function happen(events: readonly OrderEvent[], change: Change): Promise<number> {
  const order = await save(change);
  await record(order, ...events);
  return order.id;
}

/** The order with an invoice more. */
async function billed({ id: orderId }: Order, invoice: Partial<Invoice>): Promise<Order> {
  const { db } = site.database;
  const sum = cents(450_00);
  const sums = { amountCents: sum, amountPaidCents: sum, amountRemainingCents: cents(0) };
  const paid = { ...sums, id: INVOICE.id, orderId, createdAt: 1, status: 'paid' as const };
  await db
    .insertInto('invoices')
    .values({ ...paid, ...invoice })
    .execute();
  return getOrder(db, { id: orderId });
}

async function textsTo(email: string, count: number): Promise<string[]> {
  await eventually(() => expect(mailbox.to(email)).toHaveLength(count));
  return mailbox.to(email).map(({ text = '' }) => text);
}

test('emails about a test-mode order contain nothing a stranger typed', async () => {
  const payer = { live: 0, email: 'someone@victim.example' } as const;
  await happen(PAID, payer);
  for (const text of await textsTo(payer.email, PAID.length)) {
    expect(text).not.toContain('Hello');
    expect(text).not.toContain(TYPED.name);
    expect(text).not.toContain(TYPED.company);
    expect(text).toContain('Test mode: no money moves.');
  }
});

test('a customer who paid real money reads their name, unless it looks like a link, and company in every email, and staff read the company', async () => {
  const payer = { live: 1, email: 'customer@dealer.example' } as const;
  for (let round = 0; round < 6; round++) await happen(PAID, payer);
  for (const text of await textsTo(payer.email, 12)) {
    expect(text).toContain('Hello Your,');
    expect(text).toMatch(/Company: +INVOICE PAID\?/);
    expect(text).not.toContain('Test mode');
  }
  const linked = { ...payer, email: 'linked@dealer.example', name: 'Win at evil.example' };
  await happen(PAID.slice(0, 1), linked);
  expect((await textsTo(linked.email, 1))[0]).not.toMatch(/Hello \w|evil/);
  const forStaff = /Company: +INVOICE PAID\?\s+Email: +customer@dealer\.example/;
  await expect.poll(() => mailbox.to(DESK).some(({ text = '' }) => forStaff.test(text))).toBe(true);
});

test('customer and staff read the amount of a payment that arrives after the end', async () => {
  const email = 'late@dealer.example';
  // Parts of two months.
  const invoices = [400_25, 82_00].map((amount) => ({ ...INVOICE, amount: cents(amount) }));
  const event = { kind: 'paid-after-end', invoices, status: 'canceled' } as const;
  await happen([event], { email, status: 'canceled', live: 1 });
  await expect
    .poll(() => mailbox.mails.map(({ text = '' }) => text.replace(/\s+/g, ' ')))
    .toEqual(
      expect.arrayContaining([
        expect.stringContaining('$482.25 received unexpectedly'),
        expect.stringContaining('$400.25 was taken although the order is canceled. $82.00 was'),
      ]),
    );
});

test('a customer reads of a disputed payment when and by which card it was and until when the plan goes on, and of an end that was set its day, however late', async () => {
  const email = 'bank@dealer.example';
  const invoice = { ...INVOICE, card: 'Visa ending in 4242' };
  await happen(
    [
      { kind: 'disputed', amount: INVOICE.amount, invoice },
      { kind: 'ended', invoiceIsVoid: false, withoutRefund: false },
    ],
    { email, live: 1, cancelAt: Date.UTC(2026, 0, 22, 2, 30) },
  );
  const [disputed, ended] = await textsTo(email, 2);
  expect(disputed).toMatch(/ is disputed\n.*\d{4} · Visa ending in 4242\nReceipt I-1\n/);
  expect(disputed).toContain('Meanwhile, your plan still ends on January 21, 2026.');
  expect(ended).toContain('Your plan ended on January 21, 2026');
});

test('a customer reads on which day a plan ended at the provider, however late that is reported', async () => {
  const email = 'ended-before@dealer.example';
  const endedAt = Date.UTC(2026, 0, 22, 2, 30);
  const event = { kind: 'ended', invoiceIsVoid: false, withoutRefund: false, endedAt } as const;
  await happen([event], { email, live: 1 });
  expect((await textsTo(email, 1))[0]).toContain('Your plan ended on January 21, 2026');
});

test('a customer whose card could not be charged is asked to pay only while the month is owed', async () => {
  const failed = { kind: 'renewal-failed', invoice: INVOICE, toConfirm: false } as const;
  const since = 'paid-since@dealer.example';
  await happen([failed], { email: since, live: 1, status: 'paid' });
  for (const status of ['past_due', 'failed'] as const) {
    const owes = `owes-${status}@dealer.example`;
    await happen([failed], { email: owes, live: 1, status });
    // Emails leave in order.
    expect((await textsTo(owes, 1))[0]).toContain('didn’t go through');
  }
  expect(mailbox.to(since)).toEqual([]);
});

test('a reminder after a part payment says what came and what is still open, with the number of that invoice', async () => {
  const email = 'part@dealer.example';
  const invoice = { ...INVOICE, id: 'in_part', amount: cents(850_00), remaining: cents(450_00) };
  const order = await save({ email, live: 1, collection: 'invoice', poNumber: 'PO-NEW' });
  const amounts = { amountCents: cents(850_00), amountPaidCents: cents(400_00) };
  const open = { ...amounts, amountRemainingCents: cents(450_00), status: 'open' as const };
  const part = { id: invoice.id, ...open, poNumber: 'PO-OLD' };
  await record(await billed(order, part), { kind: 'overdue', invoice });
  const [text = ''] = await textsTo(email, 1);
  expect(text).toMatch(/Amount: +\$850.00\s+Received: +\$400.00\s+Still open: +\$450.00/);
  expect(text).toMatch(/Purchase order: +PO-OLD/);
  const forStaff = 'of which $450.00 is still open, is overdue';
  await expect.poll(() => mailbox.to(DESK).some(({ text }) => text?.includes(forStaff))).toBe(true);
});

test('customer and staff read the same last day of a plan: that of the company', async () => {
  const email = 'leaving@dealer.example';
  await happen([{ kind: 'ending', endsAt: Date.UTC(2026, 11, 22, 2, 30) }], { email });
  expect((await textsTo(email, 1))[0]).toContain('plan ends on December 21, 2026.');
  const forStaff = 'The subscription ends on December 21, 2026';
  await expect.poll(() => mailbox.to(DESK).some(({ text }) => text?.includes(forStaff))).toBe(true);
});

/** What the customer reads of an event of an order with this invoice. */
async function emailOf(
  month: { paidAt?: number; periodEnd?: number; lines?: string },
  event: OrderEvent,
) {
  const email = `${Object.values(month).join('-').replace(/\W/g, '')}@dealer.example`;
  const order = await billed(await save({ email, live: 1 }), month);
  await record(order, event);
  const [text = ''] = await textsTo(email, 1);
  await site.database.db.deleteFrom('invoices').where('orderId', '=', order.id).execute();
  return text;
}

test('a customer whose plan ends after more months reads that these are charged', async () => {
  const endsAt = Date.UTC(2026, 2, 15);
  const emailed = (periodEnd: number) => emailOf({ periodEnd }, { kind: 'ending', endsAt });
  expect(await emailed(endsAt)).toContain(
    'You keep the service until then, and your plan won’t renew after that.',
  );
  expect(await emailed(Date.UTC(2026, 0, 15))).toContain(
    'Until then you keep the service, and your card is charged as before.',
  );
});

test('a customer whose plan staff have removed at the provider does not read that it continues', async () => {
  const month = { ...INVOICE, periodStart: 1, periodEnd: 2 };
  const emailed = (kind: 'plan' | 'backup') =>
    emailOf(
      { lines: JSON.stringify([line(kind, 450_00)]) },
      { kind: 'renewed', invoices: [month], running: true },
    );
  expect(await emailed('plan')).toContain('plan continues');
  expect(await emailed('backup')).not.toContain('plan continues');
});

test('the email of a payment opens its receipt', async () => {
  const paid: OrderEvent = { kind: 'renewed', invoices: [INVOICE], running: true };
  const text = await emailOf({ paidAt: 9 }, paid);
  expect(text).toMatch(/Open the receipt \(https?:\S+\/checkout\/order#\S+\/receipt\/\w+\)/);
});

test('the receipt of a last bill offers no change of a plan that has ended', async () => {
  const emailed = (running: boolean) =>
    emailOf({ paidAt: running ? 1 : 2 }, { kind: 'renewed', invoices: [INVOICE], running });
  expect(await emailed(true)).toContain('Open your order to change your plan or cancel.');
  expect(await emailed(false)).not.toContain('change your plan');
});

test('the email of a payment that the provider reports late has the day of its receipt', async () => {
  const renewed: OrderEvent = { kind: 'renewed', invoices: [INVOICE], running: true };
  const text = await emailOf({ paidAt: Date.UTC(2026, 0, 3, 2, 30) }, renewed);
  expect(text).toContain('$450.00 paid\nJanuary 2, 2026\nReceipt I-1');
});

test.each([
  [{ total: cents(450_00), lost: false }, 'We refunded $450.00 of what you paid.'],
  [{ total: cents(0), lost: true }, 'Your bank decided the dispute in your favor'],
])(
  'a customer whose order is refunded (%j) reads why, and that it has ended',
  async (change, why) => {
    const email = `${why.length}@dealer.example`;
    const refunded = { kind: 'refunded', amount: change.total, running: false } as const;
    await happen([{ ...refunded, ...change }], { email, status: 'refunded' });
    const [text] = await textsTo(email, 1);
    for (const words of [why, 'your card won’t be charged again'])
      expect(text?.replace(/\s+/g, ' ')).toContain(words);
  },
);

test('an email that leaves late says what held when it happened: of a plan that was changed twice, with what staff added', async () => {
  const { db } = site.database;
  const email = 'changes@dealer.example';
  const [ten, more] = [10, 31].map((users) => ({
    options: { users, backup: false },
    lines: [line('plan', 450_00), line('microsoft365', 12_50, users), line('other', 15_00)],
  }));
  if (!ten || !more) throw new Error('no plans');
  const changed = (before: typeof ten, { options, lines }: typeof ten) => ({
    kind: 'changed' as const,
    before: before.options,
    after: options,
    monthly: { lines, tax: cents(0) },
  });
  const priceLines = JSON.stringify(ten.lines);
  const po = { poNumber: 'PO-77', priceLines };
  const id = await happen([changed(ten, more), changed(more, ten)], { email, live: 1, ...po });
  const texts = (await textsTo(email, 2)).map((text) => text.replace(/\s+/g, ' '));
  expect(texts[0]).toContain('31 users without cloud backup');
  expect(texts[0]).toContain('$852.50');
  expect(texts[1]).toContain('$590.00');
  for (const text of texts) expect(text).toContain(`Order: ${orderReference(id)}`);
  for (const text of texts) expect(text).toContain('Purchase order: PO-77');
  expect(await notesOf(db, id)).toEqual([
    'Plan changed: 10 users without cloud backup → 31 users without cloud backup (test)',
    'Plan changed: 31 users without cloud backup → 10 users without cloud backup (test)',
  ]);
});

test('an email that leaves late names the plan that was paid, not the one that it was changed to', async () => {
  const { db } = site.database;
  const email = 'upgraded@dealer.example';
  const essential = { ...line('plan', 450_00), label: 'Essential' };
  const priced = { planName: 'Essential', priceLines: JSON.stringify([essential]) };
  const order = await save({ email, live: 1, ...priced });
  await record(order, { kind: 'disputed', amount: cents(1) });
  const orders = db.updateTable('orders').where('id', '=', order.id);
  await orders.set({ planName: 'Enterprise' }).execute();
  expect((await textsTo(email, 1))[0]).toContain('a payment for your Essential plan');
});

test('what staff bill beside the month, or by the year, is no month: paid or not', async () => {
  const once = [{ ...line('other', 300_00), label: 'On-site visit' }];
  const invoice = { ...INVOICE, amount: cents(300_00), once };
  const email = 'beside@dealer.example';
  await happen([{ kind: 'renewed', invoices: [invoice], running: true }], { email, live: 1 });
  const [receipt] = await textsTo(email, 1);
  expect(receipt).toMatch(/\$300\.00 +On-site visit, once\n +\$300\.00 +Amount paid/);
  expect(receipt).not.toContain('per month');
  const owing = 'beside-unpaid@dealer.example';
  const failed = { kind: 'renewal-failed', invoice, toConfirm: false } as const;
  await happen([failed], { email: owing, live: 1, status: 'past_due' });
  expect((await textsTo(owing, 1))[0]).not.toMatch(/this month/i);
  const forStaff = '$300.00 could not be charged';
  await expect.poll(() => mailbox.to(DESK).some(({ text }) => text?.includes(forStaff))).toBe(true);
});

const DAY = { startsOn: '2027-01-04', subscriptionStatus: 'trialing' } as const;
const ON_ITS_DAY = { cancelAt: Date.parse('2027-01-04T17:00:00Z') };
const REFUND: OrderEvent = {
  kind: 'refunded',
  amount: cents(50_00),
  total: cents(50_00),
  running: true,
  lost: false,
};
const PERIOD = { periodStart: Date.UTC(2026, 0, 15), periodEnd: Date.UTC(2026, 1, 15) };
const RENEWED: OrderEvent = {
  kind: 'renewed',
  invoices: [{ ...INVOICE, ...PERIOD }],
  running: true,
};

test.each<[string, OrderEvent, Change, string, string]>([
  ['a refund', REFUND, { ...DAY, ...ON_ITS_DAY }, 'will not start.', 'still starts'],
  ['a refund', REFUND, ON_ITS_DAY, 'still ends on January 4, 2027.', 'continues'],
  [
    'a dispute',
    { kind: 'disputed', amount: cents(1) },
    DAY,
    'still starts on January',
    'continues',
  ],
  ['a month', RENEWED, ON_ITS_DAY, 'Thanks for your payment', 'continues'],
  ['billing that goes on', { kind: 'paused', paused: false }, ON_ITS_DAY, 'has resumed', 'next'],
  ['an end taken back', { kind: 'ending', endsAt: null }, DAY, 'still starts on', 'paid month'],
  [
    'another start day while billing is paused',
    { kind: 'start-moved', monthly: { ...MONTHLY, startsOn: '2027-01-04' }, was: '2026-12-20' },
    { ...DAY, subscriptionStatus: 'paused' },
    'From that day on, once billing has resumed,',
    'From that day on, your card',
  ],
])(
  'the email of %s says what holds of a plan that starts or ends on a day to come',
  async (...row) => {
    const [, event, change, said, unsaid] = row;
    const email = `${randomUUID()}@dealer.example`;
    await happen([event], { email, live: 1, ...change });
    const [text = ''] = await textsTo(email, 1);
    expect(text.replace(/\s+/g, ' ')).toContain(said);
    expect(text).not.toContain(unsaid);
  },
);

test('a customer who added users, and ends the plan, reads that a last bill follows', async () => {
  const email = 'added@dealer.example';
  const order = await save({ email, live: 1 });
  const waiting = JSON.stringify([{ id: 'ii_1', amount: 174_50 }]);
  const own = site.database.db.updateTable('subscriptions').where('orderId', '=', order.id);
  await own.set({ waiting }).execute();
  await record(order, { kind: 'ending', endsAt: Date.UTC(2027, 0, 4) });
  expect((await textsTo(email, 1))[0]?.replace(/\s+/g, ' ')).toContain('Then a last bill follows');
});

test('no receipt is sent for a month of which nothing was charged', async () => {
  const email = 'free@dealer.example';
  const free = { ...INVOICE, amount: cents(0) };
  await happen(
    [
      { kind: 'paid', monthly: MONTHLY, invoice: free },
      { kind: 'renewed', invoices: [free], running: true },
      { kind: 'ending', endsAt: null },
    ],
    { email, live: 1 },
  );
  await textsTo(email, 2);
  const subjects = mailbox
    .to(email)
    .map(({ subject = '' }) => subject.replace(/O-[\d ]+\d/, 'O-1'));
  expect(subjects).toEqual(['Your order O-1', 'Your plan continues: order O-1']);
});

test('a signed event that leaves late says what held when it happened', async () => {
  const { db } = site.database;
  const [ten, more] = [10, 31].map((users) => ({ users, backup: false }));
  if (!ten || !more) throw new Error('no options');
  const monthly = (users: number) => ({
    lines: [line('plan', 450_00), line('microsoft365', 12_50, users)],
    tax: cents(0),
  });
  const linesOf = (users: number) => ({ priceLines: JSON.stringify(monthly(users).lines) });
  const order = await save({ live: 0, ...linesOf(10) });
  const { id } = order;
  await record(order, { kind: 'paid', monthly: monthly(10), invoice: INVOICE });
  const bigger = { ...order, subscription: { ...order.subscription, ...linesOf(31) } };
  await record(bigger, { kind: 'changed', before: ten, after: more, monthly: monthly(31) });
  const charge = { id: 'ch_1', amountCents: cents(575_00), refundedCents: cents(50_00) };
  const subscription = { ...bigger.subscription, cancelAt: Date.UTC(2027, 0, 1) };
  await record(
    { ...order, status: 'canceled', subscription, charges: newsOfCharges(order, [charge]).all },
    { kind: 'ended', invoiceIsVoid: false, withoutRefund: false },
  );
  const dataOf = (kind: OrderEvent['kind']) => signedData(db, id, kind);
  expect(await dataOf('paid')).toMatchObject({
    ...{ status: 'paid', plan: expect.stringContaining('10 users'), monthlyAmount: 575 },
    ...{ refunded: 0, endsAt: null },
  });
  expect(await dataOf('changed')).toMatchObject({ status: 'paid', monthlyAmount: 837.5 });
  expect(await dataOf('ended')).toMatchObject({
    ...{ status: 'canceled', plan: expect.stringContaining('31 users'), monthlyAmount: 837.5 },
    ...{ refunded: 50, endsAt: '2027-01-01T00:00:00.000Z' },
  });
});
