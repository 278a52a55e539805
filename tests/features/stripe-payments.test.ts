import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, order, type StripeShop } from '../support/stripe-shop.ts';

describe('paying by Stripe', () => {
  let shop: StripeShop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.close());

  test('an order is a subscription with an item per line', async () => {
    const { fake } = shop;
    const placed = await order(shop);
    const [subscription] = [...fake.state.subscription.values()];
    expect(
      subscription?.items.data.map(({ quantity, price }) => [quantity, price.unit_amount]),
    ).toEqual([
      [1, 85_000],
      [20, 1250],
      [20, 495],
    ]);
    fake.confirmCard(placed.clientSecret, '4242424242424242');
    await fake.deliver(fake.events, { to: shop.webhook });
    const { json } = await placed.visitor.get(`/api/orders/${placed.orderId}`);
    expect(json.status).toBe('paid');
  });
});
