/** An event that does not fit its order is set aside, and staff read why. */
import { beforeEach, describe, expect, test } from 'vitest';
import { logged } from '../../../../tests/support/logged.ts';
import { newOrders } from '../../../../tests/support/order-at-stripe.ts';
import { sharedShop } from '../../../../tests/support/stripe-shop.ts';
import { eventsIn, openStage } from '../../../../tests/support/stripe-stage.ts';
import type { NewRow } from '../../../platform/database/tables.server.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);
const stage = (...how: [Partial<NewRow<'orders'>>?, { live?: boolean }?]) =>
  openStage(shop, newOrder, ...how);
beforeEach(async () => {
  await shop.app.database.db.deleteFrom('stripeEvents').execute();
});

const events = () => eventsIn(shop);

describe('an event that does not fit is set aside, and staff read why', () => {
  test.each([
    [
      'another subscription',
      { parent: { subscription_details: { subscription: 'sub_x', metadata: null } } },
      {},
      undefined,
    ],
    ['another currency', { currency: 'eur' }, {}, 'its currency is eur'],
    ['another sum', { amount_paid: 5 }, {}, 'its amount is 5 cents, the order’s is 119900'],
    [
      'the sum without its tax',
      {},
      { dueCents: 120_000 },
      'its amount is 119900 cents, the order’s is 120000',
    ],
    ['a bill that is open', { status: 'open' }, {}, 'its status is open'],
    [
      'an order of the test gateway',
      {},
      { provider: 'test' },
      'the order was not placed with Stripe',
    ],
    ['an order of the live mode', {}, { live: 1 }, 'its mode is test'],
    [
      'an order that nothing was started of',
      {},
      { paymentId: null, subscriptionId: null },
      'the order was not placed with Stripe',
    ],
    [
      'another sum in a month before the first is paid',
      { billing_reason: 'subscription_cycle', amount_paid: 5 },
      {},
      'its amount is 5 cents, the order’s is 119900',
    ],
  ] satisfies [string, object, Partial<NewRow<'orders'>>, string | undefined][])(
    '%s',
    async (_what, bent, change, why) => {
      const { row, followed, notes, hear, invoice } = await stage(change);
      const lines = await logged(() => hear('invoice.paid', { ...invoice, ...bent }));
      expect(followed()).toEqual([]);
      expect(await notes()).toEqual(why ? [`Not applied: invoice.paid (evt_1): ${why}`] : []);
      const [orderId, reason] = why ? [row.id, why] : [null, 'it belongs to no order here'];
      expect(lines).toMatchObject([
        {
          level: 'info',
          event: 'stripe-event-set-aside',
          id: 'evt_1',
          type: 'invoice.paid',
          signed: true,
          orderId,
          why: reason,
        },
      ]);
      expect(await events()).toMatchObject([{ orderId, settled: 1, signed: 1 }]);
      await hear('invoice.paid', { ...invoice, ...bent });
      expect(await notes()).toHaveLength(why ? 1 : 0);
    },
  );

  test('of another subscription than its mark says', async () => {
    const { row, notes, hear, subscription } = await stage();
    await hear('customer.subscription.updated', { ...subscription, id: 'sub_x' });
    const why = `its subscription is sub_x, the order’s is ${row.subscriptionId}`;
    expect(await notes()).toEqual([`Not applied: customer.subscription.updated (evt_1): ${why}`]);
  });

  test('of the other mode', async () => {
    const { notes, hear, invoice } = await stage();
    await hear('invoice.paid', invoice, { livemode: true });
    expect(await notes()).toEqual(['Not applied: invoice.paid (evt_1): its mode is live']);
  });

  test.each([false, true])(
    'but an order of before modes were kept is of this one (%s)',
    async (live) => {
      const { followed, hear, invoice } = await stage({ live: null }, { live });
      await hear('invoice.paid', invoice, { livemode: live });
      expect(followed()).toHaveLength(1);
    },
  );

  test('while a later month may be another sum', async () => {
    const { followed, hear, invoice, charge } = await stage({ status: 'paid' });
    const renewal = { billing_reason: 'subscription_cycle', amount_paid: 5 };
    await hear('invoice.paid', { ...invoice, ...renewal });
    expect(followed()).toHaveLength(1);
    await hear('charge.refunded', { ...charge, amount: 5 }, { id: 'evt_2' });
    expect(followed()).toHaveLength(1);
  });
});
