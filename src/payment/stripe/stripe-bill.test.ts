/** What is read off a bill of Stripe's besides its sum, from its events and from the API. */
import { describe, expect, test } from 'vitest';
import { newOrders } from '../../../tests/support/order-at-stripe.ts';
import {
  GOOD,
  month,
  openSubscriptions,
  runningOrder,
} from '../../../tests/support/running-subscription.ts';
import { sharedShop } from '../../../tests/support/stripe-shop.ts';
import { readStripeEvent } from './events/stripe-event.server.ts';
import { billed, brandName, cardsByPayment, detailsOf, withMonths } from './stripe-state.server.ts';

const line = (proration: boolean, start: number) => ({
  period: { start, end: start + 9 },
  parent: { subscription_item_details: { proration } },
});

describe('a bill', () => {
  test('tells its number, its tax, and the month of its first whole line', () => {
    const bill = {
      number: 'A-1',
      total_taxes: [{ amount: 5 }, { amount: -2 }],
      lines: { data: [line(true, 1), line(false, 7), line(false, 8)] },
    };
    expect(detailsOf(bill)).toEqual({
      number: 'A-1',
      tax: 3,
      periodStart: 7000,
      periodEnd: 16_000,
    });
  });

  test.each([
    [{}, {}],
    [{ number: null, total_taxes: null, lines: null }, {}],
    [{ number: 'A-1', lines: { data: [line(true, 1)] } }, { number: 'A-1' }],
    [{ total_taxes: [] }, { tax: 0 }],
    [{ lines: { data: [{ period: { start: 1, end: 2 }, parent: null }] } }, {}],
    [{ lines: { data: [{ ...line(false, 1), parent: { subscription_item_details: null } }] } }, {}],
    [{ number: 7, total_taxes: [{ amount: 5 }] }, {}],
    [null, {}],
  ])('that is %j tells %j', (bill, details) => {
    expect(detailsOf(bill)).toEqual(details);
  });
});

test.each([
  ['visa', 'Visa'],
  ['amex', 'American Express'],
  ['cartes_bancaires', 'Cartes Bancaires'],
  ['diners', 'Diners Club'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['mastercard', 'Mastercard'],
  ['unionpay', 'UnionPay'],
  ['unknown', 'Card'],
  [null, 'Card'],
])('the brand %s is written %s', (brand, written) => {
  expect(brandName(brand)).toBe(written);
});

test('a card is known by the payment that it was charged for, once that was paid', () => {
  const card = { brand: 'visa', last4: '4242' };
  const charges = [
    { paid: true, payment_intent: 'pi_1', payment_method_details: { card } },
    { paid: true, payment_intent: { id: 'pi_2' }, payment_method_details: { card } },
    { paid: false, payment_intent: 'pi_3', payment_method_details: { card } },
    { paid: true, payment_intent: null, payment_method_details: { card } },
    { paid: true, payment_intent: 'pi_5', payment_method_details: { us_bank_account: {} } },
    { paid: true, payment_intent: 'pi_6', payment_method_details: null },
  ];
  const by = { cardBrand: 'Visa', cardLast4: '4242' };
  expect([...cardsByPayment(charges as never)]).toEqual([
    ['pi_1', by],
    ['pi_2', by],
  ]);
});

test('all lines are asked for of the newest bills that do not tell their month, and of no others', async () => {
  const asked: string[] = [];
  const whole = { data: [line(true, 1), line(false, 7)], has_more: false };
  const stripe = {
    invoices: {
      async listLineItems(id: string) {
        asked.push(id);
        return whole;
      },
    },
  };
  const long = { data: [line(true, 1)], has_more: true };
  const bill = (id: string | undefined, lines: object) => ({ id, lines });
  const others = [
    bill('in_told', { data: [line(false, 1)], has_more: true }),
    bill('in_short', { data: [line(true, 1)], has_more: false }),
    bill(undefined, long),
  ];
  const young = Array.from({ length: 9 }, (_, place) => bill(`in_${place}`, long));
  const bills = [...others, ...young, bill('in_old', long)];
  const full = await withMonths(stripe as never, bills as never);
  expect(asked).toEqual(young.map(({ id }) => id));
  expect(full.map(({ lines }) => lines)).toEqual([
    ...others.map(({ lines }) => lines),
    ...young.map(() => whole),
    long,
  ]);
});

test('the card is that of the payment by which the bill was paid', () => {
  const by = { cardBrand: 'Visa', cardLast4: '4242' };
  const payments = [
    { type: 'payment_record' },
    { payment_intent: 'pi_no' },
    { payment_intent: 'pi' },
  ];
  const bill = (data: object[]) => ({
    id: 'in_1',
    created: 1,
    amount_paid: 2,
    status: 'paid',
    payments: { data: data.map((payment) => ({ payment })) },
  });
  const read = (data: object[]) => billed(bill(data) as never, new Map([['pi', by]]));
  expect(read(payments)).toMatchObject([{ id: 'in_1', ...by }]);
  expect(read([])[0]).not.toHaveProperty('cardLast4');
});

describe('what the order’s bills tell', () => {
  const shop = sharedShop({}, { taxPercent: 8 });
  const newOrder = newOrders(shop);
  const where = { country: 'US', postal_code: '30301' };

  async function renewed(changes: number) {
    const made = await runningOrder(shop, newOrder);
    const { order, subscription, period } = made;
    const customer = shop.fake.state.customer.get(subscription.customer);
    Object.assign(customer ?? {}, { address: where });
    subscription.automatic_tax.enabled = true;
    const { gateway, subscriptions } = openSubscriptions(shop);
    for (let change = 1; change <= changes; change += 1) {
      const at = (period.start + (change - 1) * 60) * 1000;
      const lines = month(20 + change);
      expect(await subscriptions.change(order, { lines, at }, `${change}`)).toBe('done');
    }
    const before = shop.fake.events.length;
    const invoice = shop.fake.renew(subscription.id, { pay: true });
    const paid = shop.fake.events.slice(before).find(({ type }) => type === 'invoice.paid');
    const state = async () => {
      const found = await gateway.fetchPaymentState(order);
      if (found === 'away') throw new Error('away');
      return found;
    };
    const [{ current_period_start: start = 0, current_period_end: end = 0 } = {}] =
      subscription.items.data;
    const months = { periodStart: start * 1000, periodEnd: end * 1000 };
    return { invoice, paid, state, months };
  }
  const card = { cardBrand: 'Visa', cardLast4: GOOD.slice(-4) };

  test('is the renewed month, and the card that paid for it', async () => {
    const { invoice, paid, state, months } = await renewed(1);
    const bill = { number: invoice?.number, tax: 9872, amount: 133_262, ...months };
    const [newest, first] = (await state()).invoices ?? [];
    expect(newest).toMatchObject({ ...bill, ...card, renewal: true });
    expect(first).toMatchObject({ ...card, tax: 0, renewal: false });
    const news = paid && readStripeEvent(paid, paid.object);
    expect(news?.says.invoices).toMatchObject([bill]);
    expect(news?.says.invoices?.[0]).not.toHaveProperty('cardLast4');
  });

  test('is so also after more changes than a bill carries lines of', async () => {
    const { invoice, paid, state, months } = await renewed(3);
    expect(invoice?.lines.has_more).toBe(true);
    expect((await state()).invoices?.[0]).toMatchObject({ ...months, ...card });
    const news = paid && readStripeEvent(paid, paid.object);
    expect(news?.says.invoices?.[0]).toMatchObject({ number: invoice?.number });
    expect(news?.says.invoices?.[0]).not.toHaveProperty('periodStart');
  });

  test.each([
    ['the cards', '/v1/charges', 'cardLast4'],
    ['the month', /\/lines$/, 'periodEnd'],
  ])('is told without %s while Stripe does not tell that', async (_what, path, missing) => {
    const { state } = await renewed(3);
    shop.fake.failNext({ how: 'status-500-kept', path });
    const { invoices, partial } = await state();
    expect(partial).toBe(false);
    expect(invoices?.[0]).toMatchObject({ paid: true, tax: expect.any(Number) });
    expect(invoices?.[0]).not.toHaveProperty(missing);
    expect((await state()).invoices?.[0]).toHaveProperty(missing);
  });
});
