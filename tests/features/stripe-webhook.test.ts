import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StandInEvent } from '../support/fake-stripe/event-log.ts';
import {
  openShop,
  order,
  paymentOf,
  postEvent,
  type Started,
  type StripeShop,
  seenByStaff,
} from '../support/stripe-shop.ts';

const GOOD = '4242424242424242';
const POOR = '4000000000009995';
const ASKS = '4000002500003155';

let shop: StripeShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

async function subscriptionOf({ orderId }: Started): Promise<string> {
  const row = await shop.app.database.db
    .selectFrom('orders')
    .select('subscriptionId')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  return row.subscriptionId ?? '';
}

/** What happened at Stripe while `act` ran, as events of these types in the order given. */
async function eventsOf(types: string[], act: () => unknown): Promise<StandInEvent[]> {
  const before = shop.fake.events.length;
  await act();
  const happened = shop.fake.events.slice(before);
  return types.map((type) => {
    const event = happened.findLast((each) => each.type === type);
    if (!event) throw new Error(`no ${type} happened`);
    return event;
  });
}

const deliver = (events: readonly StandInEvent[]) =>
  shop.fake.deliver(events, { to: shop.webhook });

async function statuses({ orderId }: Started): Promise<string[]> {
  const { history } = await seenByStaff(shop, orderId);
  return history.map(({ status }: { status: string }) => status);
}

async function paidOrder(): Promise<Started> {
  const placed = await order(shop);
  await deliver(
    await eventsOf(['invoice.paid'], () => shop.fake.confirmCard(placed.clientSecret, GOOD)),
  );
  return placed;
}

describe('an event changes its order', () => {
  test('a refused card, a second one, and the payment', async () => {
    const placed = await order(shop);
    await deliver(
      await eventsOf(['invoice.payment_failed'], () =>
        shop.fake.confirmCard(placed.clientSecret, POOR),
      ),
    );
    expect(await statuses(placed)).toEqual(['pending', 'failed']);
    await deliver(
      await eventsOf(['invoice.paid'], () => shop.fake.confirmCard(placed.clientSecret, GOOD)),
    );
    expect(await statuses(placed)).toEqual(['pending', 'failed', 'processing', 'paid']);
  });

  test("the bank's question", async () => {
    const placed = await order(shop);
    await deliver(
      await eventsOf(['invoice.payment_action_required'], () =>
        shop.fake.confirmCard(placed.clientSecret, ASKS),
      ),
    );
    expect(await statuses(placed)).toEqual(['pending', 'processing']);
    await deliver(
      await eventsOf(['invoice.payment_failed'], () =>
        shop.fake.authenticate(placed.clientSecret, false),
      ),
    );
    expect(await statuses(placed)).toEqual(['pending', 'processing', 'failed']);
  });

  test('a renewal that is refused, and paid later', async () => {
    const placed = await paidOrder();
    const id = await subscriptionOf(placed);
    const failed = await eventsOf(['invoice.payment_failed', 'customer.subscription.updated'], () =>
      shop.fake.renew(id, { pay: false }),
    );
    await deliver(failed);
    expect(await statuses(placed)).toEqual(['pending', 'paid', 'past_due']);
    const invoice = String(failed[0]?.object.id);
    await deliver(
      await eventsOf(['invoice.paid'], () => shop.fake.retryInvoice(invoice, { pay: true })),
    );
    expect(await statuses(placed)).toEqual(['pending', 'paid', 'past_due', 'paid']);
  });

  test.each(['void', 'uncollectible'] as const)(
    'a refused renewal that staff make %s in the dashboard is overdue no more',
    async (how) => {
      const placed = await paidOrder();
      const id = await subscriptionOf(placed);
      const failed = await eventsOf(
        ['invoice.payment_failed', 'customer.subscription.updated'],
        () => shop.fake.renew(id, { pay: false }),
      );
      await deliver(failed);
      const waived = await eventsOf(['customer.subscription.updated'], () =>
        shop.fake.waiveInvoice(String(failed[0]?.object.id), how),
      );
      await deliver([...waived, ...failed]);
      expect(await statuses(placed)).toEqual(['pending', 'paid', 'past_due', 'paid']);
      // Not having been paid, it is nothing that could be given back.
      await deliver(
        await eventsOf(['charge.refunded'], () => shop.fake.refundCharge(paymentOf(placed))),
      );
      expect((await seenByStaff(shop, placed.orderId)).status).toBe('refunded');
    },
  );

  test('a renewal changes nothing, and is noted', async () => {
    const placed = await paidOrder();
    const id = await subscriptionOf(placed);
    await deliver(await eventsOf(['invoice.paid'], () => shop.fake.renew(id, { pay: true })));
    const seen = await seenByStaff(shop, placed.orderId);
    expect(seen.status).toBe('paid');
    expect(seen.notes[0].note).toContain('Renewed: $1,199.00');
  });

  test('a part refund leaves it paid and shows the sum; the rest makes it refunded', async () => {
    const placed = await paidOrder();
    const refund = (amount?: number) =>
      eventsOf(['charge.refunded'], () => shop.fake.refundCharge(paymentOf(placed), amount));
    await deliver(await refund(10_000));
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject({
      status: 'paid',
      refunded: 100,
    });
    await deliver(await refund());
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject({
      status: 'refunded',
      refunded: 1199,
    });
  });

  test('a month of several given back is a part', async () => {
    const placed = await paidOrder();
    const id = await subscriptionOf(placed);
    await deliver(await eventsOf(['invoice.paid'], () => shop.fake.renew(id, { pay: true })));
    const charge = [...shop.fake.state.charge.values()].at(-1);
    await deliver(
      await eventsOf(['charge.refunded'], () => shop.fake.refundCharge(charge?.id ?? '')),
    );
    expect(await seenByStaff(shop, placed.orderId)).toMatchObject({
      status: 'paid',
      refunded: 1199,
    });
  });

  test.each([
    ['won', 'paid'],
    ['lost', 'refunded'],
    ['warning_closed', 'paid'],
    ['prevented', 'paid'],
  ] as const)(
    'a dispute stands beside the status; when it is %s the order is %s',
    async (end, status) => {
      const placed = await paidOrder();
      let id = '';
      await deliver(
        await eventsOf(['charge.dispute.created'], () => {
          id = shop.fake.openDispute(paymentOf(placed)).id;
        }),
      );
      expect(await seenByStaff(shop, placed.orderId)).toMatchObject({
        status: 'paid',
        dispute: 'open',
      });
      await deliver(
        await eventsOf(['charge.dispute.closed'], () => shop.fake.closeDispute(id, end)),
      );
      expect(await seenByStaff(shop, placed.orderId)).toMatchObject({
        status,
        dispute: end === 'lost' ? 'lost' : 'won',
      });
    },
  );

  test('an ended subscription, and one that nobody paid', async () => {
    const ended = await paidOrder();
    const id = await subscriptionOf(ended);
    await deliver(
      await eventsOf(['customer.subscription.deleted'], () => shop.fake.cancelSubscription(id)),
    );
    expect(await statuses(ended)).toEqual(['pending', 'paid', 'canceled']);
    const unpaid = await order(shop);
    const other = await subscriptionOf(unpaid);
    await deliver(await eventsOf(['customer.subscription.updated'], () => shop.fake.expire(other)));
    expect(await statuses(unpaid)).toEqual(['pending', 'canceled']);
  });

  test('the history names the event that caused it', async () => {
    const placed = await order(shop);
    const events = await eventsOf(['invoice.paid'], () =>
      shop.fake.confirmCard(placed.clientSecret, GOOD),
    );
    await deliver(events);
    const { history } = await seenByStaff(shop, placed.orderId);
    expect(history.at(-1).cause).toBe(`Stripe: first invoice: paid (${events[0]?.id})`);
  });
});

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
      const [paid] = await eventsOf(['invoice.paid'], () =>
        shop.fake.confirmCard(placed.clientSecret, GOOD),
      );
      expect(await postEvent(shop, altered(paid, alter))).toBe(200);
      const seen = await seenByStaff(shop, placed.orderId);
      expect(seen.status).toBe('pending');
      expect(seen.notes[0].note).toContain(why);
    },
  );

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
