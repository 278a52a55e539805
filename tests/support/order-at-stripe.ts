/** An order that the site has saved, and Stripe as its provider, without a purchase. */
import { beforeAll } from 'vitest';
import type { Order } from '../../src/orders/order-store.server.ts';
import { stripeClient } from '../../src/payments/stripe/stripe-client.server.ts';
import type { StripeEnv } from '../../src/platform/config/env.server.ts';
import type { NewRow } from '../../src/platform/database/tables.server.ts';
import { savedOrder } from './saved-order.ts';
import { order, rowOf, type StripeShop, stripeEnv } from './stripe-shop.ts';

/** Saves an order of which Stripe has not heard, but for what a test changes. */
export type NewOrder = (change?: Partial<NewRow<'orders'>>) => Promise<Order>;

/** Each order is placed at a time of its own, long ago. */
export function newOrders(shop: StripeShop): NewOrder {
  let sample: NewRow<'orders'> | undefined;
  let createdAt = 7000;
  beforeAll(async () => {
    const { id: _, ...bought } = await rowOf(shop, (await order(shop)).orderId);
    const unknown = { customerId: null, subscriptionId: null, paymentId: null, clientSecret: null };
    sample = { ...bought, ...unknown, idempotencyKey: null };
  });
  return async (change = {}) => {
    if (!sample) throw new Error('orders are made while tests run, not before');
    createdAt += 7;
    return savedOrder(shop.app.database.db, { ...sample, createdAt, ...change });
  };
}

export const clientOf = ({ fake }: StripeShop, change: Partial<StripeEnv> = {}) =>
  stripeClient(stripeEnv(fake, change));
