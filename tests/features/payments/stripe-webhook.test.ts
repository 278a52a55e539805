import { describe, expect, test } from 'vitest';
import type { StandInEvent } from '../../support/fake-stripe/event-log.ts';
import { eventsDuring } from '../../support/stripe-events.ts';
import {
  order,
  paymentOf,
  type Started,
  seenByStaff,
  sharedShop,
  statusesOf,
  subscriptionOf,
} from '../../support/stripe-shop.ts';

const GOOD = '4242424242424242';
const POOR = '4000000000009995';
const ASKS = '4000002500003155';

const shop = sharedShop();

/** What happened at Stripe while `act` ran, as events of these types in the order given. */
async function eventsOf(types: string[], act: () => unknown): Promise<StandInEvent[]> {
  const happened = await eventsDuring(shop, act);
  return types.map((type) => {
    const event = happened.findLast((each) => each.type === type);
    if (!event) throw new Error(`no ${type} happened`);
    return event;
  });
}

const deliver = (events: readonly StandInEvent[]) =>
  shop.fake.deliver(events, { to: shop.webhook });

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
    expect(await statusesOf(shop, placed)).toEqual(['pending', 'failed']);
    await deliver(
      await eventsOf(['invoice.paid'], () => shop.fake.confirmCard(placed.clientSecret, GOOD)),
    );
    expect(await statusesOf(shop, placed)).toEqual(['pending', 'failed', 'processing', 'paid']);
  });

  test("the bank's question", async () => {
    const placed = await order(shop);
    await deliver(
      await eventsOf(['invoice.payment_action_required'], () =>
        shop.fake.confirmCard(placed.clientSecret, ASKS),
      ),
    );
    expect(await statusesOf(shop, placed)).toEqual(['pending', 'processing']);
    await deliver(
      await eventsOf(['invoice.payment_failed'], () =>
        shop.fake.authenticate(placed.clientSecret, false),
      ),
    );
    expect(await statusesOf(shop, placed)).toEqual(['pending', 'processing', 'failed']);
  });

  test('a renewal that is refused, and paid later', async () => {
    const placed = await paidOrder();
    const id = await subscriptionOf(shop, placed);
    const failed = await eventsOf(['invoice.payment_failed', 'customer.subscription.updated'], () =>
      shop.fake.renew(id, { pay: false }),
    );
    await deliver(failed);
    expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid', 'past_due']);
    const invoice = String(failed[0]?.object.id);
    await deliver(
      await eventsOf(['invoice.paid'], () => shop.fake.retryInvoice(invoice, { pay: true })),
    );
    expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid', 'past_due', 'paid']);
  });

  test.each(['void', 'uncollectible'] as const)(
    'a refused renewal that staff make %s in the dashboard is overdue no more',
    async (how) => {
      const placed = await paidOrder();
      const id = await subscriptionOf(shop, placed);
      const failed = await eventsOf(
        ['invoice.payment_failed', 'customer.subscription.updated'],
        () => shop.fake.renew(id, { pay: false }),
      );
      await deliver(failed);
      const waived = await eventsOf(['customer.subscription.updated'], () =>
        shop.fake.waiveInvoice(String(failed[0]?.object.id), how),
      );
      await deliver([...waived, ...failed]);
      expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid', 'past_due', 'paid']);
      // Not having been paid, it is nothing that could be given back.
      await deliver(
        await eventsOf(['charge.refunded'], () => shop.fake.refundCharge(paymentOf(placed))),
      );
      expect((await seenByStaff(shop, placed.orderId)).status).toBe('refunded');
    },
  );

  test('a renewal changes nothing, and is noted', async () => {
    const placed = await paidOrder();
    const id = await subscriptionOf(shop, placed);
    await deliver(await eventsOf(['invoice.paid'], () => shop.fake.renew(id, { pay: true })));
    // Each event has the bills looked at; a renewal is noted when it is first seen.
    await deliver(
      await eventsOf(['charge.refunded'], () => shop.fake.refundCharge(paymentOf(placed), 100)),
    );
    const seen = await seenByStaff(shop, placed.orderId);
    expect(seen.status).toBe('paid');
    const notes: string[] = seen.notes.map(({ note }: { note: string }) => note);
    expect(notes.filter((note) => note.startsWith('Renewed: $1,199.00'))).toHaveLength(1);
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
    const id = await subscriptionOf(shop, placed);
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
    const id = await subscriptionOf(shop, ended);
    await deliver(
      await eventsOf(['customer.subscription.deleted'], () => shop.fake.cancelSubscription(id)),
    );
    expect(await statusesOf(shop, ended)).toEqual(['pending', 'paid', 'canceled']);
    const unpaid = await order(shop);
    const other = await subscriptionOf(shop, unpaid);
    await deliver(await eventsOf(['customer.subscription.updated'], () => shop.fake.expire(other)));
    expect(await statusesOf(shop, unpaid)).toEqual(['pending', 'canceled']);
  });
});
