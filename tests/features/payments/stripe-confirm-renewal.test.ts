/** A renewal for which the bank wants the customer's confirmation (3-D Secure). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { linkOf } from '../../support/own-page.ts';
import { ASKS_ALWAYS } from '../../support/running-subscription.ts';
import { openShop, order, type StripeShop, subscriptionOf } from '../../support/stripe-shop.ts';

let mailbox: Mailbox;
let shop: StripeShop;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  shop = await openShop(mailbox.variables);
  shop.fake.autoDeliver(shop.webhook);
});
afterAll(async () => {
  await shop.close();
  await mailbox.stop();
});

test('is confirmed on the bank’s page, to which the mail and the customer’s own page lead', async () => {
  const email = 'asked@example.com';
  const placed = await order(shop, { email });
  shop.fake.confirmCard(placed.clientSecret, ASKS_ALWAYS);
  shop.fake.authenticate(placed.clientSecret, true);
  await shop.fake.settled();
  const invoice = shop.fake.renew(await subscriptionOf(shop, placed), {});
  await shop.fake.settled();

  const subject = 'Please confirm your payment';
  const mails = () => mailbox.to(email).filter((mail) => mail.subject?.startsWith(subject));
  await eventually(() => expect(mails()).toHaveLength(1));
  expect(mails()[0]?.text).toContain('choose “Confirm the payment”');
  expect(mails()[0]?.text).toContain('/checkout/order#');
  const { token } = await linkOf(shop.app, placed.orderId);
  const page = async () => (await shop.app.visitor().post('/api/order-page', { token })).json;
  expect(await page()).toMatchObject({
    order: { status: 'past_due' },
    payments: [{ state: 'to_confirm', payUrl: invoice?.hosted_invoice_url }, { payUrl: null }],
  });
  shop.fake.movePages();
  expect((await page()).payments[0].payUrl).toBe(invoice?.hosted_invoice_url);

  const intent = invoice?.payments.data[0]?.payment.payment_intent ?? '';
  const secret = shop.fake.state.payment_intent.get(intent)?.client_secret ?? '';
  shop.fake.authenticate(secret, true);
  await shop.fake.settled();
  expect(await page()).toMatchObject({
    order: { status: 'paid' },
    payments: [{ state: 'paid', payUrl: null }, {}],
  });
});
