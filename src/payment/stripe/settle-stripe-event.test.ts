/** What an order hears of an event that fits it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { newOrders } from '../../../tests/support/order-at-stripe.ts';
import { sharedShop } from '../../../tests/support/stripe-shop.ts';
import { eventsIn, openStage } from '../../../tests/support/stripe-stage.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);
const stage = (...how: [Partial<Row<'orders'>>?, { live?: boolean }?]) =>
  openStage(shop, newOrder, ...how);
beforeEach(async () => {
  await shop.app.database.db.deleteFrom('stripeEvents').execute();
});

const SILENT = { status: 'requires_payment_method', refused: false } as const;
const PAID = { status: 'succeeded', refused: false } as const;

const events = () => eventsIn(shop);

describe('an event that fits', () => {
  test('and speaks for itself is followed without asking', async () => {
    const { row, book, fetchPaymentState, find, hear, invoice } = stage();
    await hear('invoice.paid', invoice);
    const bill = { id: 'in_1', createdAt: 5000, amount: 119_900, paid: true, renewal: false };
    expect(book.followed).toEqual([
      {
        orderId: row.id,
        state: { ...PAID, invoices: [bill], partial: true },
        cause: 'Stripe: first invoice: paid (evt_1)',
      },
    ]);
    expect(await events()).toMatchObject([
      { id: 'evt_1', type: 'invoice.paid', orderId: row.id, signed: 1, settled: 1 },
    ]);
    expect(book.heard).toEqual([`charged stripe false ${row.id}`]);
    expect([fetchPaymentState.mock.calls, find.mock.calls]).toEqual([[], []]);
  });

  test('is followed with what Stripe says now', async () => {
    const { book, fetchPaymentState, hear, charge, row } = stage();
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
    expect(book.followed.map(({ state }) => state)).toEqual([
      {
        status: 'canceled',
        refused: false,
        invoices: [bill],
        charges: [{ id: 'ch_1', amount: 119_900, refunded: 5 }, now],
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
    const { book, fetchPaymentState, hear, charge } = stage();
    fetchPaymentState.mockResolvedValue(now);
    await hear('charge.refunded', charge);
    const all = { invoices: [], charges: [{ id: 'ch_1', amount: 119_900, refunded: 5 }] };
    expect(book.followed[0]?.state).toStrictEqual({ ...state, ...all, ended: false });
  });

  test('says of itself that the subscription ended', async () => {
    const { book, hear, subscription } = stage();
    const ended = { ...subscription, status: 'canceled' };
    await hear('customer.subscription.deleted', ended);
    const state = { ...PAID, invoices: [], charges: [], ended: true };
    expect(book.followed[0]?.state).toStrictEqual(state);
  });

  test('waits while Stripe does not answer, but is followed as far as it speaks for itself', async () => {
    const { book, fetchPaymentState, hear, subscription, row } = stage();
    fetchPaymentState.mockResolvedValue('away');
    await hear('customer.subscription.updated', subscription);
    const says = { ...SILENT, invoices: [], ended: false, endsAt: null, partial: true };
    expect(book.followed).toMatchObject([{ state: says }]);
    expect(await events()).toMatchObject([{ orderId: row.id, settled: 0 }]);
  });

  test('waits while Stripe answers in part', async () => {
    const { book, fetchPaymentState, hear, subscription } = stage();
    fetchPaymentState.mockResolvedValue({ ...PAID, partial: true });
    await hear('customer.subscription.updated', subscription);
    expect(book.followed).toMatchObject([{ state: { ...PAID, partial: true } }]);
    expect(await events()).toMatchObject([{ settled: 0 }]);
  });

  test('is followed once', async () => {
    const { book, hear, invoice } = stage();
    await hear('invoice.paid', invoice, { signed: false });
    expect(await events()).toMatchObject([{ signed: 0 }]);
    await hear('invoice.paid', invoice, { signed: false });
    expect(await events()).toMatchObject([{ signed: 0 }]);
    await hear('invoice.paid', invoice);
    expect(await events()).toMatchObject([{ signed: 1 }]);
    expect(book.followed).toHaveLength(1);
    await Promise.all([1, 2].map(() => hear('invoice.paid', invoice, { id: 'evt_2' })));
    expect(book.followed).toHaveLength(2);
  });
});
