/** With sales tax on, buyers read the tax and the total that is charged. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { linkOf, shownPrice } from '../../support/own-page.ts';
import {
  openShop,
  PURCHASE,
  paidOrder,
  type StripeShop,
  seenByStaff,
  submit,
} from '../../support/stripe-shop.ts';

const AMOUNT = PURCHASE.amount * 100;
const TAX = 9592;

let shop: StripeShop;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  shop = await openShop({ STRIPE_TAX: 'on', ...mailbox.variables }, { taxPercent: 8 });
  shop.fake.autoDeliver(shop.webhook);
});
afterAll(async () => {
  await shop.close();
  await mailbox.stop();
});

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
    const seen = { status: 'paid', amount: PURCHASE.amount, tax: TAX / 100 };
    expect((await visitor.get(`/api/orders/${placed.json.orderId}`)).json).toMatchObject(seen);
    expect(await seenByStaff(shop, placed.json.orderId)).toMatchObject(seen);
    await eventually(() => expect(mailbox.to(email)).toHaveLength(1));
    const [receipt] = mailbox.to(email);
    const rows = receipt?.text?.split('\n').filter((line) => line.includes('$'));
    expect(rows?.map((line) => line.split(/ {2,}/)).slice(-3)).toEqual([
      ['Sales tax', '$95.92'],
      ['Total per month', '$1,294.92'],
      ['Total:', '$1,294.92'],
    ]);
    expect(receipt?.html).toContain('$95.92');
    expect(receipt?.html).toContain('$1,294.92');
  });

  test('a customer who lowers the users reads the tax of the new amount, to the cent', async () => {
    const { visitor, orderId } = await paidOrder(shop, { postalCode: '30060' });
    const { token } = await linkOf(shop.app, orderId);
    const ask = (what: string, body: object) =>
      visitor.post(`/api/order-page/${what}`, { token, ...body });
    const fewer = { users: 18, backup: true, from: { users: 20, backup: true } };
    const { json } = await ask('preview', fewer);
    expect((await ask('change', { ...fewer, ...shownPrice(json) })).status).toBe(200);
    const seen = { amount: 1_164.1, tax: 93.13 };
    expect((await visitor.get(`/api/orders/${orderId}`)).json).toMatchObject(seen);
  });

  test('a buyer with an unknown ZIP code reads so at the field and can correct it', async () => {
    const visitor = shop.app.visitor();
    const email = 'nowhere@example.com';
    const unknown = await submit(visitor, { email, postalCode: '00000' });
    expect(unknown.status).toBe(400);
    expect(unknown.json.errors[0].path).toBe('postalCode');
    expect((await submit(visitor, { email, postalCode: '30060' })).status).toBe(200);
  });

  test('a buyer with an unknown ZIP code does not cancel the order of another payer of the quote', async () => {
    const { planId, name, email, ms365Option, ms365Users, includeCloudBackup } = PURCHASE;
    const choice = { planId, name, email, ms365Option, ms365Users, includeCloudBackup };
    const made = { ...choice, discount: null, days: 30, send: false };
    const { json: quoted } = await shop.staff.post('/api/admin/quotes', made);
    const link = await shop.staff.post(`/api/admin/quotes/${quoted.id}/link`, {});
    const quote = link.json.url.split('/').at(-1);
    const pay = (postalCode: string) => submit(shop.app.visitor(), { quote, postalCode });
    const first = await pay('30060');
    expect(first.status).toBe(200);
    const unknown = await pay('00000');
    expect([unknown.status, unknown.json.errors[0].path]).toEqual([400, 'postalCode']);
    expect((await seenByStaff(shop, first.json.orderId)).status).toBe('pending');
    expect((await pay('30061')).status).toBe(200);
    expect((await seenByStaff(shop, first.json.orderId)).status).toBe('canceled');
  });
});
