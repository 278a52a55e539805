/** A genuine event that does not fit its order pays nothing. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { StandInEvent } from '../../support/fake-stripe/event-log.ts';
import { eventsDuring, postEvent } from '../../support/stripe-events.ts';
import { order, rowOf, seenByStaff, sharedShop } from '../../support/stripe-shop.ts';

const shop = sharedShop();

describe('what does not fit changes no status', () => {
  const altered = (event: StandInEvent | undefined, change: object, object: object = {}) => {
    const copy = {
      ...JSON.parse(event?.body ?? ''),
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      ...change,
    };
    Object.assign(copy.data.object, object);
    return copy;
  };

  /** A payment that has happened, and what Stripe says of it. */
  async function paid() {
    const placed = await order(shop);
    const happened = await eventsDuring(shop, () =>
      shop.fake.confirmCard(placed.clientSecret, '4242424242424242'),
    );
    return { placed, event: happened.find(({ type }) => type === 'invoice.paid') };
  }

  test('an event that says of an order what Stripe does not say when it is asked', async () => {
    const unpaid = await order(shop);
    const { customerId: customer } = await rowOf(shop, unpaid.orderId);
    const { event } = await paid();
    expect(await postEvent(shop, altered(event, {}, { customer }))).toBe(200);
    expect((await seenByStaff(shop, unpaid.orderId)).status).toBe('pending');
  });

  test('an event of the other mode', async () => {
    const { placed, event } = await paid();
    expect(await postEvent(shop, altered(event, { livemode: true }))).toBe(200);
    expect((await seenByStaff(shop, placed.orderId)).status).toBe('pending');
  });

  test.each([
    ['a part of the first bill', 'invoice', { status: 'paid', amount_paid: 100 }],
    ['a part of the payment', 'payment_intent', { status: 'succeeded', amount_received: 100 }],
    ['a payment in another currency', 'payment_intent', { status: 'succeeded', currency: 'eur' }],
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
    const invoice = { id: 'in_x', object: 'invoice', amount_due: 5, customer: 'cus_x' };
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
