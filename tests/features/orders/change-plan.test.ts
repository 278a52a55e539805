/** A customer changes users and backup: the price shown is the price charged. */
import { describe, expect, test } from 'vitest';
import { updateOrder } from '../../../src/billing/order-store.server.ts';
import type { PriceLine } from '../../../src/catalogue/pricing.ts';
import { describeHistory } from '../../../src/orders/describe-event.server.ts';
import { customer, NO_BACKUP, shownPrice } from '../../support/own-page.ts';
import { historyOf, line, notesOf } from '../../support/saved-order.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const app = sharedTestApp();

const TWELVE = { users: 12, backup: true, from: NO_BACKUP };
const BACKUP_OF_TWELVE = 12 * 4.95;

test('a customer sees the running plan, its card and the payments', async () => {
  const { account } = await customer(app, { token: 'succeeds', last4: '4444' });
  const shown = await account();
  const { periodEnd } = shown.running;
  expect(shown).toMatchObject({
    order: { status: 'paid', amount: 575, ms365Users: 10 },
    running: {
      next: { total: 575, tax: 0 },
      card: { brand: 'Mastercard test card', last4: '4444', expiryMonth: null },
    },
    billingUnavailable: false,
    offers: { backup: 4.95 },
    features: expect.arrayContaining(['Managed antivirus']),
    billingAddress: null,
    payments: [
      { amount: 575, tax: 0, state: 'paid', brand: 'Mastercard', last4: '4444', periodEnd },
    ],
  });
});

test('a customer previews a change, confirms it, and is charged the previewed price from the next month', async () => {
  const { ask, account, orderId, happen } = await customer(app);
  const { json: shown } = await ask('preview', TWELVE);
  const monthly = 575 + 2 * 12.5 + BACKUP_OF_TWELVE;
  expect(shown.monthly).toBeCloseTo(monthly);
  const { order, running } = await account();
  expect(order.ms365Users).toBe(10);
  expect(shown).toMatchObject({ difference: null, next: { at: running.periodEnd } });
  expect(shown.next.total).toBeCloseTo(monthly);
  const confirmed = { ...TWELVE, ...shownPrice(shown) };
  const first = await ask('change', confirmed);
  const lines = [{ quantity: 1 }, { quantity: 12 }, { quantity: 12 }];
  expect(first.json).toMatchObject({
    order: { ms365Users: 12, includeCloudBackup: true, status: 'paid', price: { lines } },
    running: { next: { total: shown.next.total } },
  });
  expect(first.json.order.amount).toBeCloseTo(monthly);
  // A repeated request changes nothing, also that of a tab whose price is old by now.
  for (const repeated of [confirmed, { ...confirmed, at: new Date(0).toISOString() }])
    expect((await ask('change', repeated)).json).toEqual(first.json);
  const { changes } = describeHistory(await historyOf(app.database.db, orderId));
  const notes = changes.map(({ text }) => text);
  expect(notes.filter((note) => note.startsWith('Plan changed'))).toEqual([
    'Plan changed by the customer: 10 users without cloud backup → 12 users with cloud backup',
  ]);
  await happen('renewed');
  // A receipt shows what was paid then, whatever the plan is now.
  expect((await account()).payments).toMatchObject([
    { amount: shown.next.total, state: 'paid', lines },
    { lines: [{ quantity: 1 }, { quantity: 10 }] },
  ]);
});

test('a customer moves to another plan and license at today’s prices, and to none, at the price shown', async () => {
  const { change, account } = await customer(app);
  const { offers } = await account();
  const priceOf = (list: { id: number | string; name: string; price: number }[], name: string) =>
    list.find((offer) => offer.name.includes(name));
  const enterprise = priceOf(offers.plans, 'Enterprise');
  const premium = priceOf(offers.licenses, 'Premium');
  const other = { planId: enterprise?.id, ms365Option: premium?.id, users: 8, backup: true };
  const { shown, now } = await change({ ...other, from: NO_BACKUP });
  const monthly = (enterprise?.price ?? 0) + 8 * ((premium?.price ?? 0) + 4.95);
  expect(shown.monthly).toBeCloseTo(monthly);
  expect(now).toMatchObject({
    order: { planId: enterprise?.id, planName: 'Enterprise', ms365Option: premium?.id },
    running: { next: { total: shown.next.total } },
  });
  const none = { planId: enterprise?.id, ms365Option: 'none', users: 0, backup: false };
  const last = await change({ ...none, from: other });
  expect(last.now.order).toMatchObject({ amount: enterprise?.price, ms365Users: 0 });
});

test('staff change the plan for a customer, and its history says who', async () => {
  const { account, orderId } = await customer(app);
  const staff = await app.staff();
  const { version } = (await account()).order;
  const change = { ...TWELVE, planId: 2, ms365Option: 'business_standard' };
  const { json: shown } = await staff.post(`/api/admin/orders/${orderId}/preview`, change);
  const { json, status } = await staff.post(`/api/admin/orders/${orderId}/change`, {
    ...change,
    ...shownPrice(shown),
    version,
  });
  expect([status, json.planName, json.ms365Users]).toEqual([200, 'Professional', 12]);
  expect(await notesOf(app.database.db, orderId)).toContain(
    'Plan changed by admin: Essential plan, 10 users without cloud backup → Professional plan, 12 users with cloud backup',
  );
});

test('a change keeps the unit prices of existing lines, and adds backup at today’s price', async () => {
  const { ask, orderId } = await customer(app);
  const bought = (...lines: PriceLine[]) =>
    updateOrder(app.database.db, orderId, {}, { priceLines: JSON.stringify(lines) });
  const cheaper = [line('plan', 450_00), line('microsoft365', 10_00, 10)];
  await bought(...cheaper);
  expect((await ask('preview', TWELVE)).json.monthly).toBeCloseTo(450 + 120 + BACKUP_OF_TWELVE);
  await bought(...cheaper, line('backup', 4_00, 10));
  const { json } = await ask('preview', { ...TWELVE, from: { users: 10, backup: true } });
  expect(json.monthly).toBe(450 + 120 + 48);
});

test('an account says in which mode it was paid, whatever the site takes today', async () => {
  const { account, orderId } = await customer(app);
  expect((await account()).test).toBe(true);
  const row = app.database.db.updateTable('subscriptions').where('orderId', '=', orderId);
  await row.set({ live: 1 }).execute();
  expect((await account()).test).toBe(false);
});

test.each([
  ['is over', { status: 'canceled' }, 'This plan isn’t running anymore.'],
  ['another provider runs', { provider: 'stripe' }, 'This can’t be done here. Please call us.'],
  ['runs in the other mode', { live: 1 }, 'This can’t be done here. Please call us.'],
] as const)('a customer cannot change a plan that %s', async (_what, change, message) => {
  const { account, ask, orderId } = await customer(app);
  const isOver = 'status' in change;
  await app.database.db
    .updateTable(isOver ? 'orders' : 'subscriptions')
    .set(change)
    .where(isOver ? 'id' : 'orderId', '=', orderId)
    .execute();
  const refused = { status: 409, json: { message } };
  for (const what of ['cancel', 'keep', 'card']) expect(await ask(what)).toMatchObject(refused);
  expect(await ask('card/use', { clientSecret: 'seti_1' })).toMatchObject(refused);
  if (isOver) return;
  expect(await account()).toMatchObject({ billingUnavailable: false, running: null });
  expect(await ask('preview', TWELVE)).toMatchObject(refused);
  const at = new Date().toISOString();
  expect(await ask('change', { ...TWELVE, at, next: 575 })).toMatchObject(refused);
});

describe('a change is refused', () => {
  test('when another tab has changed the plan since', async () => {
    const { ask } = await customer(app);
    const { json: one } = await ask('preview', TWELVE);
    const other = { users: 5, backup: false, from: NO_BACKUP };
    const { json: two } = await ask('preview', other);
    await ask('change', { ...TWELVE, ...shownPrice(one) });
    const message = 'Your plan has changed since you opened this page. Please look at it again.';
    const late = await ask('change', { ...other, ...shownPrice(two) });
    expect(late).toMatchObject({ status: 409, json: { message } });
    expect(await ask('preview', other)).toMatchObject({ status: 409, json: { message } });
  });

  test('when its time lies in the future or long ago', async () => {
    const { ask } = await customer(app);
    const { json: shown } = await ask('preview', TWELVE);
    const message = 'The price has changed. Please look at it again.';
    for (const minutes of [1, -16]) {
      const at = new Date(Date.parse(shown.at) + minutes * 60_000).toISOString();
      const answered = await ask('change', { ...TWELVE, ...shownPrice(shown), at });
      expect(answered, `${minutes}`).toMatchObject({ status: 409, json: { message } });
    }
  });

  test('when nothing differs, the number is out of range, or what is wanted is no longer sold', async () => {
    const { ask } = await customer(app);
    const same = await ask('preview', { ...NO_BACKUP, from: NO_BACKUP });
    expect(same.json.message).toBe('That’s the plan you have already.');
    for (const users of [0, 1001, 1.5, -1])
      expect([users, (await ask('preview', { ...TWELVE, users })).status]).toEqual([users, 400]);
    for (const [unsold, words] of [
      [{ planId: 99 }, 'This plan is no longer sold. Please choose another.'],
      [
        { ms365Option: 'gone' },
        'This Microsoft 365 license is no longer sold. Please choose another.',
      ],
    ] as const)
      expect(await ask('preview', { ...TWELVE, ...unsold })).toMatchObject({
        status: 409,
        json: { message: words },
      });
  });

  test('while a payment is overdue or the plan is set to end', async () => {
    const { ask, happen } = await customer(app);
    await ask('cancel');
    expect((await ask('preview', TWELVE)).json.message).toMatch(/“Keep my plan”/);
    await ask('keep');
    await happen('renewal_failed');
    const refused = await ask('preview', TWELVE);
    expect(refused).toMatchObject({
      status: 409,
      json: { message: expect.stringMatching(/^Your last payment didn’t go through/) },
    });
  });
});
