/** What a quote charges once, and the day it starts on, stand wherever its price does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter } from '../../../src/company/days.ts';
import { formatDate } from '../../../src/platform/time.ts';
import { FakeWebhook } from '../../support/fake-webhook.ts';
import { DESK } from '../../support/mailbox.ts';
import { ownContent } from '../../support/own-content.ts';
import { ownPage } from '../../support/own-page.ts';
import { AMOUNT, orderByQuote, QUOTE, startQuoteSite } from '../../support/quote-site.ts';

let receiver: FakeWebhook;
let site: Awaited<ReturnType<typeof startQuoteSite>>;
beforeAll(async () => {
  receiver = await FakeWebhook.start();
  site = await startQuoteSite(receiver.variables);
});
afterAll(async () => {
  await site.stop();
  await receiver.stop();
});

const START = dayAfter(ownContent().company, Date.now(), 33);
const ONCE = { label: 'Zanzibar onboarding', amount: 1234.56 };

test('an amount charged once and a start day are found in every place that names the price', async () => {
  const email = 'planted@fox.example';
  const { app, mailbox } = site;
  const staff = await app.staff();
  const body = { ...QUOTE, email, discount: null, days: 14, send: true };
  const quote = await staff.post('/api/admin/quotes', { ...body, once: [ONCE], startsOn: START });
  const { url } = (await staff.post(`/api/admin/quotes/${quote.json.id}/link`, {})).json;
  const token = url.split('/').at(-1) as string;
  const visitor = app.visitor();
  const page = await visitor.get(`/quote/${token}`);
  const placed = await visitor.post(
    '/api/create-payment-intent',
    orderByQuote(token, { email, dueToday: ONCE.amount }),
  );
  const { orderId, clientSecret } = placed.json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  const own = await ownPage(app, orderId, visitor);
  const mails = (to: string, words: string) => () =>
    mailbox.to(to).find(({ subject }) => subject?.includes(words))?.text;
  const [quoted, receipt, notice] = [
    mails(email, 'Your quote'),
    mails(email, 'Receipt'),
    mails(DESK, 'New order'),
  ];
  for (const mail of [quoted, receipt, notice]) await expect.poll(mail).toBeDefined();
  const event = (type: string) => () => receiver.accepted.find((one) => one.type === type);
  for (const type of ['quote.saved', 'order.paid']) await expect.poll(event(type)).toBeDefined();
  const places = {
    'the quote page': page.text,
    'the checkout': (await visitor.post('/api/quote', { token })).text,
    'staff’s quote': (await staff.get(`/api/admin/quotes/${quote.json.id}`)).text,
    'the quotes CSV': (await staff.get('/api/admin/quotes/download')).text,
    'the quote’s email': quoted(),
    'the order': (await visitor.get(`/api/orders/${orderId}`)).text,
    'staff’s order': (await staff.get(`/api/orders/${orderId}`)).text,
    'the orders CSV': (await staff.get('/api/admin/orders/download')).text,
    'the customer’s page': JSON.stringify(await own.account()),
    'the receipt by email': receipt(),
    'staff’s notice': notice(),
    'the event of the quote': JSON.stringify(event('quote.saved')()),
    'the event of the order': JSON.stringify(event('order.paid')()),
    'the person’s file': (await staff.get(`/api/admin/people/download?find=${email}`)).text,
  };
  const planted = {
    label: [ONCE.label],
    amount: ['1234.56', '1,234.56'],
    'start day': [START, formatDate(START)],
    month: [`${AMOUNT}`, AMOUNT.toFixed(2), `${AMOUNT * 100}`],
  };
  const missing = Object.entries(places).flatMap(([place, text = '']) =>
    Object.entries(planted).flatMap(([what, spellings]) =>
      spellings.some((spelling) => text.includes(spelling)) ? [] : [`${what} in ${place}`],
    ),
  );
  expect(missing).toEqual([]);
  const payments = (await staff.get('/api/admin/payments/download')).text;
  expect(payments).toContain(`${ONCE.label} $1,234.56`);
});
