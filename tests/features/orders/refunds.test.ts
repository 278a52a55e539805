/** A refund stands on the receipt of its payment, and the mail about it names that payment. */
import { expect, test } from 'vitest';
import { notifiedSite } from '../../support/notified-site.ts';
import { customer, TEN_USERS } from '../../support/own-page.ts';

const site = notifiedSite();

test('a customer reads what went back of which payment, on its receipt and by email', async () => {
  const { orderId, account, happen } = await customer(site.app);
  await happen('renewed');
  const staff = await site.app.staff();
  const refund = (amount: number) =>
    staff.move().post(`/api/admin/orders/${orderId}/refund`, { amount });
  await refund(100);
  await refund(120);
  const [newest, first] = (await account()).payments;
  expect(newest).toMatchObject({ refunded: 220, refunds: [{ amount: 100 }, { amount: 120 }] });
  expect(first).toMatchObject({ refunded: 0, refunds: [] });
  const mails = () =>
    site.mailbox.to(TEN_USERS.email).filter(({ subject }) => subject?.startsWith('Refund'));
  await expect.poll(() => mails().length).toBe(2);
  const text = mails()[1]?.text?.replace(/\s+/g, ' ');
  expect(text).toMatch(/We refunded \$120\.00 of your \$[\d,.]+ payment to Visa ending in 4242\./);
  expect(text).toContain(
    `Paid Visa ending in 4242 Receipt ${newest.number} −$120.00 Refunded −$220.00 Refunded in all`,
  );
  expect(text).toContain('Period: ');
});

test('a refund that release 1.0 made stands on the receipt without its day', async () => {
  const { orderId, account } = await customer(site.app);
  const charges = site.app.database.db.updateTable('charges').where('orderId', '=', orderId);
  await charges.set(({ ref }) => ({ refundedCents: ref('amountCents') })).execute();
  expect((await account()).payments).toMatchObject([{ refunded: 575, refunds: [] }]);
});
