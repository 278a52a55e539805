/** What a quote promises is what is charged, and its discount stays in sight. */
import { beforeAll, describe, expect, test } from 'vitest';
import { happen, linkOf, ownPage } from '../../support/own-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { RISE, sharedPriceSite } from '../../support/price-site.ts';
import { orderByQuote, QUOTE } from '../../support/quote-site.ts';
import { acceptanceOf, quoteByStaff } from '../../support/staff-quote.ts';
import { sharedShop, submit, subscriptionOf } from '../../support/stripe-shop.ts';

const TENTH = { discount: { kind: 'percent', value: 10, reason: 'Two stores' } };
const OFF = '10% off the plan';

interface Shown {
  discount: { label: string; amount: number };
  lines: { amount: number; off?: { label: string; amount: number } }[];
}

describe('with the test gateway', () => {
  const site = sharedPriceSite();
  let people = 0;

  /** The order of a discounted quote; its first month is paid. */
  async function bought(dueDays: number | null) {
    people += 1;
    const email = `dana-${people}@fox.example`;
    const quote = await quoteByStaff(site.staff, { ...QUOTE, ...TENTH, email, dueDays });
    const visitor = site.app.visitor();
    const { json } = await visitor.post('/api/quote', { token: quote.token });
    const page = (await visitor.get(`/quote/${quote.token}`)).text;
    if (dueDays !== null) {
      const acceptance = await acceptanceOf(site.app, quote.token);
      const { orderId } = (await visitor.post('/api/quote/accept', acceptance)).json;
      await happen(site.app, orderId, 'invoice_paid');
      return { orderId, visitor, email, quote: json, page };
    }
    const order = orderByQuote(quote.token, { amount: json.amount, email });
    const { orderId, clientSecret } = (await visitor.post('/api/create-payment-intent', order))
      .json;
    await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    return { orderId, visitor, email, quote: json, page };
  }

  test.each([
    [null, 'The same amount is then charged every month until you cancel.'],
    [15, 'We then send an invoice for the same amount every month until you cancel.'],
  ])(
    'who accepts a quote (due in days: %s) pays the same every month, as its terms say',
    async (dueDays, sentence) => {
      const { orderId, quote, page } = await bought(dueDays);
      expect(page).toContain(sentence);
      const renewals = dueDays === null ? ['renewed'] : ['renewed', 'invoice_paid'];
      for (let month = 0; month < 3; month += 1)
        await happen(site.app, orderId, ...(renewals as 'renewed'[]));
      const { db } = site.app.database;
      const invoices = db.selectFrom('invoices').selectAll().where('orderId', '=', orderId);
      const charged = (await invoices.execute()).map(
        ({ amountPaidCents }) => amountPaidCents / 100,
      );
      expect(charged).toEqual(Array.from({ length: 4 }, () => quote.amount));
    },
  );

  test('whoever bought with a discount reads it on order, payments, emails, notice and in the CSV', async () => {
    const { orderId, visitor, email } = await bought(null);
    await happen(site.app, orderId, 'renewed');
    const { price } = (await visitor.get(`/api/orders/${orderId}`)).json;
    expect(price).toMatchObject({ discount: { label: OFF, amount: 45 }, total: 579.5 });
    const { token } = await linkOf(site.app, orderId);
    const { payments } = (await visitor.post('/api/order-page', { token })).json;
    expect(payments.map(({ lines }: Shown) => lines[0]?.off?.amount)).toEqual([45, 45]);
    await expect.poll(() => site.mailbox.to(email)[0]?.text).toContain(OFF);
    const receipt = site.mailbox.to(email)[0]?.text ?? '';
    expect(receipt).toMatch(/ \$450\.00 {2}Essential plan\n/);
    expect(receipt).toMatch(/ −\$45\.00 {2}10% off the plan\n/);
    const { text } = await site.preview(orderId, RISE);
    expect(text).toMatch(/ −\$47\.78 {2}10% off the plan \(was −\$45\.00\)\n/);
    const [names = [], ...rows] = parseCsv(
      (await site.staff.get('/api/admin/orders/download')).text,
    );
    const row = rows.find(([id]) => id === String(orderId));
    expect(row?.[names.indexOf('discount')]).toBe('45.00');
  });
});

describe('at Stripe, which knows no discount of ours', () => {
  const shop = sharedShop();
  let orderId = 0;
  let visitor = {} as ReturnType<typeof shop.app.visitor>;
  beforeAll(async () => {
    shop.fake.autoDeliver(shop.webhook);
    visitor = shop.app.visitor();
    const { token } = await quoteByStaff(shop.staff, TENTH);
    const placed = (await submit(visitor, { amount: 1114, quote: token })).json;
    orderId = placed.orderId;
    shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    await shop.fake.settled();
    const id = await subscriptionOf(shop, { orderId });
    shop.fake.renew(id, { pay: true });
    await shop.fake.settled();
  });

  test('the customer of a discounted quote pays the same again, and reads the discount each time', async () => {
    const { account } = await ownPage(shop.app, orderId, visitor);
    const { order, payments } = await account();
    expect(order.price).toMatchObject({ discount: { label: OFF, amount: 85 }, total: 1114 });
    expect(payments).toMatchObject([
      { amount: 1114, lines: [{ off: { label: OFF, amount: 85 } }, {}, {}] },
      { amount: 1114, lines: [{ off: { label: OFF, amount: 85 } }, {}, {}] },
    ]);
  });
});
