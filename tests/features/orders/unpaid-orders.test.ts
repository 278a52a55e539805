/** Orders that were never paid are deleted, and with them their buyers. */
import { describe, expect, test, vi } from 'vitest';
import { insertEvent } from '../../../src/billing/order-event-store.server.ts';
import { findOrder } from '../../../src/billing/order-store.server.ts';
import { cents } from '../../../src/platform/money.ts';
import { deleteUnpaidOrders } from '../../../src/privacy/expire-messages.server.ts';
import { tablesWith } from '../../support/every-row.ts';
import { orderByQuote, QUOTE } from '../../support/quote-site.ts';
import { savedOrder, TEST_CAUSE } from '../../support/saved-order.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';

const CENT = cents(1);
const DAY = 24 * 60 * 60 * 1000;

const app = sharedTestApp();

describe('an order that was never paid', () => {
  const daysAgo = (days: number) => Date.now() - days * DAY;

  /** An order whose last change was so many days ago. */
  async function orderOf(days: number, change: Parameters<typeof savedOrder>[1] = {}) {
    const { db } = app.database;
    const createdAt = daysAgo(days);
    const { id } = await savedOrder(db, { status: 'canceled', ...change, createdAt });
    await db.updateTable('orderEvents').set({ at: createdAt }).where('orderId', '=', id).execute();
    return id;
  }
  async function isKept(id: number): Promise<boolean> {
    await deleteUnpaidOrders(app.database.db);
    return (await findOrder(app.database.db, id)) !== undefined;
  }

  test('is deleted with all that belongs to it 30 days after it was given up, and frees its quote', async () => {
    const { db } = app.database;
    const { url } = (await app.visitor().post('/api/quotes', QUOTE)).json;
    const buyer = { email: 'nobody-paid@example.com', name: 'Nemo Unpaid' };
    const token = url.split('/').at(-1);
    const body = orderByQuote(token, buyer);
    const headers = { 'Idempotency-Key': 'never-paid' };
    const { json } = await app.visitor().post('/api/create-payment-intent', body, headers);
    const { orderId } = json;
    const delivery = { kind: 'order-paid', subjectId: orderId, topic: 'never paid' };
    await saveDeliveries(db, [{ ...delivery, channel: 'mail-customer', state: 'accepted' }]);
    const staff = await app.staff();
    await staff.post(`/api/orders/${orderId}/update-status`, { status: 'canceled' });
    expect(await isKept(orderId)).toBe(true);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * DAY + 1 });
    expect(await isKept(orderId)).toBe(false);
    vi.useRealTimers();
    for (const trace of [buyer.email, buyer.name, 'never-paid', 'never paid', `_${orderId}`])
      expect(await tablesWith(app.database, trace), trace).toEqual([]);
    expect((await app.visitor().post('/api/quote', { token })).json.state).toBe('open');
  });

  test.each([
    ['was given up less than 30 days ago', 29, {}],
    ['may still be charged at Stripe', 99, { live: 1, subscriptionId: 'sub_charging' }],
    ['waits for real money', 99, { live: 1, status: 'pending' }],
    ['is running', 99, { status: 'paid' }],
    ['waits for its start day', 99, { status: 'processing', subscriptionStatus: 'trialing' }],
  ] as const)('is kept while it %s', async (_, days, change) => {
    expect(await isKept(await orderOf(days, change))).toBe(true);
  });

  test.each([
    ['of real money, once its subscription has ended', { live: 1, subscriptionStatus: 'canceled' }],
    ['of a trial run that nobody follows any more', { status: 'pending', provider: 'stripe' }],
  ] as const)('%s, is deleted', async (_, change) => {
    expect(await isKept(await orderOf(31, { subscriptionId: 'sub_ended', ...change }))).toBe(false);
  });

  test('is kept for good if it ever was paid, whatever became of it', async () => {
    const { db } = app.database;
    const [byHand, invoiced, disputed] = [await orderOf(99), await orderOf(99), await orderOf(99)];
    const at = daysAgo(99);
    const paid = { kind: 'paid', monthly: { lines: [], tax: CENT }, invoice: null } as const;
    await insertEvent(db, byHand, paid, TEST_CAUSE);
    await db.updateTable('orderEvents').set({ at }).where('orderId', '=', byHand).execute();
    await db
      .insertInto('invoices')
      .values({
        ...{ id: 'in_kept', orderId: invoiced, createdAt: at, status: 'paid' },
        ...{ amountCents: CENT, amountPaidCents: CENT, amountRemainingCents: cents(0) },
      })
      .execute();
    await db
      .insertInto('charges')
      .values({ orderId: disputed, id: 'ch_kept', amountCents: CENT, refundedCents: cents(0) })
      .execute();
    for (const id of [byHand, invoiced, disputed]) expect(await isKept(id)).toBe(true);
  });
});
