/** Orders follow what staff, banks and Stripe do later, and notify those concerned once. */
import { expect, test } from 'vitest';
import { followInvoices } from '../../../src/billing/follow-invoices.server.ts';
import { readEvents } from '../../../src/billing/order-event-store.server.ts';
import type { Fault } from '../../support/fake-stripe/http-server.ts';
import { ownPage, shownPrice } from '../../support/own-page.ts';
import { intervalsOf } from '../../support/running-subscription.ts';
import { notesOf } from '../../support/saved-order.ts';
import {
  atStripe,
  eventsDuring,
  paidOrder,
  press,
  renew,
  rowOf,
  type Started,
  seenByStaff,
  sharedShop,
  statusesOf,
  toldOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const shop = sharedShop(WITH_MAIL);

async function running() {
  shop.fake.autoDeliver(shop.webhook);
  const placed = await paidOrder(shop);
  const page = await ownPage(shop.app, placed.orderId, placed.visitor);
  const subscription = await atStripe(shop, placed);
  return { ...placed, ...page, subscription, id: subscription.id };
}

type Running = Awaited<ReturnType<typeof running>>;

const pricesOf = ({ subscription: { items } }: Running) =>
  items.data.map(({ price }) => price.unit_amount);

/** What was bought, and a change to it that leaves a credit. */
const BOUGHT = { users: 20, backup: true };
const FEWER = { users: 1, backup: false, from: BOUGHT };

/** Staff edit the subscription at Stripe, which reports it. */
async function edit({ id }: Running, change: Parameters<typeof shop.fake.editSubscription>[1]) {
  shop.fake.editSubscription(id, change);
  await shop.fake.settled();
}

/** Staff take a tenth off each month, or off the next bill alone. */
function giveCoupon(order: Running, once?: true): Promise<void> {
  shop.fake.state.discount.set('di_tenth', { id: 'di_tenth', percent: 10, once });
  return edit(order, ({ discounts }) => void discounts.push('di_tenth'));
}

/** Staff choose how each month is paid from now on. */
const collect = (order: Running, how: 'send_invoice' | 'charge_automatically') =>
  edit(order, (subscription) => {
    subscription.collection_method = how;
    subscription.days_until_due = 30;
  });

/** Staff set the customer's balance at Stripe, in cents; below zero it pays what comes next. */
const credit = ({ subscription: { customer } }: Running, balance: number) =>
  Object.assign(shop.fake.state.customer.get(customer) ?? {}, { balance });

/** Staff sell a product of their own beside the plan, so many at each price in cents. */
function sellPhones({ id }: Running, prices: readonly number[], quantity: number): void {
  const sold = { id: 'prod_phone', object: 'product', name: 'Desk phone' } as const;
  shop.fake.state.product.set(sold.id, sold);
  shop.fake.editSubscription(id, ({ items }) => {
    const [plan] = items.data;
    if (!plan) throw new Error('the subscription has no items');
    for (const unit_amount of prices) {
      const price = { ...plan.price, product: sold.id, unit_amount };
      items.data.push({ ...plan, id: `si_${unit_amount}`, price, quantity });
    }
  });
}

const endNow = async ({ orderId }: Started): Promise<number> =>
  (await press(shop, orderId, 'cancel', { when: 'now' })).status;

const notes = ({ orderId }: Started) => notesOf(shop.app.database.db, orderId);

const BOTH = ['mail-customer', 'mail-staff'];

/** What the customer has paid too much is their balance at Stripe, and both sides are told. */
async function expectCreditKept(order: Running) {
  const { balance = 0 } = shop.fake.state.customer.get(order.subscription.customer) ?? {};
  const { order: seen, payments } = await order.account();
  expect(seen.credit).toBeGreaterThan(300);
  expect(seen.credit).toBe(-balance / 100);
  expect(await toldOf(shop, order, 'order-credit-left')).toEqual(BOTH);
  return { status: seen.status, charged: payments.length };
}

test('a price that staff raise at Stripe is what the order says, staff are notified once, and a change of seats keeps it', async () => {
  const order = await running();
  await edit(order, ({ items }) => {
    for (const { price } of items.data) if (price.unit_amount === 1250) price.unit_amount = 1400;
  });
  expect(await seenByStaff(shop, order.orderId)).toMatchObject({ amount: 1229, status: 'paid' });
  expect(await toldOf(shop, order, 'order-lines-changed')).toEqual(['mail-staff']);
  const price = 'Price changed: Microsoft 365 Business Standard, $12.50 → $14.00';
  expect((await notes(order)).filter((note) => note.startsWith(price))).toHaveLength(1);
  const { now } = await order.change({ users: 21, backup: true, from: BOUGHT });
  expect(now.order.amount).toBeCloseTo(850 + 21 * (14 + 4.95));
  expect(pricesOf(order)).toEqual([85_000, 1400, 495]);
  expect(await toldOf(shop, order, 'order-changed')).toEqual(BOTH);
});

test('a price that staff have just raised is not lowered by a customer whose page is older', async () => {
  const order = await running();
  const seats = { users: 21, backup: true, from: BOUGHT };
  const shown = shownPrice((await order.ask('preview', seats)).json);
  shop.fake.autoDeliver(null);
  shop.fake.editSubscription(order.id, ({ items }) => {
    for (const { price } of items.data) if (price.unit_amount === 1250) price.unit_amount = 1400;
  });
  const { json } = await order.ask('change', { ...seats, ...shown });
  expect(json.message).toContain('price has changed');
  expect(pricesOf(order)).toEqual([85_000, 1400, 495]);
});

test('an item and a coupon that staff add at Stripe are lines of the order, and a change of seats keeps them', async () => {
  const order = await running();
  sellPhones(order, [2_000], 3);
  await giveCoupon(order);
  const lines = (seats: number) => [
    { label: 'Professional', amount: 850 },
    { label: 'Microsoft 365 Business Standard', amount: seats * 12.5 },
    { label: 'Cloud backup', amount: seats * 4.95 },
    { label: 'Desk phone', quantity: 3, amount: 60 },
    { label: 'Discount', amount: -Math.round((910 + seats * 17.45) * 10) / 100 },
  ];
  const shown = await seenByStaff(shop, order.orderId);
  expect(shown).toMatchObject({ amount: 1133.1, price: { lines: lines(20) } });
  expect((await order.account()).running.next.total).toBe(1133.1);
  const seats = { users: 30, backup: true, from: BOUGHT };
  const { shown: preview, now } = await order.change(seats);
  expect(preview.monthly).toBeCloseTo(0.9 * (910 + 30 * 17.45));
  expect(now.order).toMatchObject({ amount: preview.monthly, price: { lines: lines(30) } });
  const added = (await notes(order)).filter((note) => /^Added: (Desk phone|Discount)/.test(note));
  expect(added.map((note) => note.split(' (')[0])).toEqual([
    'Added: Desk phone, 3 × $20.00, $60.00',
    'Added: Discount, −$125.90',
  ]);
});

test('a product that staff sell at two prices keeps both when the customer changes the users', async () => {
  const order = await running();
  sellPhones(order, [2_000, 3_000], 1);
  await shop.fake.settled();
  await order.change({ users: 30, backup: true, from: BOUGHT });
  expect((await notes(order)).filter((note) => note.startsWith('Price changed'))).toEqual([]);
});

test('a coupon that staff give the customer at Stripe is a line of the order, too', async () => {
  const order = await running();
  shop.fake.state.discount.set('di_fifth', { id: 'di_fifth', percent: 20 });
  shop.fake.editCustomer(order.subscription.customer, (customer) => {
    customer.discount = { id: 'di_fifth' };
  });
  await shop.fake.settled();
  const { order: seen, running: plan } = await order.account();
  expect([seen.amount, plan.next.total]).toEqual([959.2, 959.2]);
  expect(seen.price.lines.at(-1)).toMatchObject({ label: 'Discount', amount: -239.8 });
  expect(await toldOf(shop, order, 'order-lines-changed')).toEqual(['mail-staff']);
});

test('a coupon is off the month by what it takes from the month, though it is also off an item that staff put on the next bill', async () => {
  const order = await running();
  shop.fake.addToNextBill(order.id, 'On-site visit', 30_000);
  await giveCoupon(order);
  const { order: seen, running: plan } = await order.account();
  expect([seen.amount, plan.next.total]).toEqual([1079.1, 1349.1]);
  const seats = { users: 30, backup: true, from: BOUGHT };
  expect((await order.ask('preview', seats)).json.monthly).toBeCloseTo(1079.1 + 9 * 17.45);
});

test('a coupon for one bill lowers the next charge alone', async () => {
  const order = await running();
  await giveCoupon(order, true);
  const { order: seen, running: plan } = await order.account();
  expect([seen.amount, seen.price.total, plan.next.total]).toEqual([1199, 1199, 1079.1]);
  const seats = { users: 30, backup: true, from: BOUGHT };
  expect((await order.ask('preview', seats)).json.monthly).toBeCloseTo(1199 + 10 * 17.45);
  await renew(shop, order);
  const { payments, ...after } = await order.account();
  expect([payments[0].amount, after.running.next.total]).toEqual([1079.1, 1199]);
});

test('a receipt shows the credit that paid a part of the month', async () => {
  const order = await running();
  credit(order, -20_000);
  await renew(shop, order);
  const { payments } = await order.account();
  const renewal = payments.find(({ amount }: { amount: number }) => amount === 999);
  expect(renewal.lines.at(-1)).toMatchObject({ label: 'Credit', amount: -200 });
});

test.each(['pause_collection', 'status'])(
  'while staff have paused billing at Stripe (%s), no charge is announced, and both sides are notified once',
  async (how) => {
    const order = await running();
    const edit = (paused: boolean) =>
      shop.fake.editSubscription(order.id, (subscription) => {
        if (how === 'status') subscription.status = paused ? 'paused' : 'active';
        else subscription.pause_collection = paused ? { behavior: 'void', resumes_at: null } : null;
      });
    edit(true);
    await shop.fake.settled();
    const paused = await order.account();
    expect(paused).toMatchObject({
      order: { status: 'paid', paused: true },
      running: { next: null },
    });
    expect(await toldOf(shop, order, 'order-paused')).toEqual(BOTH);
    edit(false);
    await shop.fake.settled();
    const { order: shown, running: next } = await order.account();
    expect([shown.paused, next.next.total]).toEqual([false, 1199]);
  },
);

test('months that Stripe no longer charges keep the order past due after a new card, and staff are notified of each', async () => {
  const order = await running();
  shop.fake.renew(order.id, { pay: false });
  shop.fake.editSubscription(order.id, (subscription) => {
    subscription.status = 'unpaid';
  });
  const drafts = [1, 2].map(() => shop.fake.renew(order.id, { pay: true })?.number);
  await shop.fake.settled();
  const open = [...shop.fake.state.invoice.values()].findLast(({ status }) => status === 'open');
  shop.fake.retryInvoice(open?.id ?? '', { pay: true });
  await shop.fake.settled();
  expect((await rowOf(shop, order.orderId)).status).toBe('past_due');
  const alerts = (await notes(order)).filter((note) => note.includes('is a draft'));
  expect(alerts).toHaveLength(2);
  for (const number of drafts) expect(alerts.join()).toContain(number);
});

test('a plan whose card staff detach at Stripe is overdue with the next month, and says that it has no card', async () => {
  const order = await running();
  shop.fake.editSubscription(order.id, (subscription) => {
    subscription.default_payment_method = null;
  });
  await renew(shop, order, {});
  expect(await toldOf(shop, order, 'order-renewal-failed')).toEqual(BOTH);
  expect(await order.account()).toMatchObject({
    order: { status: 'past_due' },
    running: { card: null },
    payments: [{ state: 'open', amount: 1199 }, { state: 'paid' }],
  });
});

test('a customer reads what is charged, of whatever kind, also where it is theirs and not the plan’s', async () => {
  const order = await running();
  const { default_payment_method: own, customer } = order.subscription;
  const charged = async (kind: object) => {
    Object.assign(shop.fake.state.payment_method.get(own ?? '') ?? {}, kind);
    return (await order.account()).running.card;
  };
  order.subscription.default_payment_method = null;
  shop.fake.editCustomer(customer, ({ invoice_settings: settings }) => {
    settings.default_payment_method = own;
  });
  await shop.fake.settled();
  expect(await charged({})).toMatchObject({ brand: 'Visa', last4: '4242' });
  const us_bank_account = { bank_name: 'CHASE', last4: '6789' };
  const words = { brand: 'Bank account at CHASE', last4: '6789', isBank: true };
  expect(await charged({ card: null, type: 'us_bank_account', us_bank_account })).toMatchObject(
    words,
  );
  const link = { type: 'link', us_bank_account: null };
  expect(await charged(link)).toMatchObject({ brand: 'Link', last4: null });
});

test('what is owed to a customer who needs less and then ends the plan is told to both sides, and on the page', async () => {
  const order = await running();
  await order.change(FEWER);
  await order.ask('cancel');
  await renew(shop, order, {});
  await expectCreditKept(order);
  // Staff have sent it back.
  shop.fake.editCustomer(order.subscription.customer, (customer) => {
    customer.balance = 0;
  });
  await shop.fake.settled();
  expect((await order.account()).order.credit).toBe(0);
  expect(await toldOf(shop, order, 'order-credit-left')).toEqual(BOTH);
});

test('the credit for fewer users is kept when staff end the plan at once, and both sides are notified', async () => {
  const order = await running();
  await order.change(FEWER);
  expect(await endNow(order)).toBe(200);
  await shop.fake.settled();
  expect(await expectCreditKept(order)).toMatchObject({ status: 'canceled' });
  expect(await toldOf(shop, order, 'order-paid-after-end')).toEqual([]);
});

test.each([
  ['here', endNow],
  ['at Stripe', async ({ id }: Running) => void shop.fake.cancelSubscription(id)],
])('staff who end a plan %s are notified of an item that no bill charges', async (_, end) => {
  const order = await running();
  shop.fake.addToNextBill(order.id, 'On-site visit', 300_00);
  await order.change({ users: 25, backup: true, from: BOUGHT });
  await end(order);
  await shop.fake.settled();
  expect(await toldOf(shop, order, 'order-item-unbilled')).toEqual(['mail-staff']);
  expect(await notes(order)).toContainEqual(expect.stringContaining('“On-site visit”, $300.00'));
});

test('a credit that is less than an item of staff’s is kept when they end the plan at once, and no card is charged', async () => {
  const order = await running();
  shop.fake.addToNextBill(order.id, 'On-site visit', 900_00);
  await order.change(FEWER);
  await endNow(order);
  await shop.fake.settled();
  expect(await expectCreditKept(order)).toEqual({ status: 'canceled', charged: 1 });
  expect(await toldOf(shop, order, 'order-item-unbilled')).toEqual(['mail-staff']);
  expect(await toldOf(shop, order, 'order-credit-dropped')).toEqual([]);
});

const refundAll = async ({ orderId }: Started) =>
  (await press(shop, orderId, 'refund', { amount: null })).status;
const setCanceled = async ({ orderId }: Started) => {
  const { version } = await seenByStaff(shop, orderId);
  const set = { status: 'canceled', version };
  return (await shop.staff.move().post(`/api/orders/${orderId}/update-status`, set)).status;
};

test.each<[string, Fault | null, typeof endNow, number]>([
  [
    'although Stripe does not list it just then',
    { path: '/v1/invoiceitems', how: 'status-429', times: 2 },
    endNow,
    200,
  ],
  [
    'although Stripe’s answer never comes',
    { path: /^\/v1\/subscriptions\/sub_/, how: 'reset-after-execution', times: 99 },
    endNow,
    503,
  ],
  ['by the order’s status', null, setCanceled, 200],
])(
  'the credit for fewer users is kept when staff end the plan at once, %s',
  async (_, fault, end, status) => {
    const order = await running();
    // More than the credit, so that no last bill gives it.
    shop.fake.addToNextBill(order.id, 'On-site visit', 900_00);
    await order.change(FEWER);
    await shop.fake.settled();
    shop.fake.autoDeliver(null);
    const events = await eventsDuring(shop, async () => {
      if (fault) shop.fake.failNext(fault);
      expect(await end(order)).toBe(status);
      shop.fake.clearFaults();
    });
    shop.fake.autoDeliver(shop.webhook);
    await shop.fake.deliver(events, { to: shop.webhook });
    await shop.fake.settled();
    expect(await expectCreditKept(order)).toEqual({ status: 'canceled', charged: 1 });
    expect(await toldOf(shop, order, 'order-credit-dropped')).toEqual([]);
  },
);

test.each([
  ['that Stripe refuses notifies staff', endNow, ['mail-staff']],
  ['is not owed once all was refunded', refundAll, []],
])('a credit for fewer users %s when the plan ends', async (_, end, notices) => {
  const order = await running();
  shop.fake.addToNextBill(order.id, 'On-site visit', 900_00);
  await order.change(FEWER);
  await shop.fake.settled();
  shop.fake.failNext({ path: /balance_transactions$/, how: 'status-403', times: 9 });
  expect(await end(order)).toBe(200);
  await shop.fake.settled();
  shop.fake.clearFaults();
  expect(shop.fake.state.customer.get(order.subscription.customer)?.balance).toBe(0);
  expect(await toldOf(shop, order, 'order-credit-dropped')).toEqual(notices);
});

/** What the next bill is to give back for fewer users, in the words of a note. */
function tellsOfCredit({ id }: Running) {
  const items = [...shop.fake.state.invoiceitem.values()].filter((one) => one.subscription === id);
  const cents = items.reduce((sum, { amount }) => sum - amount, 0);
  return expect.stringContaining(`a credit of $${(cents / 100).toFixed(2)}`);
}

/** A plan that its customer has ended, and what staff put on its last bill, which is a draft. */
async function endedWithLastBill() {
  const order = await running();
  await order.ask('cancel');
  shop.fake.addToNextBill(order.id, 'On-site visit', 300_00);
  const bill = shop.fake.renew(order.id, { draft: true });
  await shop.fake.settled();
  const charge = async (succeeds: boolean) => {
    shop.fake.chargeDraft(bill?.id ?? '', succeeds);
    await shop.fake.settled();
  };
  return { ...order, charge };
}

test('a last bill is announced with the end, and its payment an hour later surprises nobody', async () => {
  const { charge, ...order } = await endedWithLastBill();
  const events = await readEvents(shop.app.database.db, order.orderId);
  expect(events.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ kind: 'ended', lastBill: 300_00 }),
  );
  await charge(true);
  expect(await toldOf(shop, order, 'order-renewed')).toEqual(['mail-customer']);
  expect(await notes(order)).toContainEqual(expect.stringContaining('Paid: $300.00'));
});

test('a last bill that the card refuses is still owed, and paid on Stripe’s page; staff are notified', async () => {
  const { charge, ...order } = await endedWithLastBill();
  await charge(false);
  expect(await toldOf(shop, order, 'order-invoice-stuck')).toEqual(['mail-staff']);
  const { payments } = await order.account();
  const payUrl = expect.stringContaining('https://');
  expect(payments).toContainEqual(expect.objectContaining({ amount: 300, state: 'open', payUrl }));
});

test('staff who end a plan at Stripe without a last bill are notified of the credit that goes with it', async () => {
  const order = await running();
  await order.change(FEWER);
  await shop.fake.settled();
  const told = tellsOfCredit(order);
  shop.fake.cancelSubscription(order.id);
  await shop.fake.settled();
  expect(await toldOf(shop, order, 'order-credit-dropped')).toEqual(['mail-staff']);
  expect(await notes(order)).toContainEqual(told);
});

test.each([
  ['that end', ({ id }: Running) => shop.fake.cancelSubscription(id, true)],
  [
    'its next month',
    ({ id }: Running) => shop.fake.renew(id, {}) && shop.fake.cancelSubscription(id),
  ],
])('a credit that the bill of %s gives is not said to be dropped', async (_, end) => {
  const order = await running();
  await order.change(FEWER);
  await shop.fake.settled();
  shop.fake.autoDeliver(null);
  end(order);
  shop.fake.autoDeliver(shop.webhook);
  shop.fake.editCustomer(order.subscription.customer, () => {});
  await shop.fake.settled();
  expect((await rowOf(shop, order.orderId)).status).toBe('canceled');
  expect(await toldOf(shop, order, 'order-credit-dropped')).toEqual([]);
});

test.each([
  ['by card', false],
  ['as a draft', true],
])(
  'staff who end a plan whose next bill (%s) is unpaid are notified of the credit on it',
  async (_, draft) => {
    const order = await running();
    await order.change(FEWER);
    const told = tellsOfCredit(order);
    await renew(shop, order, { pay: false, draft });
    await endNow(order);
    await shop.fake.settled();
    expect(await toldOf(shop, order, 'order-credit-dropped')).toEqual(['mail-staff']);
    expect(await notes(order)).toContainEqual(told);
  },
);

test('a plan that ends after a change keeps its coupon until then', async () => {
  const order = await running();
  await giveCoupon(order);
  await order.change({ users: 25, backup: true, from: BOUGHT });
  const { amount } = await seenByStaff(shop, order.orderId);
  await order.ask('cancel');
  await shop.fake.settled();
  expect(await seenByStaff(shop, order.orderId)).toMatchObject({ amount });
});

test('an end that Stripe refuses gives no credit, which the next bill gives', async () => {
  const order = await running();
  shop.fake.addToNextBill(order.id, 'On-site visit', 900_00);
  await order.change(FEWER);
  shop.fake.failNext({ how: 'status-403', method: 'DELETE', path: /^\/v1\/subscriptions\/sub_/ });
  expect(await endNow(order)).toBe(409);
  expect(shop.fake.state.customer.get(order.subscription.customer)?.balance).toBe(0);
});

test('an item that staff put on the next bill has its own words on the receipt, and so has a line of a new kind, of which staff are told', async () => {
  const order = await running();
  shop.fake.addToNextBill(order.id, 'On-site visit, November 12', 300_00);
  shop.fake.addToNextBill(order.id, 'Rounding', 0);
  shop.fake.addToNextBill(order.id, ' ', 0);
  await order.change({ users: 25, backup: true, from: BOUGHT });
  const invoice = shop.fake.renew(order.id, { pay: true });
  const odd = invoice?.lines.data.find(({ description }) => description === 'Rounding');
  Object.assign(odd?.parent ?? {}, { type: 'rounding_details', invoice_item_details: null });
  await shop.fake.settled();
  const { payments } = await order.account();
  const { amount, lines, once } = payments[0];
  expect(once.map(({ label }: { label: string }) => label)).toEqual([
    'Changes to the plan',
    'Other',
    'Rounding',
    'On-site visit, November 12',
  ]);
  const sums = [...lines, ...once].map((line) => line.amount);
  expect(sums.reduce((sum, each) => sum + each, 0)).toBeCloseTo(amount, 2);
  expect(await toldOf(shop, order, 'order-unknown-line')).toEqual(['mail-staff']);
  expect(await notes(order)).toContainEqual(expect.stringContaining('“Rounding”'));
});

test('a receipt has all that was billed, also more than a hundred items of staff’s', async () => {
  const order = await running();
  for (let visit = 1; visit <= 120; visit += 1)
    shop.fake.addToNextBill(order.id, `Visit ${visit}`, 1_000);
  await renew(shop, order);
  const [{ lines, once, amount }] = (await order.account()).payments;
  expect([lines.length, once.length, amount]).toEqual([3, 120, 1199 + 1200]);
});

test('a month in another currency is told to staff, and stands nowhere as dollars', async () => {
  const order = await running();
  Object.assign(shop.fake.renew(order.id, { pay: true }) ?? {}, { currency: 'eur' });
  await shop.fake.settled();
  expect(await toldOf(shop, order, 'order-payment-differs')).toEqual(['mail-staff']);
  expect(await toldOf(shop, order, 'order-renewed')).toEqual([]);
  const told = expect.stringMatching(/is for [\d,.]+ EUR, the order for \$/);
  expect(await notes(order)).toContainEqual(told);
  expect((await order.account()).payments).toHaveLength(1);
  expect(await notes(order)).not.toContainEqual(expect.stringMatching(/Renewed|Paid: /));
});

test.each([
  ['eur', '500.00 EUR'],
  ['jpy', '50,000 JPY'],
  ['isk', '500.00 ISK'],
])(
  'staff are notified of a charge by hand in %s, and of its fraud warning, in that currency',
  async (currency, sum) => {
    const order = await running();
    const { customer } = order.subscription;
    const [own] = [...shop.fake.state.charge.values()].filter((one) => one.customer === customer);
    if (!own) throw new Error('there is no charge at Stripe');
    const id = `ch_by_hand_${currency}`;
    const charge = { ...own, id, payment_intent: `pi_${id}`, amount: 50_000, currency };
    shop.fake.state.charge.set(id, charge);
    shop.fake.emit('payment_intent.succeeded', { ...charge, object: 'payment_intent' });
    shop.fake.emit('radar.early_fraud_warning.created', {
      object: 'radar.early_fraud_warning',
      charge: id,
    });
    await shop.fake.settled();
    const told = (await notes(order)).filter((note) => note.includes(id));
    expect(told).toHaveLength(2);
    for (const note of told) expect(note).toContain(sum);
    expect(told.join()).not.toContain('$');
  },
);

test('no month of a plan that runs for ten years is said to be charged for no order', async () => {
  const order = await running();
  shop.fake.autoDeliver(null);
  for (let month = 1; month <= 120; month += 1) {
    const isWaived = month % 12 === 0;
    const invoice = shop.fake.renew(order.id, { draft: isWaived });
    if (isWaived) shop.fake.waiveInvoice(shop.fake.finalize(invoice?.id ?? '').id, 'void');
  }
  await shop.fake.deliver(shop.fake.events.slice(-1), { to: shop.webhook });
  expect((await notes(order)).filter((note) => note.includes('no order'))).toEqual([]);
});

test('staff who begin an ended plan anew at Stripe read each month that it is charged for no order', async () => {
  const order = await running();
  shop.fake.cancelSubscription(order.id);
  await shop.fake.settled();
  const again = shop.fake.beginAnew(order.id);
  await shop.fake.settled();
  shop.fake.renew(again.id, { pay: true });
  await shop.fake.settled();
  expect((await order.account()).order.status).toBe('canceled');
  const alerts = (await notes(order)).filter((note) => note.includes('belongs to no order'));
  expect(alerts).toHaveLength(2);
  expect(alerts.join()).toContain('$1,199.00');
  expect(await toldOf(shop, order, 'order-charged-beside')).toHaveLength(2);
  shop.fake.addToNextBill(again.id, 'On-site visit', 300_00);
  shop.fake.editCustomer(order.subscription.customer, () => {});
  await shop.fake.settled();
  expect(await toldOf(shop, order, 'order-item-unbilled')).toEqual([]);
});

test.each([
  ['fractions of a cent', { unit_amount_decimal: '1234.5' }, 246.9],
  [
    'tiers',
    {
      tiers: [
        { up_to: 10, unit_amount: 1_250 },
        { up_to: null, unit_amount: 1_100 },
      ],
    },
    235,
  ],
  [
    'packages of eight',
    { unit_amount: 9_900, transform_quantity: { divide_by: 8, round: 'up' as const } },
    297,
  ],
])(
  'an order says what is charged where staff set a price in %s at Stripe',
  async (_how, odd, sum) => {
    const order = await running();
    await edit(order, ({ items }) => {
      const [, users] = items.data;
      if (users) users.price = { ...users.price, unit_amount: null, ...odd };
    });
    const wanted = [{ amount: 850 }, { quantity: 20, amount: sum }, { amount: 99 }];
    expect((await order.account()).order.price.lines).toMatchObject(wanted);
    expect(await toldOf(shop, order, 'order-lines-changed')).toEqual(['mail-staff']);
    await renew(shop, order);
    const { order: seen, payments, running: plan } = await order.account();
    expect([payments[0].amount, plan.next.total]).toEqual([seen.amount, seen.amount]);
    expect(payments[0].lines).toMatchObject(wanted);
  },
);

test('staff are notified of items that were sold more often at Stripe, and not of users whom a customer adds', async () => {
  const order = await running();
  const users = { users: 25, backup: true };
  await order.change({ ...users, from: BOUGHT });
  await shop.fake.settled();
  expect(await toldOf(shop, order, 'order-lines-changed')).toEqual([]);
  await edit(order, ({ items }) => {
    const [plan, , backup] = items.data;
    if (plan) plan.quantity = 2;
    if (backup) backup.quantity = 22;
  });
  expect(await toldOf(shop, order, 'order-lines-changed')).toEqual(['mail-staff']);
  const told = await notes(order);
  for (const words of ['Added: Professional plan', 'Removed: Cloud backup, 3 users × $4.95'])
    expect(told).toContainEqual(expect.stringContaining(words));
  const [plan] = (await seenByStaff(shop, order.orderId)).price.lines;
  expect(plan).toMatchObject({ quantity: 2, amount: 1700 });
});

test('users whom staff set to 0 at Stripe are no new price', async () => {
  const order = await running();
  await edit(order, ({ items }) => {
    const [, users] = items.data;
    if (users) users.quantity = 0;
  });
  expect((await seenByStaff(shop, order.orderId)).amount).toBe(949);
  expect((await notes(order)).join()).not.toContain('Price changed');
});

test('a plan that staff charge as a product of their own is named by it, and said to be by agreement', async () => {
  const order = await running();
  const sold = { id: 'prod_own', object: 'product', name: 'Managed IT' } as const;
  shop.fake.state.product.set(sold.id, sold);
  await edit(order, ({ items: { data } }) => {
    for (const item of data.slice(0, 1)) item.price = { ...item.price, product: sold.id };
  });
  expect(await notes(order)).toContainEqual(
    expect.stringMatching(/Professional plan, 20 users .* → a plan by agreement, 20 users/),
  );
  await renew(shop, order);
  const [month] = (await order.account()).payments;
  expect(month.lines[0]).toMatchObject({ label: 'Managed IT', amount: 850 });
});

test('users whom staff sell at another price at Stripe count with the others, and only staff change their number', async () => {
  const order = await running();
  await edit(order, ({ items }) => {
    const [, users] = items.data;
    if (!users) throw new Error('the subscription has no users');
    const price = { ...users.price, unit_amount: 1100 };
    items.data.push({ ...users, id: 'si_more_users', price, quantity: 5 });
  });
  const { order: seen, running: plan } = await order.account();
  expect([seen.amount, plan.next.total, seen.ms365Users]).toEqual([1254, 1254, 25]);
  const from = { users: 25, backup: true };
  const refused = await order.ask('preview', { users: 30, backup: true, from });
  expect([refused.status, refused.json.message]).toEqual([
    409,
    'Our team set up your plan for you. Please contact us to change it.',
  ]);
});

test('a plan that staff bill by the year at Stripe is by agreement: no page and no mail has a monthly sum', async () => {
  const order = await running();
  await edit(order, ({ items }) => {
    for (const item of items.data) {
      const unit_amount = (item.price.unit_amount ?? 0) * 11;
      item.price = { ...item.price, unit_amount, recurring: { interval: 'year' } };
      if (item.quantity === 20) item.quantity = 25;
    }
  });
  const { order: seen, running: plan } = await order.account();
  expect(seen).toMatchObject({ amount: null, price: null, byAgreement: true });
  expect(plan.next.total).toBe(11 * (850 + 25 * 17.45));
  expect(await toldOf(shop, order, 'order-interval-changed')).toEqual(['mail-staff']);
  expect(await notes(order)).toContainEqual(expect.stringContaining('not each month (year)'));
  const from = { users: 25, backup: true };
  expect((await order.ask('preview', { users: 30, backup: true, from })).status).toBe(409);
  await renew(shop, order);
  const { payments } = await order.account();
  expect(payments[0]).toMatchObject({ state: 'paid', amount: plan.next.total });
  const { periodStart, periodEnd } = payments[0];
  expect(Date.parse(periodEnd) - Date.parse(periodStart)).toBeGreaterThan(300 * 86_400_000);
});

test('a change that staff bill at once at Stripe is told as a payment, not as another month', async () => {
  const order = await running();
  const invoice = shop.fake.renew(order.id, { pay: true });
  for (const { parent } of invoice?.lines.data ?? [])
    Object.assign(parent, { subscription_item_details: { proration: true } });
  await shop.fake.settled();
  const told = await notes(order);
  expect(told).toContainEqual(expect.stringContaining('Paid: $1,199.00'));
  expect(told.join()).not.toContain('Renewed');
});

test('a plan that staff bill by invoice from now on at Stripe owes each month from its due day, and no card is blamed', async () => {
  const order = await running();
  await collect(order, 'send_invoice');
  expect(await notes(order)).toEqual([]);
  const month = await renew(shop, order, {});
  shop.fake.finalize(month.id);
  shop.fake.passDueDate(month.id);
  await shop.fake.settled();
  expect(await seenByStaff(shop, order.orderId)).toMatchObject({
    status: 'paid',
    payment: { collection: 'invoice' },
    owed: [{ number: month.number, remaining: 1199 }],
  });
  expect(await toldOf(shop, order, 'order-renewal-failed')).toEqual([]);
  shop.fake.receiveMoney(month.id, 'us_bank_account');
  await shop.fake.settled();
  expect(await toldOf(shop, order, 'order-renewed')).toEqual(['mail-customer']);
});

test('a card that is declined on the page of an invoice is reported as no returned debit', async () => {
  const order = await running();
  await collect(order, 'send_invoice');
  const month = await renew(shop, order, {});
  const { payments } = shop.fake.finalize(month.id);
  const intent = shop.fake.state.payment_intent.get(payments.data[0]?.payment.payment_intent ?? '');
  shop.fake.confirmCard(intent?.client_secret ?? '', '4000000000000002');
  await shop.fake.settled();
  expect(await seenByStaff(shop, order.orderId)).toMatchObject({
    status: 'paid',
    payment: { state: 'sent' },
  });
  expect(await toldOf(shop, order, 'order-debit-returned')).toEqual([]);
});

test('a month that a card did not pay can be paid at Stripe, and by check, once staff bill the plan by invoice', async () => {
  const order = await running();
  await renew(shop, order, { pay: false });
  await collect(order, 'send_invoice');
  expect(await seenByStaff(shop, order.orderId)).toMatchObject({
    status: 'past_due',
    payment: { collection: 'invoice', state: 'overdue' },
    owed: [{ remaining: 1199 }],
  });
  const { payments } = await order.account();
  expect(payments[0]).toMatchObject({ state: 'open', payUrl: expect.stringMatching(/^https:/) });
  const marked = await press(shop, order.orderId, 'mark-paid', { reference: 'Check 7' });
  expect([marked.status, marked.json.status]).toEqual([200, 'paid']);
});

test('a new card does not pay the invoice that was sent before staff had a card charged each month again, which is still shown as owed', async () => {
  const order = await running();
  await collect(order, 'send_invoice');
  const sent = await renew(shop, order, {});
  shop.fake.finalize(sent.id);
  await collect(order, 'charge_automatically');
  const { clientSecret } = (await order.ask('card')).json;
  shop.fake.confirmCard(clientSecret, '5555555555554444');
  const { status, json } = await order.ask('card/use', { clientSecret });
  expect([status, json.running.card.last4]).toEqual([200, '4444']);
  expect(sent).toMatchObject({ status: 'open', amount_paid: 0 });
  const payment = { collection: 'card', state: 'sent', dueDay: expect.any(String) };
  expect(await seenByStaff(shop, order.orderId)).toMatchObject({ status: 'paid', payment });
  await renew(shop, order);
  const overdue = { ...payment, state: 'overdue' };
  const { db } = shop.app.database;
  await db
    .updateTable('invoices')
    .set({ dueDay: '2026-01-01' })
    .where('id', '=', sent.id)
    .execute();
  Object.assign(sent, { due_date: Date.parse('2026-01-01T17:00:00Z') / 1000 });
  await followInvoices(intervalsOf(shop), () => false);
  expect(await seenByStaff(shop, order.orderId)).toMatchObject({
    status: 'paid',
    payment: overdue,
  });
});

test('a plan that staff end within the hour after its renewal is not charged for the new month', async () => {
  const order = await running();
  const draft = await renew(shop, order, { draft: true });
  expect(await endNow(order)).toBe(200);
  shop.fake.chargeDraft(draft.id);
  await shop.fake.settled();
  expect(draft.amount_paid).toBe(0);
  expect((await rowOf(shop, order.orderId)).charges).toHaveLength(1);
  expect(await toldOf(shop, order, 'order-invoice-stuck')).toEqual([]);
});

test('a plan that Stripe refuses to end within the hour after its renewal is charged for the new month', async () => {
  const order = await running();
  const draft = await renew(shop, order, { draft: true });
  shop.fake.failNext({ how: 'status-403', method: 'DELETE', path: /^\/v1\/subscriptions\/sub_/ });
  expect(await endNow(order)).toBe(409);
  shop.fake.chargeDraft(draft.id);
  await shop.fake.settled();
  expect((await rowOf(shop, order.orderId)).charges).toHaveLength(2);
  expect(await toldOf(shop, order, 'order-invoice-stuck')).toEqual([]);
});

test('a customer who ends a plan that has just renewed reads so, before the new month is billed', async () => {
  const order = await running();
  const shown = (await order.account()).running.periodEnd;
  await renew(shop, order, { draft: true });
  const refused = await order.ask('cancel', { until: shown });
  expect(refused).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('Your plan has changed') },
  });
  const until = (await order.account()).running.periodEnd;
  expect(Date.parse(until)).toBeGreaterThan(Date.parse(shown));
  expect((await order.ask('cancel', { until })).json.order.endsAt).toBe(until);
});

test('an order whose customer staff delete at Stripe has ended, and keeps its payments', async () => {
  const order = await running();
  shop.fake.state.customer.delete(order.subscription.customer);
  shop.fake.cancelSubscription(order.id);
  await shop.fake.settled();
  expect((await rowOf(shop, order.orderId)).status).toBe('canceled');
  expect(await toldOf(shop, order, 'order-ended')).toEqual(BOTH);
  expect((await order.account()).payments).toMatchObject([{ state: 'paid', amount: 1199 }]);
});

test('an end that is reported days later is stored with its day', async () => {
  const order = await running();
  shop.fake.autoDeliver(null);
  shop.fake.cancelSubscription(order.id);
  shop.fake.autoDeliver(shop.webhook);
  const day = shop.fake.now() - 3 * 24 * 3600;
  await edit(order, (subscription) => {
    subscription.ended_at = day;
  });
  const events = await readEvents(shop.app.database.db, order.orderId);
  expect(events.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ kind: 'ended', endedAt: day * 1000 }),
  );
});

test('what a credit of staff exceeds the month by is kept, and called so', async () => {
  const order = await running();
  shop.fake.addToNextBill(order.id, 'Goodwill', -2_000_00);
  await renew(shop, order, {});
  const { text } = await shop.staff.get('/api/admin/payments/download');
  expect(text).toContain('Goodwill −$2,000.00, Kept as credit $801.00');
});

test('a month that a credit paid in full is no payment: staff refund the one before', async () => {
  const order = await running();
  credit(order, -500_000);
  await renew(shop, order, {});
  const { status, json } = await press(shop, order.orderId, 'refund', { amount: 50 });
  expect([status, json.message, json.refunded]).toEqual([200, undefined, 50]);
});

test('a credit note of staff’s before a month is paid is no other sum than was asked for', async () => {
  const order = await running();
  const unpaid = await renew(shop, order, { pay: false });
  shop.fake.creditPart(unpaid.id, 100_00);
  shop.fake.retryInvoice(unpaid.id, { pay: true });
  await shop.fake.settled();
  const { payments } = await order.account();
  expect(payments[0]).toMatchObject({ state: 'paid', amount: 1099 });
  expect(await toldOf(shop, order, 'order-payment-differs')).toEqual([]);
});

test('staff are notified of a month that Stripe cannot finalize, with the reason', async () => {
  const order = await running();
  const invoice = await renew(shop, order);
  Object.assign(invoice ?? {}, {
    status: 'draft',
    last_finalization_error: { message: 'The customer’s location is not known' },
  });
  shop.fake.emit('invoice.finalization_failed', invoice ?? {});
  await shop.fake.settled();
  expect((await notes(order)).join()).toContain('The customer’s location is not known');
  expect(await toldOf(shop, order, 'order-invoice-stuck')).toEqual(['mail-staff']);
});

test.each([
  ['void', 'was voided'],
  ['uncollectible', 'was written off'],
] as const)(
  'a failed month that is made %s at Stripe is no longer overdue, nor taken for a paid one',
  async (how, words) => {
    const order = await running();
    const unpaid = await renew(shop, order, { pay: false });
    shop.fake.waiveInvoice(unpaid.id, how);
    await shop.fake.settled();
    expect((await notes(order)).filter((note) => note.includes(words))).toHaveLength(1);
    expect(await toldOf(shop, order, 'order-invoice-stuck')).toEqual(['mail-staff']);
    expect(await statusesOf(shop, order)).toEqual(['pending', 'paid', 'past_due', 'paid']);
    const { payments } = await order.account();
    const states = payments.map(({ state }: { state: string }) => state);
    expect(states.sort()).toEqual(['paid', 'void']);
  },
);

test('staff who cancel an order that has ended at Stripe already are not said to have ended it', async () => {
  const { orderId, id } = await running();
  shop.fake.autoDeliver(null);
  shop.fake.cancelSubscription(id);
  const { version } = await seenByStaff(shop, orderId);
  const path = `/api/orders/${orderId}/update-status`;
  await shop.staff.move().post(path, { status: 'canceled', version });
  const { history } = await seenByStaff(shop, orderId);
  const ends = history.filter(({ status }: { status: string }) => status === 'canceled');
  expect(ends).toEqual([expect.objectContaining({ cause: expect.not.stringContaining('admin') })]);
});
