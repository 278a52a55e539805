/** What a customer sees and changes of a running subscription at Stripe. */
import { describe, expect, test } from 'vitest';
import {
  line,
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

describe('how it stands', () => {
  test('the end of the paid month, the next bill, and the card', async () => {
    const { order, period } = await running();
    expect(await open().getSubscription(order)).toEqual({
      periodEnd: period.end * 1000,
      next: { total: 119_900, tax: 0 },
      card: { brand: 'Visa', last4: '4242', expiryMonth: 12, expiryYear: 2034 },
    });
  });

  test('the customer’s card, where the subscription has none of its own', async () => {
    const { order, subscription } = await running({ card: '5555555555554444' });
    const customer = shop.fake.state.customer.get(subscription.customer);
    const method = subscription.default_payment_method;
    Object.assign(subscription, { default_payment_method: null });
    expect(await open().getSubscription(order)).toMatchObject({ card: null });
    Object.assign(customer?.invoice_settings ?? {}, { default_payment_method: method });
    expect(await open().getSubscription(order)).toMatchObject({
      card: { brand: 'Mastercard', last4: '4444' },
    });
  });

  test('no next bill where it ends with the month, or has ended', async () => {
    const { order, subscription, period } = await running();
    const { gateway, subscriptions } = openSubscriptions(shop);
    await gateway.cancel(order, 'period-end');
    const ends = { periodEnd: period.end * 1000, next: null };
    expect(await subscriptions.getSubscription(order)).toMatchObject(ends);
    await gateway.cancel(order, 'now');
    const over = { periodEnd: (subscription.ended_at ?? 0) * 1000, next: null };
    expect(await subscriptions.getSubscription(order)).toMatchObject(over);
  });

  test('what a change has left to pay, where it ends with the month', async () => {
    const { order, period } = await running();
    const { gateway, subscriptions } = openSubscriptions(shop);
    await subscriptions.change(order, { lines: month(40), at: half(period) });
    await gateway.cancel(order, 'period-end');
    expect(await subscriptions.getSubscription(order)).toMatchObject({
      next: { total: 17_450, tax: 0 },
    });
  });

  test('nothing of an order that was never paid', async () => {
    const words = refused('isn’t running');
    const never = await newOrder();
    const before = shop.fake.requests.length;
    expect(await open().getSubscription(never)).toEqual(words);
    expect(shop.fake.requests).toHaveLength(before);
    expect(await open().getSubscription((await running({ card: null })).order)).toEqual(words);
  });
});

describe('a change', () => {
  test('is shown first, and charged as shown', async () => {
    const { order, subscription, period } = await running();
    const change = { lines: month(30, false), at: half(period) };
    const shown = await open().preview(order, change);
    // 10 users more and 20 backups less, for half of the month.
    const difference = 6250 - 4950;
    expect(shown).toEqual({
      monthly: 122_500,
      difference,
      next: { at: period.end * 1000, total: 122_500 + difference, tax: 0 },
    });
    expect(quantities(subscription.items)).toEqual([1, 20, 20]);
    expect(await open().change(order, change)).toBe('done');
    expect(quantities(subscription.items)).toEqual([1, 30]);
    expect(subscription.metadata.orderId).toBe(String(order.id));
    expect(shop.fake.renew(subscription.id, { pay: true })?.amount_due).toBe(122_500 + difference);
  });

  test('leaves what stays as it is: items keep their ids', async () => {
    const { order, subscription, period } = await running();
    const before = subscription.items.data.map(({ id }) => id);
    const at = half(period);
    await open().change(order, { lines: month(21), at });
    expect(subscription.items.data.map(({ id }) => id)).toEqual(before);
    const dearer = [...month(21).slice(0, 2), line('backup', 500, 21)];
    await open().change(order, { lines: dearer, at: at + 1000 });
    expect(subscription.items.data.map(({ id }) => id)).toEqual(before);
    expect(subscription.items.data[2]).toMatchObject({ quantity: 21, price: { unit_amount: 500 } });
    const sent = shop.fake.requests.findLast(
      ({ method, path }) => method === 'POST' && path.endsWith(subscription.id),
    );
    expect(Object.keys(sent?.params.items ?? {})).toHaveLength(1);
  });

  test('takes the backup away and brings it back, for what is left of the month', async () => {
    const { order, subscription, period } = await running();
    const at = half(period);
    const without = { lines: month(20, false), at };
    expect(await open().preview(order, without)).toMatchObject({ difference: -4950 });
    expect(await open().change(order, without)).toBe('done');
    const back = { lines: month(20), at: at + 1000 };
    expect(await open().preview(order, back)).toMatchObject({
      monthly: 119_900,
      difference: 4950,
      next: { total: 119_900 },
    });
    expect(await open().change(order, back)).toBe('done');
    expect(quantities(subscription.items)).toEqual([1, 20, 20]);
  });

  test('is made once for each key, also at once and by several processes', async () => {
    const { order, subscription, period } = await running();
    const change = { lines: month(25), at: half(period) };
    const all = [open(), open(), open()].map((each) => each.change(order, change));
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
    expect(await open().change(order, change)).toBe('done');
    expect(pendingOf(subscription.id)).toHaveLength(4);
  });
});
