/** When a subscription at Stripe cannot be changed, and how its end is taken back. */
import { describe, expect, test } from 'vitest';
import {
  month,
  openSubscriptions,
  refused,
  subscriptionsAt,
} from '../../support/running-subscription.ts';
import { sharedShop } from '../../support/stripe-shop.ts';

const shop = sharedShop();
const { newOrder, running, open } = subscriptionsAt(shop);
const half = ({ start, end }: { start: number; end: number }) => ((start + end) / 2) * 1000;
const quantities = (items: { data: { quantity: number }[] }) =>
  items.data.map(({ quantity }) => quantity);
const pendingOf = (id: string) =>
  [...shop.fake.state.invoiceitem.values()].filter(({ subscription }) => subscription === id);

describe('no change', () => {
  const PAST = { at: 0, words: 'renewed in the meantime' };
  test.each([
    ['while a payment is overdue', { status: 'past_due' }, 'replace the card'],
    ['while nothing is charged any more', { status: 'unpaid' }, 'replace the card'],
    ['while it is on trial', { status: 'trialing' }, 'isn’t running'],
    ['when it is set to end', { cancel_at: 4_000_000_000 }, 'keep it first'],
    ['when it has ended', { status: 'canceled' }, 'has ended'],
  ])('%s', async (_when, state, words) => {
    const { order, subscription, period } = await running();
    Object.assign(subscription, state);
    const change = { lines: month(30), at: half(period) };
    expect(await open().preview(order, change)).toEqual(refused(words));
    expect(await open().change(order, change)).toEqual(refused(words));
    expect(pendingOf(subscription.id)).toEqual([]);
  });

  test('as of a month that is over, or has not begun', async () => {
    const { order, period } = await running();
    for (const at of [period.start - 1, period.end, PAST.at]) {
      const change = { lines: month(30), at: at * 1000 };
      expect(await open().preview(order, change)).toEqual(refused(PAST.words));
      expect(await open().change(order, change)).toEqual(refused(PAST.words));
    }
    const first = { lines: month(30), at: period.start * 1000 };
    expect(await open().change(order, first)).toBe('done');
  });

  test('that was shown before another was made', async () => {
    const { order, subscription, period } = await running();
    const at = half(period);
    await open().change(order, { lines: month(30), at });
    const shown = { lines: month(10), at: at - 1000 };
    expect(await open().preview(order, shown)).toEqual(refused('changed in the meantime'));
    expect(await open().change(order, shown)).toEqual(refused('changed in the meantime'));
    expect(quantities(subscription.items)).toEqual([1, 30, 30]);
  });

  test('where our team has agreed on something else', async () => {
    const { order, subscription, period } = await running();
    const [, users] = subscription.items.data;
    const change = { lines: month(30), at: half(period) };
    for (const odd of [
      { product: 'prod_special' },
      { product: 'my_plan_1' },
      { unit_amount: null },
    ]) {
      const price = users?.price;
      Object.assign(users ?? {}, { price: { ...price, ...odd } });
      expect(await open().preview(order, change)).toEqual(refused('Our team set up'));
      expect(await open().change(order, change)).toEqual(refused('Our team set up'));
      Object.assign(users ?? {}, { price });
    }
    Object.assign(subscription.items, { has_more: true });
    expect(await open().preview(order, change)).toEqual(refused('Our team set up'));
  });
});

describe('to go on', () => {
  test('takes back the end, also twice, whoever has set it', async () => {
    const { order, subscription, period } = await running();
    const { gateway, subscriptions } = openSubscriptions(shop);
    await gateway.cancel(order, 'period-end');
    expect(subscription.cancel_at).toBe(period.end);
    expect(await subscriptions.resume(order)).toBe('done');
    expect(subscription).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
    Object.assign(subscription, { cancel_at: period.end });
    expect(await subscriptions.resume(order)).toBe('done');
    const before = shop.fake.requests.length;
    expect(await subscriptions.resume(order)).toBe('done');
    expect(shop.fake.requests.slice(before).map(({ method }) => method)).toEqual(['GET']);
    expect(subscription).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
  });

  test('is too late when it has ended', async () => {
    const { order } = await running();
    const { gateway, subscriptions } = openSubscriptions(shop);
    await gateway.cancel(order, 'now');
    expect(await subscriptions.resume(order)).toEqual(refused('has ended'));
    expect(await subscriptions.resume(await newOrder())).toEqual(refused('isn’t running'));
  });
});
