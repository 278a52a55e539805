/** The test gateway's subscriptions over time: renewals, failing and replaced cards, cancellations, refunds. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import { findSubscription } from '../../../src/payments/test-gateway/test-subscription.server.ts';
import { Interval } from '../../../src/platform/interval.server.ts';
import { cents } from '../../../src/platform/money.ts';
import { line, notesOf } from '../../support/saved-order.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { LINES, testSubscriptions } from '../../support/test-subscription.ts';

// Otherwise the site's own billing, at its start and once a minute, may bill what a test is about to.
beforeAll(() => void vi.spyOn(Interval.prototype, 'start').mockResolvedValue());
const app = sharedTestApp();

const DAY = 86_400_000;
const TWENTY = [line('plan', 45_000, 1), line('microsoft365', 1_250, 20)];
const books = () => testSubscriptions(app);
const chargesOf = ({ id }: { id: number }) =>
  app.database.db.selectFrom('orderCharges').selectAll().where('orderId', '=', id).execute();
/** Each test uses its own year, since they share the clock. */
let year = 2030;
const nextStart = (month = 0, day = 10) => {
  year += 2;
  return Date.UTC(year, month, day, 9, 30);
};

test('a plan renews on the day of its start, even after a short month', async () => {
  const { begin, pass, renewals, forget } = books();
  const start = nextStart(0, 31);
  const { id } = await begin(start);
  expect(await pass(start + 27 * DAY)).toEqual([]);
  expect(await pass(start + 60 * DAY)).toEqual(['renewed', 'renewed']);
  const renewed = 'Renewed: $575.00 (test subscription renewed)';
  expect(await notesOf(app.database.db, id)).toEqual([renewed, renewed]);
  const days = (await renewals(id)).map(({ createdAt }) => new Date(createdAt).toISOString());
  expect(days.map((day) => day.slice(5, 16))).toEqual(['02-29T09:30', '03-31T09:30']);
  await forget(id);
});

test('a plan whose renewal fails is overdue for a month, then ends', async () => {
  const { begin, pass, renewals, status, subscriptions } = books();
  const start = nextStart();
  const order = await begin(start, 'fails_later');
  const renewal = Date.UTC(year, 1, 10, 9, 30);
  expect(await pass(renewal)).toEqual(['failed']);
  expect(await status(order.id)).toBe('past_due');
  const end = Date.UTC(year, 2, 10, 9, 30);
  expect(await pass(end - 1_000)).toEqual([]);
  expect(await pass(end)).toEqual(['ended']);
  expect(await status(order.id)).toBe('canceled');
  expect(await renewals(order.id)).toMatchObject([
    { paid: 0, waived: 1, amountCents: 57_500, cardLast4: null },
  ]);
  expect(await subscriptions.getSubscription(order)).toEqual({
    refused: 'No subscription is running for this order.',
  });
});

test('a new card pays the overdue month at once, and only once, without changing the days of billing', async () => {
  const { begin, pass, renewals, status, subscriptions, gateway, forget } = books();
  const start = nextStart();
  const order = await begin(start, 'fails_later');
  await subscriptions.change(order, { lines: TWENTY, at: start + 15.5 * DAY });
  const renewal = Date.UTC(year, 1, 10, 9, 30);
  await pass(renewal);
  expect(await subscriptions.change(order, { lines: [], at: renewal + 1_000 })).toEqual({
    refused: 'The price has changed. Please look at it again.',
  });
  const startCard = async () => {
    const started = await subscriptions.startCard(order);
    if (started === 'unavailable' || 'refused' in started) throw new Error('no secret');
    return started.clientSecret;
  };
  let clientSecret = await startCard();
  const enter = (body: object) =>
    app.visitor().post('/api/test-payments/confirm', { clientSecret, ...body });
  expect(await subscriptions.finishCard(order, clientSecret)).toEqual({
    refused: 'No card has been entered yet. Please enter one.',
  });
  expect((await enter({ token: 'declined' })).json.status).toBe('requires_payment_method');
  await enter({ token: 'fails_later' });
  expect(await subscriptions.finishCard(order, clientSecret)).toEqual({
    refused: 'This card couldn’t pay what is overdue. Please try another card.',
  });
  expect(await status(order.id)).toBe('past_due');
  clientSecret = await startCard();
  expect((await enter({ token: 'succeeds', last4: '4444' })).json.status).toBe('succeeded');
  const other = await begin(nextStart());
  expect(await subscriptions.finishCard(other, clientSecret)).toEqual({
    refused: 'No card has been entered yet. Please enter one.',
  });
  await forget(other.id);
  expect(await subscriptions.finishCard(order, clientSecret)).toBe('done');
  expect(await subscriptions.finishCard(order, clientSecret)).toBe('done');
  expect(await status(order.id)).toBe('paid');
  expect(await renewals(order.id)).toMatchObject([
    { paid: 1, amountCents: 70_000, cardLast4: '4444' },
  ]);
  expect(await subscriptions.getSubscription(order)).toMatchObject({
    next: { total: 70_000 },
    periodEnd: Date.UTC(new Date(start).getUTCFullYear(), 2, 10, 9, 30),
    card: { brand: 'Mastercard' },
  });
  expect(await gateway.fetchPaymentState(order)).not.toHaveProperty('ended');
  const row = await findSubscription(app.database.db, order.id);
  expect(row).toMatchObject({ status: 'active', months: 1 });
  expect(await pass(row?.periodEnd ?? 0)).toEqual(['renewed']);
  await forget(order.id);
});

test('a canceled plan runs to the end of its month, unless the customer undoes it', async () => {
  const { begin, pass, renewals, status, subscriptions, gateway, forget } = books();
  const start = nextStart();
  const [kept, gone] = [await begin(start), await begin(start)];
  const end = Date.UTC(year, 1, 10, 9, 30);
  for (const order of [kept, gone]) expect(await gateway.cancel(order, 'period-end')).toBe('done');
  expect(await gateway.fetchPaymentState(gone)).toMatchObject({ endsAt: end });
  expect(await subscriptions.getSubscription(gone)).toMatchObject({ next: null, periodEnd: end });
  expect(await subscriptions.resume(kept)).toBe('done');
  expect(await subscriptions.resume(kept)).toBe('done');
  expect((await pass(end)).sort()).toEqual(['ended', 'renewed']);
  expect([await status(kept.id), await status(gone.id)]).toEqual(['paid', 'canceled']);
  expect(await renewals(gone.id)).toEqual([]);
  const refused = { refused: 'No subscription is running for this order.' };
  expect(await subscriptions.resume(gone)).toEqual(refused);
  expect(await subscriptions.startCard(gone)).toEqual(refused);
  await forget(kept.id);
});

test('a change takes effect at once and costs nothing until the next month, whose day was shown', async () => {
  const { begin, pass, renewals, subscriptions, forget } = books();
  const start = nextStart();
  const order = await begin(start);
  const [middle, end] = [start + 15.5 * DAY, Date.UTC(year, 1, 10, 9, 30)];
  const change = { lines: TWENTY, at: middle };
  const next = { at: end, total: 70_000, tax: 0 };
  const shown = { monthly: 70_000, difference: null, next };
  expect(await subscriptions.preview(order, change)).toEqual(shown);
  // Raised, lowered and raised again: no day of this month is charged.
  for (const lines of [TWENTY, LINES, TWENTY])
    expect(await subscriptions.change(order, { lines, at: middle })).toBe('done');
  expect(await subscriptions.getSubscription(order)).toMatchObject({ next: { total: 70_000 } });
  expect(await pass(end)).toEqual(['renewed']);
  expect(await renewals(order.id)).toMatchObject([{ amountCents: 70_000, paid: 1 }]);
  const refused = { refused: 'The price has changed. Please look at it again.' };
  for (const ask of [subscriptions.preview, subscriptions.change])
    expect(await ask(order, { lines: LINES, at: middle })).toEqual(refused);
  await forget(order.id);
});

test('a canceled order is billed no more', async () => {
  const { begin, pass, renewals } = books();
  const order = await begin(nextStart());
  const over = { status: 'canceled' } as const;
  await app.database.db.updateTable('orders').set(over).where('id', '=', order.id).execute();
  expect(await pass(Date.UTC(year, 11, 10))).toEqual(['ended']);
  expect(await renewals(order.id)).toEqual([]);
});

test('staff refund the newest paid month, in part or in full, once per key and never more than was paid', async () => {
  const { begin, pass, gateway, status, forget } = books();
  const start = nextStart();
  const order = await begin(start);
  await pass(Date.UTC(year, 2, 10, 9, 30));
  const refund = (amount?: number, key: string = randomUUID()) =>
    gateway.refund(order, amount === undefined ? undefined : cents(amount), key);
  const tooMuch = { refused: 'That’s more than is left to refund' };
  // The second request repeats the first.
  for (const key of ['one', 'one']) expect(await refund(1_000, key)).toBe('done');
  const charge = { id: `charge_test_invoice_${order.id}_3`, amountCents: 57_500 };
  expect(await chargesOf(order)).toMatchObject([{ ...charge, refundedCents: 1_000 }]);
  expect(await refund(56_501)).toEqual(tooMuch);
  expect(await refund()).toBe('done');
  expect(await chargesOf(order)).toMatchObject([{ ...charge, refundedCents: 57_500 }]);
  expect(await refund(1)).toEqual(tooMuch);
  expect(await status(order.id)).toBe('paid');
  await forget(order.id);
});
