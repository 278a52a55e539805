/** What an order hears of an event that fits it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { newOrders } from '../../../../tests/support/order-at-stripe.ts';
import { sharedShop } from '../../../../tests/support/stripe-shop.ts';
import { eventsIn, openStage } from '../../../../tests/support/stripe-stage.ts';
import type { NewRow } from '../../../platform/database/tables.server.ts';
import { cents } from '../../../platform/money.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);
const stage = (...how: [Partial<NewRow<'orders'>>?, { live?: boolean }?]) =>
  openStage(shop, newOrder, ...how);
beforeEach(async () => {
  await shop.app.database.db.deleteFrom('stripeEvents').execute();
});

const SILENT = { status: 'requires_payment_method', refused: false } as const;
const PAID = { status: 'succeeded', refused: false } as const;

const events = () => eventsIn(shop);

describe('an event that fits', () => {
  test('and speaks for itself is followed without asking', async () => {
    const { row, followed, fetchPaymentState, find, cancel, notes, hear, invoice } = await stage();
    await hear('invoice.paid', invoice);
    const bill = { id: invoice.id, createdAt: 5000, amount: 119_900, paid: true, renewal: false };
    expect(followed()).toEqual([
      {
        orderId: row.id,
        state: { ...PAID, invoices: [bill], partial: true },
        cause: 'Stripe: first invoice: paid (evt_1)',
      },
    ]);
    expect(await events()).toMatchObject([
      { id: 'evt_1', type: 'invoice.paid', orderId: row.id, signed: 1, settled: 1 },
    ]);
    expect(await notes()).toEqual([]);
    for (const ask of [fetchPaymentState, find, cancel]) expect(ask).not.toHaveBeenCalled();
  });

  test('about an order that is over ends what it is charged for, and no other', async () => {
    const { now, cancel, hear, invoice } = await stage({ status: 'canceled' });
    await newOrder({ status: 'canceled', subscriptionId: 'sub_over' });
    await hear('invoice.paid', invoice);
    expect(cancel.mock.calls).toEqual([[await now(), 'now']]);
  });

  test('is followed with what Stripe says now', async () => {
    const { followed, fetchPaymentState, hear, charge, row } = await stage();
    const now = { id: 'ch_0', amount: cents(1), refunded: cents(1) };
    const bill = { id: 'in_0', createdAt: 1, amount: cents(1), paid: true, renewal: true };
    fetchPaymentState.mockResolvedValue({
      status: 'canceled',
      refused: false,
      charges: [now],
      invoices: [bill],
      notes: ['odd'],
      endsAt: 7,
      ended: true,
    });
    await hear('charge.refunded', charge);
    expect(fetchPaymentState).toHaveBeenCalledWith(row);
    expect(followed().map(({ state }) => state)).toEqual([
      {
        status: 'canceled',
        refused: false,
        invoices: [bill],
        charges: [{ id: charge.id, amount: 119_900, refunded: 5 }, now],
        ended: true,
        endsAt: 7,
        notes: ['odd'],
      },
    ]);
  });

  test.each([
    [SILENT, PAID],
    [
      { ...SILENT, refused: true },
      { ...SILENT, refused: true },
    ],
    [{ status: 'processing', refused: false } as const, { status: 'processing', refused: false }],
  ])('and Stripe says %j: %j', async (now, state) => {
    const { followed, fetchPaymentState, hear, charge } = await stage();
    fetchPaymentState.mockResolvedValue(now);
    await hear('charge.refunded', charge);
    const all = { invoices: [], charges: [{ id: charge.id, amount: 119_900, refunded: 5 }] };
    expect(followed()[0]?.state).toStrictEqual({ ...state, ...all, ended: false });
  });

  test('says of itself that the subscription ended', async () => {
    const { followed, hear, subscription } = await stage();
    const ended = { ...subscription, status: 'canceled' };
    await hear('customer.subscription.deleted', ended);
    const state = { ...PAID, invoices: [], charges: [], ended: true };
    expect(followed()[0]?.state).toStrictEqual(state);
  });

  test('waits while Stripe does not answer, but is followed as far as it speaks for itself', async () => {
    const { followed, fetchPaymentState, hear, subscription, row } = await stage();
    fetchPaymentState.mockResolvedValue('away');
    await hear('customer.subscription.updated', subscription);
    const says = { ...SILENT, invoices: [], ended: false, endsAt: null, partial: true };
    expect(followed()).toMatchObject([{ state: says }]);
    expect(await events()).toMatchObject([{ orderId: row.id, settled: 0 }]);
  });

  test('waits while Stripe answers in part', async () => {
    const { followed, fetchPaymentState, hear, subscription } = await stage();
    fetchPaymentState.mockResolvedValue({ ...PAID, partial: true });
    await hear('customer.subscription.updated', subscription);
    expect(followed()).toMatchObject([{ state: { ...PAID, partial: true } }]);
    expect(await events()).toMatchObject([{ settled: 0 }]);
  });

  test('is followed once', async () => {
    const { followed, hear, invoice } = await stage();
    await hear('invoice.paid', invoice, { signed: false });
    expect(await events()).toMatchObject([{ signed: 0 }]);
    await hear('invoice.paid', invoice, { signed: false });
    expect(await events()).toMatchObject([{ signed: 0 }]);
    await hear('invoice.paid', invoice);
    expect(await events()).toMatchObject([{ signed: 1 }]);
    expect(followed()).toHaveLength(1);
    await Promise.all([1, 2].map(() => hear('invoice.paid', invoice, { id: 'evt_2' })));
    expect(followed()).toHaveLength(2);
  });
});
