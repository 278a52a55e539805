/** With sales tax on, buyers read the tax and the total that is charged. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayAfter } from '../../../src/company/days.ts';
import { eventually } from '../../support/eventually.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { ownContent } from '../../support/own-content.ts';
import { ownPage } from '../../support/own-page.ts';
import { quoteByStaff } from '../../support/staff-quote.ts';
import {
  atStripe,
  PURCHASE,
  paidOrder,
  seenByStaff,
  sharedShop,
  submit,
  toldOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const AMOUNT = PURCHASE.amount * 100;
const TAX = 9592;
const { company } = ownContent();

const mailbox = await Mailbox.start();
afterAll(() => mailbox.stop());
const shop = sharedShop({ STRIPE_TAX: 'on', ...mailbox.variables }, { taxPercent: 8 });
beforeAll(() => shop.fake.autoDeliver(shop.webhook));

describe('with sales tax on', () => {
  test('a buyer must enter a ZIP code', async () => {
    const missing = await submit(shop.app.visitor());
    expect(missing.status).toBe(400);
    expect(missing.json.errors[0].path).toBe('postalCode');
  });

  test('order, order page and receipt show the tax and the total charged to the card', async () => {
    const visitor = shop.app.visitor();
    const email = 'taxed@example.com';
    const placed = await submit(visitor, { email, postalCode: '30060' });
    expect(placed.json.amount).toBe(PURCHASE.amount);
    shop.fake.confirmCard(placed.json.clientSecret, '4242424242424242');
    await shop.fake.settled();
    const [charge] = shop.fake.state.charge.values();
    expect(charge?.amount).toBe(AMOUNT + TAX);
    const seen = { status: 'paid', amount: PURCHASE.amount, price: { tax: TAX / 100 } };
    expect((await visitor.get(`/api/orders/${placed.json.orderId}`)).json).toMatchObject(seen);
    expect(await seenByStaff(shop, placed.json.orderId)).toMatchObject(seen);
    await eventually(() => expect(mailbox.to(email)).toHaveLength(1));
    const [receipt] = mailbox.to(email);
    const rows = receipt?.text?.split('\n').filter((line) => line.includes('$'));
    expect(rows?.slice(-2)).toEqual(['    $95.92  Sales tax', ' $1,294.92  Amount paid']);
    expect(receipt?.html).toContain('$95.92');
    expect(receipt?.html).toContain('$1,294.92');
  });

  test.each([
    ['lowers', { ms365Users: 20, amount: 1_199 }, 18, { amount: 1_164.1, price: { tax: 93.13 } }],
    ['raises', { ms365Users: 1, amount: 867.45 }, 1_000, { amount: 18_300, price: { tax: 1_464 } }],
  ])(
    'a customer who %s the users reads the tax that Stripe will charge, to the cent',
    async (_how, choice, users, seen) => {
      const { visitor, orderId } = await paidOrder(shop, { ...choice, postalCode: '30060' });
      const { change } = await ownPage(shop.app, orderId, visitor);
      await change({ users, backup: true, from: { users: choice.ms365Users, backup: true } });
      expect((await visitor.get(`/api/orders/${orderId}`)).json).toMatchObject(seen);
    },
  );

  test.each([
    ['with the month', {}, 1_199],
    ['before a start day', { startsOn: dayAfter(company, Date.now(), 40) }, 0],
  ])('the sums of a receipt for a fee %s add up, tax included', async (how, deal, month) => {
    const email = `fee-${month}@example.com`;
    const once = [{ label: 'Onboarding', amount: 100.5 }];
    const { token: quote } = await quoteByStaff(shop.staff, { email, once, ...deal });
    const dueToday = month + 100.5;
    const bought = { email, quote, dueToday, postalCode: '30060' };
    const { clientSecret } = (await submit(shop.app.visitor(), bought)).json;
    shop.fake.confirmCard(clientSecret, '4242424242424242');
    await shop.fake.settled();
    await eventually(() => expect(mailbox.to(email)).toHaveLength(1));
    const rows = mailbox
      .to(email)[0]
      ?.text?.split('\n')
      .filter((line) => / \$[\d,.]+ {2}/.test(line));
    const paid = (dueToday * 1.08).toLocaleString('en-US', { minimumFractionDigits: 2 });
    expect(
      rows?.slice(-3).map((line) => line.trim()),
      how,
    ).toEqual(['$100.50  Onboarding, once', '$8.04  Sales tax, once', `$${paid}  Amount paid`]);
  });

  test('a receipt with a change of the month says no monthly total that is not charged', async () => {
    const email = 'less@example.com';
    const placed = await paidOrder(shop, { email, postalCode: '30060' });
    const { change } = await ownPage(shop.app, placed.orderId, placed.visitor);
    await change({ users: 10, backup: true, from: { users: 20, backup: true } });
    const { id } = await atStripe(shop, placed);
    shop.fake.renew(id, { pay: true });
    await eventually(() => expect(mailbox.to(email)).toHaveLength(3));
    const { text = '' } = mailbox.to(email).at(-1) ?? {};
    expect(text).toMatch(/Changes to the plan, once\n +\$\d+\.\d\d {2}Sales tax\n/);
    expect(text).not.toContain('Monthly total');
  });

  test('a plan that ends after a change keeps the tax of its month until then', async () => {
    const { visitor, orderId } = await paidOrder(shop, { postalCode: '30060' });
    const { change, ask } = await ownPage(shop.app, orderId, visitor);
    await change({ users: 10, backup: true, from: { users: 20, backup: true } });
    const { price } = await seenByStaff(shop, orderId);
    await ask('cancel');
    expect((await seenByStaff(shop, orderId)).price).toEqual(price);
  });

  test('a buyer with an unknown ZIP code reads so at the field and can correct it', async () => {
    const visitor = shop.app.visitor();
    const email = 'nowhere@example.com';
    const unknown = await submit(visitor, { email, postalCode: '00000' });
    expect(unknown.status).toBe(400);
    expect(unknown.json.errors[0].path).toBe('postalCode');
    expect((await submit(visitor, { email, postalCode: '30060' })).status).toBe(200);
  });

  /** A new quote; returns its id and how somebody pays it. */
  async function quoted() {
    const { id, token: quote } = await quoteByStaff(shop.staff);
    // Events of the orders before ask for previews, too.
    await shop.fake.settled();
    const pay = (postalCode = '30060', key?: string) =>
      submit(shop.app.visitor(), { quote, postalCode }, key);
    return { id, pay };
  }
  /** Something happens while Stripe checks a ZIP code, once. */
  function meanwhile(act: () => Promise<unknown>) {
    shop.fake.beforeRequests(async (path) => {
      if (!path.endsWith('create_preview')) return;
      shop.fake.beforeRequests(null);
      await act();
    });
  }

  test('an order of a quote that is sent twice at once is one, and neither request cancels it', async () => {
    const { pay } = await quoted();
    let first: ReturnType<typeof pay> | undefined;
    meanwhile(() => {
      first = pay('30060', 'sent-twice');
      return first;
    });
    const second = await pay('30060', 'sent-twice');
    expect(second).toMatchObject({ status: 200, json: (await first)?.json });
    expect((await seenByStaff(shop, second.json.orderId)).status).toBe('pending');
  });

  test('an order of a quote that changes while it is placed is refused, and can be placed again', async () => {
    const { id, pay } = await quoted();
    const before = shop.fake.subscriptionCount();
    meanwhile(() =>
      shop.app.database.db
        .updateTable('quotes')
        .set({ changedAt: Date.now() + 1 })
        .where('id', '=', id)
        .execute(),
    );
    const message =
      'This quote has just been changed or is being paid. Please open its link again.';
    expect(await pay()).toMatchObject({ status: 409, json: { message } });
    expect(shop.fake.subscriptionCount()).toBe(before);
    expect((await pay()).status).toBe(200);
  });

  test('a buyer with an unknown ZIP code does not cancel the order of another payer of the quote', async () => {
    const { pay } = await quoted();
    const first = await pay();
    expect(first.status).toBe(200);
    const unknown = await pay('00000');
    expect([unknown.status, unknown.json.errors[0].path]).toEqual([400, 'postalCode']);
    expect((await seenByStaff(shop, first.json.orderId)).status).toBe('pending');
    expect((await pay('30061')).status).toBe(200);
    expect((await seenByStaff(shop, first.json.orderId)).status).toBe('canceled');
  });
});

test('a customer whose tax changes, or ends, reads the new one at once, and pays it', async () => {
  const { visitor, orderId } = await paidOrder(shop, { postalCode: '30060' });
  const { account } = await ownPage(shop.app, orderId, visitor);
  const { id, customer } = await atStripe(shop, { orderId });
  shop.fake.setTax(10);
  shop.fake.renew(id, { pay: true });
  await shop.fake.settled();
  const { order, payments, running } = await account();
  expect([order.price.tax, payments[0].tax, running.next.tax]).toEqual([119.9, 119.9, 119.9]);
  shop.fake.editCustomer(customer, (exempt) => {
    exempt.tax_exempt = 'exempt';
  });
  await shop.fake.settled();
  expect((await account()).order.price).toMatchObject({ tax: 0, total: PURCHASE.amount });
});

test('a customer whose sales tax is switched off at Stripe, or set there by hand, reads what is charged', async () => {
  const { visitor, orderId } = await paidOrder(shop, { postalCode: '30060' });
  const { account } = await ownPage(shop.app, orderId, visitor);
  const { id } = await atStripe(shop, { orderId });
  const totals = async () => {
    await shop.fake.settled();
    const { order, running } = await account();
    return [order.price.total, running.next.total];
  };
  shop.fake.editSubscription(id, ({ automatic_tax: tax }) => {
    tax.enabled = false;
  });
  expect(await totals()).toEqual([PURCHASE.amount, PURCHASE.amount]);
  shop.fake.editSubscription(id, ({ default_tax_rates: rates }) => {
    rates.push({ percentage: 5 });
  });
  expect(await totals()).toEqual([1258.95, 1258.95]);
});

describe.each([
  ['', false],
  [', if a preview says no more than that', true],
])('a customer whose place Stripe no longer knows%s', (_, uncertain) => {
  const off = sharedShop({ ...WITH_MAIL, STRIPE_TAX: 'on' }, { taxPercent: 8, uncertain });
  beforeAll(() => off.fake.autoDeliver(off.webhook));

  async function displaced() {
    const placed = await paidOrder(off, { postalCode: '30060' });
    const page = await ownPage(off.app, placed.orderId, placed.visitor);
    const { id, customer } = await atStripe(off, placed);
    off.fake.editCustomer(customer, (moved) => {
      moved.address = null;
    });
    await off.fake.settled();
    return { ...page, ...placed, id };
  }

  test('reads and pays the month without its tax, which staff are told once', async () => {
    const deal = await displaced();
    const { order, running } = await deal.account();
    expect([order.price.total, running.next]).toMatchObject([
      PURCHASE.amount,
      { total: PURCHASE.amount, tax: 0 },
    ]);
    off.fake.renew(deal.id, { pay: true });
    await off.fake.settled();
    const [newest] = (await deal.account()).payments;
    expect(newest).toMatchObject({ state: 'paid', amount: PURCHASE.amount, tax: 0 });
    expect(await toldOf(off, deal, 'order-not-taxed')).toEqual(['mail-staff']);
    const { changes } = await seenByStaff(off, deal.orderId);
    const told = changes.filter(({ text }: { text: string }) => text.includes('sales tax'));
    expect(told).toHaveLength(1);
  });

  test('is told again when it moves once more', async () => {
    const deal = await displaced();
    const { id, customer } = await atStripe(off, deal);
    const moveTo = async (address: { postal_code: string; country: string } | null) => {
      off.fake.editCustomer(customer, (moved) => {
        moved.address = address;
      });
      off.fake.editSubscription(id, ({ automatic_tax: tax }) => {
        tax.enabled = true;
      });
      await off.fake.settled();
    };
    await moveTo({ postal_code: '30060', country: 'US' });
    expect((await deal.account()).order.price.total).toBeGreaterThan(PURCHASE.amount);
    await moveTo(null);
    expect(await toldOf(off, deal, 'order-not-taxed')).toEqual(['mail-staff', 'mail-staff']);
  });

  test('as its plan ends with a last bill is told once', async () => {
    const placed = await paidOrder(off, { postalCode: '30060' });
    const { ask } = await ownPage(off.app, placed.orderId, placed.visitor);
    const { id, customer } = await atStripe(off, placed);
    await ask('cancel');
    off.fake.addToNextBill(id, 'On-site visit', 300_00);
    for (const name of ['Dana Whitfield', 'Dana W. Whitfield']) {
      off.fake.editCustomer(customer, (moved) => Object.assign(moved, { name, address: null }));
      await off.fake.settled();
    }
    expect(await toldOf(off, placed, 'order-not-taxed')).toEqual(['mail-staff']);
  });

  test('changes users at the price shown, and the card', async () => {
    const { change, ask, id, account } = await displaced();
    const users = { users: 10, backup: true, from: { users: 20, backup: true } };
    const { shown, now } = await change(users);
    expect(now.running.next.total).toBe(shown.next.total);
    const { clientSecret } = (await ask('card')).json;
    off.fake.confirmCard(clientSecret, '5555555555554444');
    expect((await ask('card/use', { clientSecret })).status).toBe(200);
    off.fake.renew(id, { pay: true });
    await off.fake.settled();
    const [newest] = (await account()).payments;
    expect(newest).toMatchObject({ state: 'paid', amount: shown.next.total });
  });
});

test('the tax that staff’s own price includes is not added to it', async () => {
  shop.fake.setTax(8);
  const placed = await paidOrder(shop, { email: 'included@example.com', postalCode: '30060' });
  const { account } = await ownPage(shop.app, placed.orderId, placed.visitor);
  const { id } = await atStripe(shop, placed);
  shop.fake.state.product.set('prod_phone', {
    id: 'prod_phone',
    object: 'product',
    name: 'Phone',
  });
  shop.fake.editSubscription(id, ({ items: { data } }) => {
    const [plan] = data;
    if (!plan) throw new Error('the subscription has no items');
    const phone = {
      product: 'prod_phone',
      unit_amount: 20_00,
      tax_behavior: 'inclusive' as const,
    };
    data.push({ ...plan, id: 'si_included', price: { ...plan.price, ...phone }, quantity: 3 });
  });
  await shop.fake.settled();
  const { order, running } = await account();
  expect(order.price).toMatchObject({ tax: 95.92, total: 1354.92 });
  expect(running.next).toMatchObject({ tax: 95.92, total: 1354.92 });
  shop.fake.renew(id, { pay: true });
  await shop.fake.settled();
  expect((await account()).payments[0]).toMatchObject({ amount: 1354.92, tax: 95.92 });
});
