import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Invoice } from './billing-objects.ts';
import { failureOf, monthly, openShop, type Shop, secretOf, subscribe } from './test-kit.ts';

/** A month of 30 days, so that a tenth of it is 3 days. */
const start = Date.UTC(2027, 5, 1) / 1000;
const day = 86_400;

let shop: Shop;
let id: string;
let items: { base: string; seats: string };
beforeEach(async () => {
  shop = await openShop({ now: () => start * 1000 });
  const subscription = await subscribe(shop);
  shop.fake.confirmCard(secretOf(subscription), '4242424242424242');
  id = subscription.id;
  const [base, seats] = subscription.items.data.map((item) => item.id);
  items = { base: base ?? '', seats: seats ?? '' };
});
afterEach(() => shop.fake.close());

const preview = (details?: object): Promise<unknown> =>
  shop.stripe.invoices.createPreview({
    subscription: id,
    ...(details ? { subscription_details: details } : {}),
  });
const prorations = (invoice: Pick<Invoice, 'lines'> | null): number[] =>
  (invoice?.lines.data ?? [])
    .filter(({ parent }) => parent.subscription_item_details.proration)
    .map(({ amount }) => amount);
const update = (params: object): Promise<unknown> =>
  shop.stripe.subscriptions.update(id, { proration_behavior: 'create_prorations', ...params });

describe('a change of items', () => {
  it('is previewed as it is then billed', async () => {
    const change = { items: [{ id: items.seats, quantity: 9 }], proration_date: start + 12 * day };
    const shown = (await preview(change)) as Invoice;
    // 4 seats of $12.50 are given back for 18 of 30 days, and 9 are charged.
    expect(prorations(shown)).toEqual([6750, -3000]);
    expect(shown).toMatchObject({
      id: expect.stringMatching(/^upcoming_in_/),
      period_end: start + 30 * day,
      subtotal: 29_900 + 9 * 1250 + 3750,
      amount_due: 29_900 + 9 * 1250 + 3750,
    });
    const before = shop.fake.events.length;
    expect((await preview()) as Invoice).toMatchObject({ subtotal: 34_900 });
    expect(shop.fake.events).toHaveLength(before);
    await update(change);
    expect(shop.fake.events.at(-1)?.type).toBe('customer.subscription.updated');
    const bill = shop.fake.renew(id, { pay: true });
    expect(bill).toMatchObject({ subtotal: shown.subtotal, amount_paid: shown.amount_due });
    expect(prorations(bill)).toEqual([6750, -3000]);
    expect(prorations(shop.fake.renew(id, { pay: true }))).toEqual([]);
  });

  it('adds, deletes, and gives another price to an item that keeps its id', async () => {
    const { stripe } = shop;
    const dearer = { id: items.seats, price_data: monthly('prod_seats', 1500) };
    await update({ items: [dearer], proration_date: start });
    let [, item] = (await stripe.subscriptions.retrieve(id)).items.data;
    expect(item).toMatchObject({ id: items.seats, quantity: 1, price: { unit_amount: 1500 } });
    await update({ items: [{ id: items.seats, deleted: true }], proration_date: start });
    expect((await stripe.subscriptions.retrieve(id)).items.data).toHaveLength(1);
    const again = { price_data: monthly('prod_seats', 1250), quantity: 2 };
    await update({ items: [again], proration_date: start });
    [, item] = (await stripe.subscriptions.retrieve(id)).items.data;
    expect(item).toMatchObject({ quantity: 2, current_period_end: start + 30 * day });
    const bill = shop.fake.renew(id, { pay: true });
    expect(prorations(bill)).toEqual([2500, -1500, 1500, -5000]);
  });

  it('leaves a credit where it is more than the next bill', async () => {
    await update({ items: [{ id: items.seats, quantity: 900 }], proration_date: start });
    const bill = shop.fake.renew(id, { pay: true });
    expect(bill?.amount_paid).toBe(29_900 + 2 * 900 * 1250 - 4 * 1250);
    const credit = { items: [{ id: items.seats, quantity: 0 }], proration_date: start + 30 * day };
    expect((await preview(credit)) as Invoice).toMatchObject({ amount_due: 0 });
    await update(credit);
    expect(shop.fake.renew(id, { pay: true })).toMatchObject({
      total: 29_900 - 900 * 1250,
      amount_due: 0,
      status: 'paid',
      ending_balance: 29_900 - 900 * 1250,
    });
  });

  it('is billed on a bill that carries ten of its lines', async () => {
    for (let seats = 5; seats < 10; seats += 1)
      await update({ items: [{ id: items.seats, quantity: seats }], proration_date: start });
    const bill = shop.fake.renew(id, { pay: true });
    expect(bill?.lines).toMatchObject({ has_more: true, total_count: 12 });
    expect(bill?.lines.data).toHaveLength(10);
    const all = await shop.stripe.invoices.listLineItems(bill?.id ?? '', { limit: 100 });
    expect(all.data).toHaveLength(12);
    expect(all.data.at(-1)).toMatchObject({ amount: 9 * 1250 });
  });

  it('is refused when it does not fit', async () => {
    const refusal = async (params: object) => {
      const error = await failureOf(update(params));
      expect(error.statusCode).toBe(400);
      return error.param;
    };
    const one = (item: object, date = start) => ({ items: [item], proration_date: date });
    expect(await refusal(one({ id: 'si_none', quantity: 1 }))).toBe('items[0][id]');
    expect(await refusal(one({ quantity: 1 }))).toBe('items[0][price_data]');
    expect(await refusal(one({ id: items.base, quantity: 1 }, start - 1))).toBe('proration_date');
    expect(await refusal(one({ id: items.base }, start + 31 * day))).toBe('proration_date');
    const both = Object.values(items).map((item) => ({ id: item, deleted: true }));
    expect(await refusal({ items: both })).toBe('items');
    const twice = [1, 2].map((quantity) => ({ id: items.seats, quantity }));
    expect(await refusal({ items: twice })).toBe('items[1][id]');
    expect(await refusal({ proration_date: start })).toBe('proration_date');
    expect(await refusal({ items: [], coupon: 'x' })).toBe('coupon');
    expect(await refusal({ cancel_at: '', cancel_at_period_end: true })).toBe('cancel_at');
    expect(shop.fake.state.invoiceitem.size).toBe(0);
  });
});

describe('a preview', () => {
  it('is not there where no bill comes, and says so', async () => {
    const none = { code: 'invoice_upcoming_none', statusCode: 404 };
    await update({ cancel_at_period_end: true });
    expect(await failureOf(preview())).toMatchObject(none);
    await update({ items: [{ id: items.seats, quantity: 5 }], proration_date: start });
    expect((await preview()) as Invoice).toMatchObject({ subtotal: 1250 });
    expect(shop.fake.renew(id, { pay: true })).toMatchObject({ amount_paid: 1250 });
    expect(await failureOf(preview())).toMatchObject(none);
  });
});
