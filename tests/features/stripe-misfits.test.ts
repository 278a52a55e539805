/** A genuine event that does not fit its order pays nothing. */
import { describe, expect, test } from 'vitest';
import type { StandInEvent } from '../support/fake-stripe/event-log.ts';
import { eventsDuring, postEvent } from '../support/stripe-events.ts';
import { order, paymentOf, seenByStaff, sharedShop } from '../support/stripe-shop.ts';

const shop = sharedShop();

describe('what does not fit changes no status', () => {
  const altered = (
    event: StandInEvent | undefined,
    alter: (event: {
      id: string;
      livemode: boolean;
      data: { object: Record<string, unknown> };
    }) => void,
  ) => {
    const copy = JSON.parse(event?.body ?? '');
    copy.id = `evt_altered_${Math.random()}`;
    alter(copy);
    return copy;
  };

  test.each([
    [
      'another amount',
      (e) => Object.assign(e.data.object, { amount_due: 100, amount_paid: 100, total: 100 }),
      'amount',
    ],
    ['another currency', (e) => Object.assign(e.data.object, { currency: 'eur' }), 'currency'],
    ['the live mode', (e) => Object.assign(e, { livemode: true }), 'mode is live'],
    [
      'another subscription',
      (e) =>
        Object.assign(e.data.object, {
          parent: {
            ...(e.data.object.parent as object),
            subscription_details: {
              ...(e.data.object.parent as { subscription_details: object }).subscription_details,
              subscription: 'sub_other',
            },
          },
        }),
      'subscription is sub_other',
    ],
  ] satisfies [string, Parameters<typeof altered>[1], string][])(
    '%s',
    async (_what, alter, why) => {
      const placed = await order(shop);
      const happened = await eventsDuring(shop, () =>
        shop.fake.confirmCard(placed.clientSecret, '4242424242424242'),
      );
      const paid = happened.find(({ type }) => type === 'invoice.paid');
      expect(await postEvent(shop, altered(paid, alter))).toBe(200);
      const seen = await seenByStaff(shop, placed.orderId);
      expect(seen.status).toBe('pending');
      expect(seen.notes[0].note).toContain(why);
    },
  );

  test('a payment for another amount, whatever else hangs on it', async () => {
    const placed = await order(shop);
    shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    Object.assign(shop.fake.state.payment_intent.get(paymentOf(placed)) ?? {}, { amount: 100 });
    const path = `/api/orders/${placed.orderId}/update-status`;
    const { json } = await placed.visitor.post(path, { status: 'processing' });
    expect(json.status).toBe('pending');
    const { notes } = await seenByStaff(shop, placed.orderId);
    expect(notes[0].note).toContain('is for 100 usd, the order for 119900 usd');
  });

  test('what belongs to no order, or is of no interest, is acknowledged', async () => {
    const stranger = {
      id: 'evt_x',
      object: 'event',
      type: 'invoice.paid',
      livemode: false,
      created: 1,
    };
    const invoice = { id: 'in_x', created: 1, amount_due: 5, currency: 'usd', parent: null };
    expect(await postEvent(shop, { ...stranger, data: { object: invoice } })).toBe(200);
    expect(
      await postEvent(shop, { ...stranger, id: 'evt_y', data: { object: { odd: true } } }),
    ).toBe(200);
    expect(
      await postEvent(shop, {
        ...stranger,
        id: 'evt_z',
        type: 'coupon.created',
        data: { object: {} },
      }),
    ).toBe(200);
  });
});
