/** Who is notified of an order, and in which words. */

import { expect, test } from 'vitest';
import { orderReference } from '../../../src/billing/reference.ts';
import { eventually } from '../../support/eventually.ts';
import { DESK } from '../../support/mailbox.ts';
import { notifiedSite } from '../../support/notified-site.ts';

const JANE = { name: 'Jane Doe', email: 'jane@dealer.example' };
/** Professional with 12 users of Business Premium and their backup. */
const CHOICE = {
  planId: 2,
  ms365Option: 'business_premium',
  ms365Users: 12,
  includeCloudBackup: true,
  amount: 1173.4,
};

const site = notifiedSite();
const { allAccepted, deliveries, subjects } = site;

async function order() {
  const visitor = site.app.visitor();
  const choice = { ...JANE, ...CHOICE };
  const { orderId, clientSecret } = (await visitor.post('/api/create-payment-intent', choice)).json;
  const pay = (token = 'succeeds') =>
    visitor.post('/api/test-payments/confirm', { clientSecret, token });
  return { visitor, orderId: Number(orderId), pay };
}

test('a paid order notifies staff and sends its customer one itemized receipt', async () => {
  const { visitor, orderId, pay } = await order();
  await pay('declined');
  expect(await deliveries()).toEqual([]);
  await Promise.all([pay(), pay(), pay()]);
  const paid = await visitor.post(`/api/orders/${orderId}/update-status`, { status: 'paid' });
  expect(paid.json.status).toBe('paid');
  await allAccepted();
  expect(subjects(DESK)).toEqual([`New order ${orderReference(orderId)}, Jane Doe`]);
  const text = expect.stringContaining(`New order ${orderReference(orderId)}`);
  expect(site.teams.accepted).toMatchObject([{ text }]);
  expect(subjects(JANE.email)).toEqual([`Receipt for your order ${orderReference(orderId)}`]);
  const [receipt] = site.mailbox.to(JANE.email);
  expect(receipt?.replyTo).toMatchObject([{ address: 'hello@tidewell.example' }]);
  const rows = receipt?.text?.split('\n').filter((line) => line.includes('$'));
  expect(rows).toEqual([
    '$1,173.40 paid',
    '   $850.00  Professional plan',
    '   $264.00  Microsoft 365 Business Premium',
    '            12 users × $22.00',
    expect.stringMatching(/^ {4}\$59\.40 {2}.*backup$/i),
    '            12 users × $4.95',
    ' $1,173.40  Amount paid',
  ]);
  expect(receipt?.html).toContain('$1,173.40');
  expect(receipt?.html).toMatch(/src="cid:logo".*src="cid:logo-light"/);
  expect(receipt?.attachments).toMatchObject([
    { contentId: '<logo>', mimeType: 'image/png' },
    { contentId: '<logo-light>', mimeType: 'image/png' },
  ]);
  expect(receipt?.text).toContain('Test mode: no money moves.');
});

test('the customer of a paid order is notified of failures, refunds and its end, and of what to do', async () => {
  const { orderId, pay } = await order();
  await pay();
  const colleague = await site.app.staff();
  const does = async (path: string, body: object) => {
    const { version } = (await colleague.get(`/api/orders/${orderId}`)).json;
    expect((await colleague.post(path, { version, ...body })).status).toBe(200);
    await allAccepted();
  };
  // A month that is paid late gets no second receipt.
  for (const status of ['past_due', 'paid'])
    await does(`/api/orders/${orderId}/update-status`, { status });
  const admin = `/api/admin/orders/${orderId}`;
  await does(`${admin}/refund`, { amount: 50 });
  for (const _twice of [1, 2]) await does(`${admin}/cancel`, { when: 'period-end' });
  await does(`${admin}/cancel`, { when: 'now' });
  const number = orderReference(orderId);
  expect(subjects(JANE.email)).toEqual([
    `Receipt for your order ${number}`,
    `Your payment for order ${number} didn’t go through`,
    `Refund for your order ${number}`,
    `Your cancellation of order ${number}`,
    `Your plan has ended: order ${number}`,
  ]);
  const emails = site.mailbox.to(JANE.email).map(({ text }) => text?.replace(/\s+/g, ' '));
  const [, failed, refund, ending, ended] = emails;
  for (const email of emails.slice(1)) {
    // Until real money is paid, a stranger may have typed the name.
    expect(email).not.toContain('Jane');
    expect(email).toContain(`${site.app.address}/checkout/order#${orderId}.`);
  }
  expect(failed).toContain('Replace card: ');
  expect(refund).toContain('We refunded $50.00 of your $1,173.40 payment to Visa ending in 4242.');
  expect(refund).toContain('Your plan continues as before.');
  expect(ending).toMatch(/Your Professional plan ends on \w+ \d+, 20\d\d\./);
  expect(ended).toContain('your card won’t be charged for it again');
  expect(subjects(DESK)).toHaveLength(5);
  const cards = site.teams.accepted.map(({ text }) => text);
  expect(cards.filter((text) => text.includes(' could not be charged'))).toHaveLength(1);
});

test('Teams that hangs delays neither the visitor nor the emails', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<'accept'>();
  site.teams.behaviour = () => held;
  const message = { ...JANE, message: 'Is it slow?' };
  expect((await site.app.visitor().post('/api/contact', message)).status).toBe(200);
  await eventually(() => expect(site.mailbox.mails).toHaveLength(2));
  expect(site.teams.accepted).toEqual([]);
  release('accept');
});
