/** An order at the double of Stripe without its purchase: saved, begun, or paid by a card, and what a customer asks of it. */
import { beforeAll, expect } from 'vitest';
import type { PriceLine } from '../../src/catalogue/pricing.ts';
import type { Order } from '../../src/orders/order-store.server.ts';
import { stripeClient } from '../../src/payments/stripe/stripe-client.server.ts';
import { stripeGateway } from '../../src/payments/stripe/stripe-gateway.server.ts';
import type { NewRow } from '../../src/platform/database/tables.server.ts';
import { cents } from '../../src/platform/money.ts';
import { savedOrder } from './saved-order.ts';
import { order, rowOf, type StripeShop, stripeEnv } from './stripe-shop.ts';

export const GOOD = '4242424242424242';
export const DECLINES = '4000000000000002';
/** Can be kept, and is refused when it is charged. */
export const REFUSED_LATER = '4000000000000341';
export const ASKS = '4000002500003155';
export const ASKS_ALWAYS = '4000002760003184';

const LABELS = { plan: 'Professional', microsoft365: 'Business Standard', backup: 'Cloud Backup' };

/** A line of a month. */
export function line(kind: PriceLine['kind'], unit: number, quantity = 1): PriceLine {
  const unitPrice = cents(unit);
  return { kind, label: LABELS[kind], unitPrice, quantity, amount: cents(unit * quantity) };
}

/** The lines of `PURCHASE` with another number of users; with none, the plan alone. */
export function month(users: number, backup = true): PriceLine[] {
  const lines = [line('plan', 85_000)];
  if (users > 0) lines.push(line('microsoft365', 1250, users));
  if (users > 0 && backup) lines.push(line('backup', 495, users));
  return lines;
}

/** Saves an order of which Stripe has not heard, but for what a test changes. */
type NewOrder = (change?: Partial<NewRow<'orders'>>) => Promise<Order>;

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

/** What the site does for customers, by a process that knows nothing yet of what others did. */
export function openSubscriptions({ fake, app }: StripeShop) {
  const env = stripeEnv(fake);
  const gateway = stripeGateway(stripeClient(env), env, app.database.db);
  return { gateway, subscriptions: gateway.subscriptions };
}

/** Paid by this card, unless it is null. */
export async function runningOrder(
  shop: StripeShop,
  newOrder: NewOrder,
  { card = GOOD }: { card?: string | null } = {},
) {
  const row = await newOrder();
  const begun = await openSubscriptions(shop).gateway.start(row);
  if (typeof begun === 'string') throw new Error(begun);
  if (card) shop.fake.confirmCard(begun.clientSecret ?? '', card);
  const { due: _, ...ids } = begun;
  const order = { ...row, ...ids };
  const subscription = shop.fake.state.subscription.get(begun.subscriptionId ?? '');
  const [item] = subscription?.items.data ?? [];
  if (!subscription || !item) throw new Error('nothing was made at Stripe');
  const { current_period_start: start, current_period_end: end } = item;
  return { order, subscription, period: { start, end } };
}

/** What tests of running subscriptions do at a shop that is open for them. */
export function subscriptionsAt(shop: StripeShop) {
  const newOrder = newOrders(shop);
  return {
    newOrder,
    running: (how?: Parameters<typeof runningOrder>[2]) => runningOrder(shop, newOrder, how),
    open: () => openSubscriptions(shop).subscriptions,
  };
}

export const refused = (words: string) => ({ refused: expect.stringContaining(words) });
