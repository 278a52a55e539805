/** A genuine event that does not fit its order pays nothing. */
import { describe, expect, test } from 'vitest';
import type { StandInEvent } from '../../support/fake-stripe/event-log.ts';
import { eventsDuring, postEvent } from '../../support/stripe-events.ts';
import { order, rowOf, seenByStaff, sharedShop } from '../../support/stripe-shop.ts';

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
    ['a bill that is open', (e) => Object.assign(e.data.object, { status: 'open' }), 'is open'],
    [
      'a bill that was written off',
      (e) => Object.assign(e.data.object, { status: 'uncollectible' }),
      'is uncollectible',
    ],
    [
      'a bill of which a part was paid',
      (e) => Object.assign(e.data.object, { amount_paid: 119_800 }),
      'amount is 119800',
    ],
    [
      'a bill that was paid elsewhere',
      (e) => Object.assign(e.data.object, { amount_paid: 0, amount_paid_off_stripe: 119_900 }),
      'amount is 0',
    ],
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

  test.each([
    ['another amount', { amount: 100, amount_received: 100 }, 'amount is 100'],
    ['a part that came in', { amount_received: 100 }, 'amount is 100'],
    ['another currency', { currency: 'eur' }, 'currency is eur'],
    ['nothing that came in', { status: 'requires_payment_method' }, 'requires_payment_method'],
  ])('a payment that has succeeded with %s', async (_what, change, why) => {
    const placed = await order(shop);
    const happened = await eventsDuring(shop, () =>
      shop.fake.confirmCard(placed.clientSecret, '4242424242424242'),
    );
    const succeeded = happened.find(({ type }) => type === 'payment_intent.succeeded');
    const event = altered(succeeded, ({ data }) => Object.assign(data.object, change));
    expect(await postEvent(shop, event)).toBe(200);
    const seen = await seenByStaff(shop, placed.orderId);
    expect(seen.status).toBe('pending');
    expect(seen.notes[0].note).toContain(why);
  });

  test.each([
    ['a part of the first bill', 'invoice', { status: 'paid', amount_paid: 100 }],
    ['a part of the payment', 'payment_intent', { status: 'succeeded', amount_received: 100 }],
    ['a bill that is still open', 'invoice', { amount_paid: 119_900 }],
  ] as const)('%s, when Stripe is asked', async (_what, kind, change) => {
    const placed = await order(shop);
    Object.assign([...shop.fake.state[kind].values()].at(-1) ?? {}, change);
    const path = `/api/orders/${placed.orderId}/update-status`;
    for (let times = 0; times < 2; times += 1) {
      const { json } = await placed.visitor.post(path, { status: 'processing' });
      expect(json.status).toBe('pending');
    }
    const { notes } = await seenByStaff(shop, placed.orderId);
    expect(notes).toHaveLength('status' in change ? 1 : 0);
  });

  test('a month whose bill was paid in part by credit counts with what was paid', async () => {
    const placed = await order(shop);
    await shop.fake.deliver(
      await eventsDuring(shop, () =>
        shop.fake.confirmCard(placed.clientSecret, '4242424242424242'),
      ),
      { to: shop.webhook },
    );
    const { subscriptionId, customerId } = await rowOf(shop, placed.orderId);
    Object.assign(shop.fake.state.customer.get(customerId ?? '') ?? {}, { balance: -20_000 });
    await shop.fake.deliver(
      await eventsDuring(shop, () => shop.fake.renew(subscriptionId ?? '', { pay: true })),
      { to: shop.webhook },
    );
    const { notes } = await seenByStaff(shop, placed.orderId);
    expect(notes[0].note).toContain('Renewed: $999.00');
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
