/** In test mode staff press what happens to an order next, and its months follow from that. */
import { beforeAll, describe, expect, test } from 'vitest';
import { HAPPENINGS } from '../../../src/payments/test-gateway/test-happenings.ts';
import { monthsLater } from '../../../src/platform/time.ts';
import { type Customer, customer, NO_BACKUP } from '../../support/own-page.ts';
import { notesOf, savedOrder } from '../../support/saved-order.ts';
import { openShop } from '../../support/stripe-shop.ts';
import { sharedStaff, sharedTestApp } from '../../support/test-app.ts';

const app = sharedTestApp();
const staff = sharedStaff(() => app);
const press = (orderId: number, body: object) =>
  staff.move().post(`/api/admin/orders/${orderId}/test`, body);
const refused = (words: string) => ({ status: 409, json: { message: words } });

test('each month begins on the day of the first, with its invoice and receipt', async () => {
  const { account, happen, orderId } = await customer(app);
  const first = Date.parse((await account()).payments[0].periodStart);
  await happen('renewed', 'renewed');
  const { payments, running } = await account();
  const starts = payments.map((one: { periodStart: string }) => Date.parse(one.periodStart));
  const begins = (months: number) => monthsLater(new Date(first), months).getTime();
  expect(starts).toEqual([begins(2), begins(1), first]);
  expect(payments).toMatchObject([{ state: 'paid', amount: 575 }, { state: 'paid' }, {}]);
  expect(Date.parse(running.periodEnd)).toBe(begins(3));
  const notes = await notesOf(app.database.db, orderId);
  expect(notes.filter((note) => note.startsWith('Renewed: $575.00'))).toHaveLength(2);
});

test('a renewal that fails leaves the month owed; a second one ends the plan unpaid', async () => {
  const { account, ask, happen } = await customer(app);
  expect((await happen('renewal_failed')).status).toBe('past_due');
  expect((await account()).payments).toMatchObject([{ state: 'open' }, { state: 'paid' }]);
  expect((await happen('renewal_failed')).status).toBe('canceled');
  expect((await account()).payments).toMatchObject([{ state: 'void' }, { state: 'paid' }]);
  expect((await ask('card')).status).toBe(409);
});

test('a bank that accepts the card after all pays the month that was owed', async () => {
  const { account, happen } = await customer(app);
  expect((await happen('renewal_failed', 'invoice_paid')).status).toBe('paid');
  expect((await account()).payments).toMatchObject([{ state: 'paid', amount: 575 }, {}]);
});

test('a new card pays the overdue month at once, and only once, without changing the days of billing', async () => {
  const buyer = await customer(app);
  const { ask, account, happen, visitor } = buyer;
  await happen('renewal_failed');
  const { periodEnd } = (await account()).running;
  const { clientSecret } = (await ask('card')).json;
  const enter = (body: object) =>
    visitor.post('/api/test-payments/confirm', { clientSecret, ...body });
  const use = (secret = clientSecret) => ask('card/use', { clientSecret: secret });
  expect(await use()).toMatchObject(refused('No card has been entered yet. Please enter one.'));
  expect((await enter({ token: 'declined' })).json.status).toBe('requires_payment_method');
  expect((await use()).status).toBe(409);
  expect((await account()).order.status).toBe('past_due');
  const other = await customer(app);
  const { clientSecret: others } = (await other.ask('card')).json;
  await visitor.post('/api/test-payments/confirm', { clientSecret: others, token: 'succeeds' });
  expect(await use(others)).toMatchObject({ status: 409 });
  expect((await enter({ token: 'succeeds', last4: '4444' })).json.status).toBe('succeeded');
  for (const _twice of [1, 2]) expect((await use()).status).toBe(200);
  const after = await account();
  expect(after.order.status).toBe('paid');
  const notes = await notesOf(app.database.db, buyer.orderId);
  expect(notes.filter((note) => note.includes('replaced the card'))).toHaveLength(1);
  expect(after.running).toMatchObject({ periodEnd, card: { brand: 'Mastercard test card' } });
  expect(after.payments).toMatchObject([{ state: 'paid', last4: '4444' }, { last4: '4242' }]);
});

test('a canceled plan ends with its month, unless the customer undoes it', async () => {
  const [kept, gone] = [await customer(app), await customer(app)];
  for (const { ask } of [kept, gone]) await ask('cancel');
  expect((await gone.account()).running.next).toBeNull();
  for (const _twice of [1, 2]) await kept.ask('keep');
  expect((await kept.happen('renewed')).status).toBe('paid');
  expect((await gone.happen('renewed')).status).toBe('canceled');
  expect((await gone.account()).payments).toHaveLength(1);
  for (const what of ['keep', 'card']) expect((await gone.ask(what)).status).toBe(409);
});

test('plans that were raised and lowered cost nothing until the next month', async () => {
  const { ask, account, happen } = await customer(app);
  let from: object = NO_BACKUP;
  for (const users of [20, 5, 20]) {
    const wanted = { users, backup: false, from };
    const { at, next } = (await ask('preview', wanted)).json;
    expect((await ask('change', { ...wanted, at, next: next.total })).status).toBe(200);
    from = { users, backup: false };
  }
  expect((await account()).payments).toHaveLength(1);
  await happen('renewed');
  expect((await account()).payments).toMatchObject([{ amount: 700 }, { amount: 575 }]);
});

test('staff refund the newest month, in part or in full, and never more than was paid', async () => {
  const { happen, orderId } = await customer(app);
  await happen('renewed');
  const refund = (amount: number | null) =>
    staff.move().post(`/api/admin/orders/${orderId}/refund`, { amount });
  const tooMuch = refused('$565.01 is greater than what is left to refund, $565.00');
  expect((await refund(10)).json.refunded).toBe(10);
  expect(await refund(565.01)).toMatchObject(tooMuch);
  expect((await refund(null)).json).toMatchObject({ status: 'paid', refunded: 575 });
  expect(await refund(0.01)).toMatchObject(refused('This payment has already been refunded'));
});

test('a disputed payment is marked beside the status, with what was refunded of it, and refunded no further', async () => {
  const { happen, orderId } = await customer(app);
  const refund = () => staff.move().post(`/api/admin/orders/${orderId}/refund`, { amount: 10 });
  await refund();
  const disputed = { status: 'paid', dispute: 'open', refunded: 10 };
  expect(await happen('disputed')).toMatchObject(disputed);
  expect(await refund()).toMatchObject({ status: 409, json: { now: disputed } });
});

describe('what staff press', () => {
  let paid: Customer;
  beforeAll(async () => {
    paid = await customer(app);
  });

  test.each([
    ['renewal_failed', 'invoice_paid', 'Nothing is owed.'],
    ['renewed', 'debit_returned', 'The customer pays by card. Only a bank debit can be returned.'],
    ['renewed', 'due_day_passed', 'The customer pays by card. Only an invoice has a due day.'],
  ])(
    'is refused with its reason when it makes no sense: not %s, but %s',
    async (_, happens, why) => {
      expect(await press(paid.orderId, { happens })).toMatchObject(refused(why));
    },
  );

  test('is refused on an outdated screen, with the order as it is now', async () => {
    const { orderId, account } = await customer(app);
    const { version } = (await staff.get(`/api/orders/${orderId}`)).json;
    const colleagues = [1, 2, 3].map(() => press(orderId, { happens: 'renewed', version }));
    const answers = (await Promise.all(colleagues)).sort((one, two) => one.status - two.status);
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409]);
    expect(answers.at(-1)?.json.now).toMatchObject({ id: orderId });
    expect((await account()).payments).toHaveLength(2);
  });

  test('changes no order that was not paid, or has ended', async () => {
    const unpaid = await customer(app, { token: 'declined' });
    const over = await customer(app);
    const { version } = (await staff.get(`/api/orders/${over.orderId}`)).json;
    await staff.post(`/api/admin/orders/${over.orderId}/cancel`, { when: 'now', version });
    for (const { orderId } of [unpaid, over])
      for (const happens of HAPPENINGS)
        expect([happens, (await press(orderId, { happens })).status]).toEqual([happens, 409]);
  });

  test('is nothing that the order of another provider knows, nor a site that takes real cards', async () => {
    const { id } = await savedOrder(app.database.db, { provider: 'stripe', status: 'paid' });
    expect((await press(id, { happens: 'renewed' })).status).toBe(404);
    const shop = await openShop();
    const there = await (await shop.app.staff()).post(`/api/admin/orders/${id}/test`, {});
    expect(there.status).toBe(404);
    await shop.close();
  });
});
