/** A plan that is charged each month to a bank account, and what its bank does days later. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wordsOf } from '../../../src/orders/status-words.ts';
import { eventually } from '../../support/eventually.ts';
import { DESK, Mailbox } from '../../support/mailbox.ts';
import { ownPage } from '../../support/own-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import {
  atStripe,
  PURCHASE,
  paidOrder,
  seenByStaff,
  sharedShop,
} from '../../support/stripe-shop.ts';

const mailbox = await Mailbox.start();
afterAll(() => mailbox.stop());
const shop = sharedShop(mailbox.variables);
beforeAll(() => shop.fake.autoDeliver(shop.webhook));

/** The second month is paid by a debit. */
async function paidByDebit(email: string) {
  const placed = await paidOrder(shop, { email });
  const { id } = await atStripe(shop, placed);
  const draft = shop.fake.renew(id, { draft: true });
  const invoice = draft && shop.fake.finalize(draft.id);
  if (!invoice) throw new Error('nothing was billed');
  shop.fake.startDebit(invoice.id);
  shop.fake.receiveMoney(invoice.id, 'us_bank_account');
  await shop.fake.settled();
  const payment = invoice.payments.data[0]?.payment.payment_intent ?? '';
  return { ...placed, ...(await ownPage(shop.app, placed.orderId, placed.visitor)), payment };
}
type Debited = Awaited<ReturnType<typeof paidByDebit>>;

const staffPost = async ({ orderId }: Debited, what: string, body: object) => {
  const { version } = await seenByStaff(shop, orderId);
  const path = `/api/admin/orders/${orderId}/${what}`;
  return (await shop.staff.move().post(path, { ...body, version })).json;
};
const newest = async ({ account }: Debited) => (await account()).payments[0];
const mailsTo = (email: string, about: string) =>
  mailbox.to(email).filter(({ subject }) => subject?.includes(about));

test('a debit that the bank takes back is owed again, which both sides read, until staff settle it', async () => {
  const email = 'returned@dealer.example';
  const deal = await paidByDebit(email);
  await staffPost(deal, 'refund', { amount: 100 });
  await shop.fake.settled();
  shop.fake.closeDispute(shop.fake.openDispute(deal.payment).id, 'lost');
  await shop.fake.settled();
  expect(await newest(deal)).toMatchObject({
    ...{ state: 'open', remaining: PURCHASE.amount, refunded: 100 },
    payment: { state: 'debit_returned' },
  });
  await eventually(() => {
    expect(mailsTo(email, 'was returned')).toHaveLength(1);
    expect(mailsTo(DESK, 'Returned bank debit')).toHaveLength(1);
  });
  const seen = await seenByStaff(shop, deal.orderId);
  expect([seen.status, seen.payment.state]).toEqual(['paid', 'debit_returned']);
  expect(seen.owed).toMatchObject([{ remaining: PURCHASE.amount }]);
  const file = parseCsv((await shop.staff.move().get('/api/admin/payments/download')).text);
  expect(file.flat()).toContain('Bank debit returned');
  const settled = await staffPost(deal, 'mark-paid', { reference: 'Wire 5' });
  expect(settled.owed).toEqual([]);
  expect(await newest(deal)).toMatchObject({ state: 'paid', remaining: 0, reference: 'Wire 5' });
});

test('a refund to a bank account, and its return, name no card', async () => {
  const email = 'refunded@dealer.example';
  const deal = await paidByDebit(email);
  await staffPost(deal, 'refund', { amount: 100 });
  await shop.fake.settled();
  shop.fake.failRefund();
  await shop.fake.settled();
  await eventually(() => expect(mailsTo(email, 'refund')).toHaveLength(1));
  await eventually(() => expect(mailsTo(email, 'Refund')).toHaveLength(1));
  const { changes } = await seenByStaff(shop, deal.orderId);
  expect(changes.at(-1).text).toMatch(/^A refund of \$100\.00 failed: nothing is refunded now/);
  const texts = [...mailsTo(email, 'Refund'), ...mailsTo(email, 'refund')].map(({ text }) =>
    text?.replace(/\s+/g, ' '),
  );
  expect(texts).toEqual([
    expect.stringContaining('It usually reaches your bank account within'),
    expect.stringContaining('The usual reason is that the bank account has been closed.'),
  ]);
  expect(await newest(deal)).toMatchObject({ state: 'paid', refunded: 0 });
});

test('a month whose debit is under way is said to be, is not charged to a new card, and its refusal is told', async () => {
  const email = 'under-way@dealer.example';
  const placed = await paidOrder(shop, { email });
  const { id } = await atStripe(shop, placed);
  const { account, ask } = await ownPage(shop.app, placed.orderId, placed.visitor);
  shop.fake.renew(id, { pay: false });
  const draft = shop.fake.renew(id, { draft: true });
  shop.fake.startDebit(shop.fake.finalize(draft?.id ?? '').id);
  await shop.fake.settled();
  const { payments } = await account();
  const debit = { payment: { state: 'debit_under_way', collection: 'invoice' } };
  const byCard = { payment: { collection: 'card' } };
  expect(payments).toMatchObject([debit, byCard, byCard]);
  const { clientSecret } = (await ask('card')).json;
  shop.fake.confirmCard(clientSecret, '5555555555554444');
  expect((await ask('card/use', { clientSecret })).status).toBe(200);
  expect((await account()).payments).toMatchObject([debit, { state: 'paid' }, { state: 'paid' }]);
  await eventually(() => expect(mailsTo(email, 'didn’t go through')).toHaveLength(1));
  shop.fake.refuseDebit(draft?.id ?? '');
  await shop.fake.settled();
  await eventually(() => expect(mailsTo(email, 'didn’t go through')).toHaveLength(2));
});

test('a month that the bank account did not pay blames no card', async () => {
  const email = 'refused@dealer.example';
  const placed = await paidOrder(shop, { email });
  const draft = shop.fake.renew((await atStripe(shop, placed)).id, { draft: true });
  const invoice = shop.fake.finalize(draft?.id ?? '');
  shop.fake.startDebit(invoice.id);
  shop.fake.refuseDebit(invoice.id);
  await shop.fake.settled();
  await eventually(() => expect(mailsTo(email, 'didn’t go through')).toHaveLength(1));
  const [mail] = mailsTo(email, 'didn’t go through');
  const text = mail?.text?.replace(/\s+/g, ' ');
  expect(text).toContain('Your bank refused the debit');
  expect(text).not.toMatch(/expired|your card/i);
  const { token, account, ask } = await ownPage(shop.app, placed.orderId, placed.visitor);
  const { order } = await account();
  const wanted = { users: 5, backup: true, from: { users: 20, backup: true } };
  const refusal = (await ask('preview', wanted)).json.message;
  await ask('link', { token, place: 'card' });
  await eventually(() => expect(mailsTo(email, 'Your orders')).toHaveLength(1));
  const link = mailsTo(email, 'Your orders')[0]?.text ?? '';
  expect([refusal, wordsOf(order)?.next, link].join()).not.toMatch(/your card|replace/i);
});
