/** Stripe promises neither order nor number: every order of five events, each of them twice, ends in the same state. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StandInEvent } from '../support/fake-stripe/event-log.ts';
import { sized } from '../support/sized.ts';
import {
  openShop,
  order,
  receiptsFor,
  type Started,
  type StripeShop,
  seenByStaff,
  WITH_MAIL,
} from '../support/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await openShop(WITH_MAIL);
});
afterAll(() => shop.close());

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, place) =>
    permutations(items.toSpliced(place, 1)).map((rest) => [item, ...rest]),
  );
}

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

const paymentOf = ({ clientSecret }: Started) => clientSecret.split('_secret_')[0] ?? '';

const STORIES: Story[] = [
  {
    what: 'two refused cards, the bank asks, paid',
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
    every: () => 1,
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
    every: () => sized(5, 1),
    ends: ['pending', 'paid'],
  },
  {
    what: 'paid, disputed, lost, ended',
    happen(placed, subscription) {
      shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
      const { id } = shop.fake.openDispute(paymentOf(placed));
      shop.fake.cancelSubscription(subscription);
      shop.fake.closeDispute(id, 'won');
    },
    types: [
      'invoice.paid',
      'customer.subscription.updated',
      'charge.dispute.created',
      'customer.subscription.deleted',
      'charge.dispute.closed',
    ],
    every: () => sized(5, 1),
    ends: ['pending', 'paid', 'canceled'],
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
    every: () => sized(5, 1),
    ends: ['pending', 'paid', 'refunded'],
  },
];

describe.each(STORIES)('$what', ({ happen, types, every, ends }) => {
  test('in every order of five events, each twice', { timeout: 3_600_000 }, async () => {
    for (const inThisOrder of permutations(types).filter((_, place) => place % every() === 0)) {
      const placed = await order(shop);
      const before = shop.fake.events.length;
      const { subscriptionId } = await rowOf(placed);
      happen(placed, subscriptionId ?? '');
      const happened = shop.fake.events.slice(before);
      const events = inThisOrder.map((type) => happened.find((each) => each.type === type));
      const sent = events.filter((each): each is StandInEvent => each !== undefined);
      expect(sent).toHaveLength(5);
      const answers = await shop.fake.deliver(sent, { to: shop.webhook, times: 2 });
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      const { history } = await seenByStaff(shop, placed.orderId);
      expect([inThisOrder, history.map(({ status }: { status: string }) => status)]).toEqual([
        inThisOrder,
        ends,
      ]);
      expect(await receiptsFor(shop, placed.orderId)).toBe(1);
    }
  });

  test('all five at once', async () => {
    const placed = await order(shop);
    const before = shop.fake.events.length;
    happen(placed, (await rowOf(placed)).subscriptionId ?? '');
    const happened = shop.fake.events.slice(before).filter(({ type }) => types.includes(type));
    await shop.fake.deliver(happened, { to: shop.webhook, times: 3, together: true });
    const { history } = await seenByStaff(shop, placed.orderId);
    expect(history.map(({ status }: { status: string }) => status)).toEqual(ends);
  });
});

function rowOf({ orderId }: Started) {
  return shop.app.database.db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
}
