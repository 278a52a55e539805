/** A renewal that the bank refuses, or wants the customer to confirm (3-D Secure). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDay } from '../../../src/company/days.ts';
import { eventually } from '../../support/eventually.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { ownContent } from '../../support/own-content.ts';
import { ownPage } from '../../support/own-page.ts';
import { ASKS_ALWAYS } from '../../support/running-subscription.ts';
import { order, paidOrder, renew, sharedShop, subscriptionOf } from '../../support/stripe-shop.ts';

const mailbox = await Mailbox.start();
afterAll(() => mailbox.stop());
const shop = sharedShop(mailbox.variables);
beforeAll(() => shop.fake.autoDeliver(shop.webhook));

/** A plan whose renewal waits for the customer. `secret`: of its payment. */
async function askedToConfirm(email: string) {
  const placed = await order(shop, { email });
  shop.fake.confirmCard(placed.clientSecret, ASKS_ALWAYS);
  shop.fake.authenticate(placed.clientSecret, true);
  await shop.fake.settled();
  const invoice = await renew(shop, placed, {});
  const intent = invoice?.payments.data[0]?.payment.payment_intent ?? '';
  const secret = shop.fake.state.payment_intent.get(intent)?.client_secret ?? '';
  const { account: page, ask } = await ownPage(shop.app, placed.orderId, placed.visitor);
  return { ...placed, invoice, secret, page, cancel: () => ask('cancel') };
}

test('is confirmed on the bank’s page, to which the mail and the customer’s own page lead', async () => {
  const email = 'asked@example.com';
  const { invoice, secret, page } = await askedToConfirm(email);

  const subject = 'Please confirm your payment';
  const mails = () => mailbox.to(email).filter((mail) => mail.subject?.startsWith(subject));
  await eventually(() => expect(mails()).toHaveLength(1));
  expect(mails()[0]?.text).toContain('Approve the payment: ');
  expect(mails()[0]?.text).toContain('/checkout/order#');
  expect(await page()).toMatchObject({
    order: { status: 'past_due' },
    payments: [{ state: 'to_confirm', payUrl: invoice?.hosted_invoice_url }, { payUrl: null }],
  });
  shop.fake.movePages();
  expect((await page()).payments[0].payUrl).toBe(invoice?.hosted_invoice_url);

  shop.fake.authenticate(secret, true);
  await shop.fake.settled();
  expect(await page()).toMatchObject({
    order: { status: 'paid' },
    payments: [{ state: 'paid', payUrl: null }, {}],
  });
});

test('cannot be paid once its customer has ended the plan, who read that nothing more is charged', async () => {
  const { secret, page, cancel } = await askedToConfirm('gives-up@example.com');
  expect((await cancel()).status).toBe(200);
  expect(shop.fake.authenticate(secret, true)).toMatchObject({ error: expect.anything() });
  expect(await page()).toMatchObject({
    order: { status: 'canceled' },
    payments: [{ state: 'void', payUrl: null }, { state: 'paid' }],
  });
});

test('that the bank decides on while its customer ends the plan keeps the plan until it is paid', async () => {
  const { invoice, page, cancel } = await askedToConfirm('just-then@example.com');
  shop.fake.startDebit(invoice?.id ?? '');
  expect(await cancel()).toMatchObject({
    status: 409,
    json: {
      message: 'Your bank is deciding on a payment right now. Please try again in a minute.',
    },
  });
  expect((await page()).order.status).toBe('past_due');
  shop.fake.receiveMoney(invoice?.id ?? '', 'us_bank_account');
  await shop.fake.settled();
  expect((await cancel()).json.order).toMatchObject({ status: 'paid', endsAt: expect.any(String) });
});

test('that was paid just now, before its event arrives, keeps the plan that its customer ends until the end of the month', async () => {
  const { secret, cancel } = await askedToConfirm('paid-and-ends@example.com');
  shop.fake.autoDeliver(null);
  shop.fake.authenticate(secret, true);
  expect((await cancel()).status).toBe(409);
  const { order } = (await cancel()).json;
  expect(order).toMatchObject({ status: 'paid', endsAt: expect.any(String) });
  shop.fake.autoDeliver(shop.webhook);
});

test('is no longer shown as owed once staff have ended the plan at Stripe', async () => {
  const { page, ...placed } = await askedToConfirm('ended@example.com');
  shop.fake.cancelSubscription(await subscriptionOf(shop, placed));
  await shop.fake.settled();
  expect(await page()).toMatchObject({
    order: { status: 'canceled' },
    payments: [{ state: 'void', payUrl: null }, { state: 'paid' }],
  });
});

test('that the bank refuses tells the customer which card it was, and when it is tried again', async () => {
  const email = 'refused@example.com';
  const placed = await paidOrder(shop, { email });
  const invoice = await renew(shop, placed, { pay: false });
  const next = formatDay(ownContent().company, (invoice?.next_payment_attempt ?? 0) * 1000);
  const failed = () =>
    mailbox.to(email).find(({ subject }) => subject?.endsWith('didn’t go through'))?.text;
  await eventually(() => expect(failed()).toContain(' · Visa ending in 4242\nInvoice FAKE-'));
  expect(failed()?.replace(/\s+/g, ' ')).toContain(`we’ll try your card again on ${next}.`);
});
