/** The site while Stripe's clock goes on: months are billed, payments fail, another card helps, and nothing is missed. */
import { expect, test } from 'vitest';
import { clientOf } from '../../support/order-at-stripe.ts';
import {
  GOOD,
  month,
  openSubscriptions,
  REFUSED_LATER,
} from '../../support/running-subscription.ts';
import {
  order,
  rowOf,
  type Started,
  seenByStaff,
  sharedShop,
  statusesOf,
} from '../../support/stripe-shop.ts';

const shop = sharedShop();
const DAY = 86_400;
const open = () => openSubscriptions(shop).subscriptions;

/** An order that is paid on the site, and a clock at Stripe that has its customer's time. */
async function clockedOrder() {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, GOOD);
  const row = await rowOf(shop, placed.orderId);
  const stripe = clientOf(shop);
  const subscription = shop.fake.state.subscription.get(row.subscriptionId ?? '');
  if (!subscription) throw new Error('nothing was made at Stripe');
  const start = subscription.created;
  const clock = await stripe.testHelpers.testClocks.create({
    frozen_time: start,
    customer: subscription.customer,
  });
  let told = 0;
  const hear = async () => {
    const answers = await shop.fake.deliver(shop.fake.events.slice(told), { to: shop.webhook });
    told = shop.fake.events.length;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  };
  await hear();
  return {
    placed,
    row,
    subscription,
    start,
    end: subscription.items.data[0]?.current_period_end ?? 0,
    hear,
    /** To this second; what happened on the way is told. */
    async advanceTo(frozen_time: number) {
      const { testClocks } = stripe.testHelpers;
      expect((await testClocks.advance(clock.id, { frozen_time })).status).toBe('advancing');
      expect(await testClocks.retrieve(clock.id)).toMatchObject({ status: 'ready', frozen_time });
      await hear();
    },
    /** Another card is entered and takes effect. */
    async replaceCard(card: string) {
      const begun = await open().startCard(row);
      if (begun === 'unavailable' || 'refused' in begun)
        throw new Error('no card could be entered');
      shop.fake.confirmCard(begun.clientSecret, card);
      const outcome = await open().finishCard(row, begun.clientSecret);
      await hear();
      return outcome;
    },
  };
}

const statusOf = async ({ orderId }: Started) => (await seenByStaff(shop, orderId)).status;
const bills = ({ orderId }: Started) =>
  shop.app.database.db
    .selectFrom('orderInvoices')
    .select(['amountCents', 'paid'])
    .where('orderId', '=', orderId)
    .orderBy('createdAt')
    .execute();

test('a month later the difference of a change is billed with the next month', async () => {
  const { placed, row, subscription, start, end, advanceTo } = await clockedOrder();
  const at = Math.floor((start + end) / 2);
  await advanceTo(at);
  const change = { lines: month(30), at: at * 1000 };
  const shown = await open().preview(row, change);
  expect(await open().change(row, change)).toBe('done');
  await advanceTo(end + 1800);
  expect(await bills(placed)).toEqual([{ amountCents: 119_900, paid: 1 }]);
  await advanceTo(end + DAY);
  const [, renewal] = await bills(placed);
  expect(shown).toMatchObject({ next: { at: end * 1000, total: renewal?.amountCents } });
  expect(renewal).toEqual({ amountCents: 137_350 + 8725, paid: 1 });
  expect(await open().getSubscription(row)).toMatchObject({
    periodEnd: (subscription.items.data[0]?.current_period_end ?? 0) * 1000,
    next: { total: 137_350 },
  });
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid']);
});

test('a renewal that fails is overdue until another card pays it', async () => {
  const { placed, row, subscription, end, advanceTo, replaceCard } = await clockedOrder();
  expect(await replaceCard(REFUSED_LATER)).toBe('done');
  await advanceTo(end + DAY);
  expect(await statusOf(placed)).toBe('past_due');
  const change = { lines: month(30), at: (end + DAY) * 1000 };
  expect(await open().change(row, change)).toHaveProperty('refused');
  await advanceTo(end + 5 * DAY);
  const invoice = shop.fake.state.invoice.get(subscription.latest_invoice ?? '');
  expect(invoice).toMatchObject({ status: 'open', attempt_count: 2 });
  expect(await replaceCard(REFUSED_LATER)).toEqual({
    refused: expect.stringContaining('Your card was declined'),
  });
  expect(await statusOf(placed)).toBe('past_due');
  expect(await replaceCard(GOOD)).toBe('done');
  expect(await statusOf(placed)).toBe('paid');
  expect(await statusesOf(shop, placed)).toEqual(['pending', 'paid', 'past_due', 'paid']);
  expect(await open().change(row, change)).toBe('done');
});

test('a renewal that stays unpaid ends the order, and then there is nothing to go on with', async () => {
  const { placed, row, end, advanceTo, replaceCard } = await clockedOrder();
  await replaceCard(REFUSED_LATER);
  await advanceTo(end + 20 * DAY);
  expect(await statusOf(placed)).toBe('canceled');
  expect(await open().resume(row)).toEqual({ refused: 'This plan has ended.' });
});

test('what was to end with the month goes on when the customer wants it, else it ends', async () => {
  const { placed, row, end, advanceTo } = await clockedOrder();
  const { gateway, subscriptions } = openSubscriptions(shop);
  await gateway.cancel(row, 'period-end');
  await advanceTo(end - DAY);
  expect(await subscriptions.resume(row)).toBe('done');
  await advanceTo(end + DAY);
  expect(await bills(placed)).toHaveLength(2);
  await gateway.cancel(row, 'period-end');
  await advanceTo(end + 40 * DAY);
  expect(await statusOf(placed)).toBe('canceled');
  expect(await bills(placed)).toHaveLength(2);
});
