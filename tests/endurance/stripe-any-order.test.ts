/** Five of Stripe's events in any order, each twice, lead to the same state. */
import { describe, expect, test } from 'vitest';
import { permutations } from '../support/permutations.ts';
import {
  eventsDuring,
  order,
  paymentOf,
  receiptsFor,
  type Started,
  sharedShop,
  statusesOf,
  subscriptionOf,
  WITH_MAIL,
} from '../support/stripe-shop.ts';
import { sized } from './sized.ts';

const shop = sharedShop(WITH_MAIL);

interface Story {
  what: string;
  /** Runs at Stripe, completely before the first event is delivered. */
  happen(placed: Started, subscription: string): void;
  types: string[];
  /** Tries only every nth permutation. */
  every(): number;
  /** The order's statuses, whichever event arrives first. */
  ends: string[];
}

const STORIES: Story[] = [
  {
    what: 'a declined card, 3-D Secure, paid',
    happen({ clientSecret }) {
      shop.fake.confirmCard(clientSecret, '4000000000000002');
      shop.fake.confirmCard(clientSecret, '4000002500003155');
      shop.fake.authenticate(clientSecret, true);
    },
    types: [
      'invoice.payment_failed',
      'invoice.payment_action_required',
      'payment_intent.succeeded',
      'customer.subscription.updated',
      'invoice.paid',
    ],
    every: () => sized(29, 1),
    ends: ['pending', 'paid'],
  },
  {
    what: 'paid, a failed renewal that is paid later, a partial refund, a dispute',
    happen(placed, subscription) {
      shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
      const invoice = shop.fake.renew(subscription, { pay: false });
      shop.fake.retryInvoice(invoice?.id ?? '', { pay: true });
      shop.fake.refundCharge(paymentOf(placed), 5000);
      shop.fake.openDispute(paymentOf(placed));
    },
    types: [
      'invoice.paid',
      'invoice.payment_failed',
      'customer.subscription.updated',
      'charge.refunded',
      'charge.dispute.created',
    ],
    every: () => sized(47, 1),
    ends: ['pending', 'paid'],
  },
  {
    what: 'paid, a failed renewal, a lost dispute over the first month, canceled',
    happen(placed, subscription) {
      shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
      shop.fake.renew(subscription, { pay: false });
      shop.fake.closeDispute(shop.fake.openDispute(paymentOf(placed)).id, 'lost');
      shop.fake.cancelSubscription(subscription);
    },
    types: [
      'invoice.paid',
      'invoice.payment_failed',
      'charge.dispute.created',
      'charge.dispute.closed',
      'customer.subscription.deleted',
    ],
    every: () => sized(47, 1),
    ends: ['pending', 'paid', 'refunded'],
  },
];

describe.each(STORIES)('$what', ({ happen, types, every, ends }) => {
  /** Places an order and returns the story's events by type. */
  async function tell() {
    const placed = await order(shop);
    const subscription = await subscriptionOf(shop, placed);
    const happened = await eventsDuring(shop, () => happen(placed, subscription));
    const events = Object.fromEntries(happened.toReversed().map((event) => [event.type, event]));
    return { placed, events };
  }

  test('an order ends in the same state for any order of events', {
    timeout: 3_600_000,
  }, async () => {
    for (const sequence of permutations(types).filter((_, place) => place % every() === 0)) {
      const { placed, events } = await tell();
      const inOrder = sequence.flatMap((type) => events[type] ?? []);
      const statuses = await shop.fake.deliver(inOrder, { to: shop.webhook, times: 2 });
      expect(statuses).toEqual(Array(10).fill(200));
      expect([sequence, await statusesOf(shop, placed)]).toEqual([sequence, ends]);
      expect(await receiptsFor(shop, placed.orderId)).toBe(1);
    }
  });

  test('an order ends in the same state when all events arrive at once', async () => {
    const { placed, events } = await tell();
    const all = types.flatMap((type) => events[type] ?? []);
    await shop.fake.deliver(all, { to: shop.webhook, times: 3, together: true });
    expect(await statusesOf(shop, placed)).toEqual(ends);
  });
});
