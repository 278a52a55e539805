/** A customer views and changes a running subscription at Stripe. */
import { describe, expect, test } from 'vitest';
import {
  month,
  openSubscriptions,
  refused,
  subscriptionsAt,
} from '../../support/running-subscription.ts';
import { line } from '../../support/saved-order.ts';
import { sharedShop } from '../../support/stripe-shop.ts';

const shop = sharedShop();
const { running, open } = subscriptionsAt(shop);
const half = ({ start, end }: { start: number; end: number }) => ((start + end) / 2) * 1000;
const quantities = (items: { data: { quantity: number }[] }) =>
  items.data.map(({ quantity }) => quantity);
const pendingOf = (id: string) =>
  [...shop.fake.state.invoiceitem.values()].filter(({ subscription }) => subscription === id);
const UPDATE = { method: 'POST', path: /^\/v1\/subscriptions\/sub_/ };
/** How often the client tries one request. */
const TRIES = 3;

describe('a customer sees', () => {
  test('no next invoice when the plan ends with the month, unless a change is still to be paid', async () => {
    const { order, subscription, period } = await running();
    const { gateway, subscriptions } = openSubscriptions(shop);
    await gateway.cancel(order, 'period-end');
    const ends = { periodEnd: period.end * 1000, next: null };
    expect(await subscriptions.getSubscription(order)).toMatchObject(ends);
    // Staff can set an earlier end in Stripe's dashboard.
    Object.assign(subscription, { cancel_at: period.end - 86_400 });
    const earlier = { ...ends, periodEnd: (period.end - 86_400) * 1000 };
    expect(await subscriptions.getSubscription(order)).toMatchObject(earlier);
    await subscriptions.resume(order);
    await subscriptions.change(order, { lines: month(40), at: half(period) });
    await gateway.cancel(order, 'period-end');
    const owed = { next: { total: 17_450, tax: 0 } };
    expect(await subscriptions.getSubscription(order)).toMatchObject(owed);
    await gateway.cancel(order, 'now');
    const over = { periodEnd: (subscription.ended_at ?? 0) * 1000, next: null };
    expect(await subscriptions.getSubscription(order)).toMatchObject(over);
  });
});

describe('a change', () => {
  test('sends only the items that differ, which keep their ids, and can add a removed backup again', async () => {
    const { order, subscription, period } = await running();
    const before = subscription.items.data.map(({ id }) => id);
    const at = half(period);
    await open().change(order, { lines: month(21), at });
    const dearer = [...month(21).slice(0, 2), line('backup', 500, 21)];
    await open().change(order, { lines: dearer, at: at + 1000 });
    expect(subscription.items.data.map(({ id }) => id)).toEqual(before);
    expect(subscription.items.data[2]).toMatchObject({ quantity: 21, price: { unit_amount: 500 } });
    const sent = shop.fake.requests.findLast(
      ({ method, path }) => method === 'POST' && path.endsWith(subscription.id),
    );
    expect(Object.keys(sent?.params.items ?? {})).toHaveLength(1);
    await open().change(order, { lines: month(21, false), at: at + 2000 });
    // As in a shop that has sold no backup yet.
    shop.fake.state.product.delete('microsoft365_backup');
    expect(await open().change(order, { lines: month(21), at: at + 3000 })).toBe('done');
    expect(quantities(subscription.items)).toEqual([1, 21, 21]);
  });

  test('is made once when several instances send it at the same time', async () => {
    const { order, subscription, period } = await running();
    const change = { lines: month(25), at: half(period) };
    const all = [open(), open(), open()].map((each) => each.change(order, change));
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
    expect(await open().change(order, change)).toBe('done');
    expect(pendingOf(subscription.id)).toHaveLength(4);
  });

  test.each([
    ['Stripe could not make', 'status-500-kept', 1],
    ['Stripe made, and answered with an error,', 'status-500-done', 1],
    ['Stripe made, and whose answer was lost,', 'reset-after-execution', TRIES],
  ] as const)('that %s is made once by the next press', async (_what, how, times) => {
    const { order, subscription, period } = await running();
    const change = { lines: month(30), at: half(period) };
    const shown = await open().preview(order, change);
    shop.fake.failNext({ ...UPDATE, how, times });
    await open().change(order, change, 1);
    shop.fake.clearFaults();
    expect(await open().change(order, change, 2)).toBe('done');
    expect(quantities(subscription.items)).toEqual([1, 30, 30]);
    expect(pendingOf(subscription.id)).toHaveLength(4);
    const invoice = shop.fake.renew(subscription.id, { pay: true });
    expect(shown).toMatchObject({ next: { total: invoice?.amount_due } });
  });
});

describe('a change is refused', () => {
  test.each([
    ['while a payment is overdue', { status: 'past_due' }, 'enter a new card'],
    ['while Stripe has stopped charging', { status: 'unpaid' }, 'enter a new card'],
    ['while staff have paused it', { status: 'paused' }, 'is paused'],
    ['when it has ended', { status: 'canceled' }, 'has ended'],
  ])('%s', async (_when, state, words) => {
    const { order, subscription, period } = await running();
    Object.assign(subscription, state);
    const change = { lines: month(30), at: half(period) };
    expect(await open().preview(order, change)).toEqual(refused(words));
    expect(await open().change(order, change)).toEqual(refused(words));
    expect(pendingOf(subscription.id)).toEqual([]);
  });

  test('when its moment is outside the paid month', async () => {
    const { order, period } = await running();
    for (const at of [period.start - 1, period.end]) {
      const change = { lines: month(30), at: at * 1000 };
      expect(await open().preview(order, change)).toEqual(refused('renewed in the meantime'));
      expect(await open().change(order, change)).toEqual(refused('renewed in the meantime'));
    }
    const first = { lines: month(30), at: period.start * 1000 };
    expect(await open().change(order, first)).toBe('done');
  });

  test('when it was previewed before another change', async () => {
    const { order, subscription, period } = await running();
    const at = half(period);
    await open().change(order, { lines: month(30), at });
    const shown = { lines: month(10), at: at - 1000 };
    expect(await open().preview(order, shown)).toEqual(refused('changed in the meantime'));
    expect(await open().change(order, shown)).toEqual(refused('changed in the meantime'));
    expect(quantities(subscription.items)).toEqual([1, 30, 30]);
  });

  test('when staff have set up something else in Stripe’s dashboard', async () => {
    const { order, subscription, period } = await running();
    const [plan, users] = subscription.items.data;
    const { data } = subscription.items;
    const change = { lines: month(30), at: half(period) };
    const expectRefused = async () => {
      expect(await open().preview(order, change)).toEqual(refused('Our team set up'));
      expect(await open().change(order, change)).toEqual(refused('Our team set up'));
    };
    for (const odd of [{ product: 'prod_special' }, { unit_amount: null }]) {
      const price = users?.price;
      Object.assign(users ?? {}, { price: { ...price, ...odd } });
      await expectRefused();
      Object.assign(users ?? {}, { price });
    }
    Object.assign(subscription.items, { data: data.filter((item) => item !== plan) });
    await expectRefused();
    Object.assign(subscription.items, { data, has_more: true });
    await expectRefused();
  });
});

describe('a customer who undoes a cancellation', () => {
  test('is named at Stripe by the press, as is who ended it', async () => {
    const { order, subscription } = await running();
    const { gateway, subscriptions } = openSubscriptions(shop);
    await gateway.cancel(order, 'period-end', 41);
    expect(subscription.metadata).toMatchObject({ orderId: `${order.id}`, endPress: '41' });
    await subscriptions.resume(order, 42);
    expect(subscription.metadata.endPress).toBe('42');
  });
});
