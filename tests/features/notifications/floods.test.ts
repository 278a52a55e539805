/** Limits on what strangers can send to staff and to any address they type. */
import { expect, test } from 'vitest';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { DESK } from '../../support/mailbox.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { giveAddress, ownPage } from '../../support/own-page.ts';

const site = notifiedSite();

test('strangers can send at most ten emails a day to one mailbox, of all kinds and spellings together', async () => {
  const { app } = site;
  const spellings = ['victim@example.com', 'Victim+1@example.com', 'VICTIM+a@example.com'];
  const choice = { planId: 1, ms365Option: 'none', ms365Users: 0, includeCloudBackup: false };
  for (const email of spellings) {
    await app.visitor().post('/api/contact', { ...SAMPLE_MESSAGE, email });
    await app.visitor().post('/api/quotes', { name: 'Jane Doe', email, ...choice });
    await app.visitor().post('/api/safeguards-report', { email, answers: { consumers: 'yes' } });
  }
  const sentTo = () => spellings.flatMap((email) => site.mailbox.to(email));
  await site.allAccepted();
  expect(sentTo()).toHaveLength(9);
  for (const email of spellings) {
    const buyer = app.visitor();
    const order = { ...SAMPLE_ORDER, email };
    const { clientSecret } = (await buyer.post('/api/create-payment-intent', order)).json;
    const paid = { clientSecret, token: 'succeeds' };
    expect((await buyer.post('/api/test-payments/confirm', paid)).status).toBe(200);
  }
  await site.allAccepted();
  expect(sentTo()).toHaveLength(10);
  // The site sends the reminders that are due when it starts.
  await app.database.db.updateTable('quotes').set({ remindAt: 1 }).execute();
  site.app = await app.restart();
  const due = site.app.database.db.selectFrom('quotes').select('id').where('remindAt', '=', 1);
  await expect.poll(() => due.execute()).toEqual([]);
  await site.allAccepted();
  expect(sentTo()).toHaveLength(10);
  // Staff are still notified of everything.
  const orders = site.subjects(DESK).filter((subject) => subject.startsWith('New order'));
  expect(orders).toHaveLength(3);
});

test('nor can they by placing orders with its address, and giving these another one', async () => {
  const { app, mailbox } = site;
  const email = 'former@example.com';
  for (const at of Array(6).keys()) {
    const buyer = app.visitor();
    const placed = await buyer.post('/api/create-payment-intent', { ...SAMPLE_ORDER, email });
    const { orderId, clientSecret } = placed.json;
    await buyer.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    await giveAddress(await ownPage(app, orderId, buyer), mailbox, `own-${at}@example.com`);
  }
  await site.allAccepted();
  expect(mailbox.to(email)).toHaveLength(10);
});
