/** Stripe promises neither order nor number: every order of five events, each of them twice, ends in the same state. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StandInEvent } from '../support/fake-stripe/events.ts';
import { permutations } from '../support/permutations.ts';
import { sized } from '../support/sized.ts';
import {
  eventsDuring,
  openShop,
  order,
  paymentOf,
  receiptsFor,
  type Started,
  type StripeShop,
  statusesOf,
  subscriptionOf,
  WITH_MAIL,
} from '../support/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await openShop(WITH_MAIL);
});
afterAll(() => shop.close());

interface Story {
  what: string;
  /** Makes everything happen at Stripe before the first event is heard. */
  happen(placed: Started, subscription: string): void;
  types: string[];
  /** One order in so many is tried. */
  every(): number;
  /** The statuses that the order goes through, whatever is heard first. */
  ends: string[];
}

const STORIES: Story[] = [
  {
    what: 'a refused card, the bank asks, paid',
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
    what: 'paid, a renewal refused and paid, a part refunded, a dispute',
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
    what: 'paid, a renewal refused, the first month lost to a dispute, ended',
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

/** A new order, and everything that happens to it at Stripe, as events in this order. */
async function told({ happen }: Story, inThisOrder: readonly string[]) {
  const placed = await order(shop);
  const subscription = await subscriptionOf(shop, placed);
  const happened = await eventsDuring(shop, () => happen(placed, subscription));
  const found = inThisOrder.map((type) => happened.find((each) => each.type === type));
  const events = found.filter((each): each is StandInEvent => each !== undefined);
  expect(events).toHaveLength(inThisOrder.length);
  return { placed, events };
}

async function deliver(events: readonly StandInEvent[]): Promise<void> {
  const answers = await shop.fake.deliver(events, { to: shop.webhook, times: 2 });
  expect(answers.every(({ status }) => status === 200)).toBe(true);
}

describe.each(STORIES)('$what', (story) => {
  const { happen, types, every, ends } = story;
  test('in every order of five events, each twice', { timeout: 3_600_000 }, async () => {
    for (const inThisOrder of permutations(types).filter((_, place) => place % every() === 0)) {
      const { placed, events } = await told(story, inThisOrder);
      await deliver(events);
      expect([inThisOrder, await statusesOf(shop, placed)]).toEqual([inThisOrder, ends]);
      expect(await receiptsFor(shop, placed.orderId)).toBe(1);
    }
  });

  test('all five at once', async () => {
    const placed = await order(shop);
    const subscription = await subscriptionOf(shop, placed);
    const happened = await eventsDuring(shop, () => happen(placed, subscription));
    const five = happened.filter(({ type }) => types.includes(type));
    await shop.fake.deliver(five, { to: shop.webhook, times: 3, together: true });
    expect(await statusesOf(shop, placed)).toEqual(ends);
  });
});
