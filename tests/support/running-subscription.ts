/** A subscription at the double of Stripe that a card has paid for, and what a customer asks of it. */
import { expect } from 'vitest';
import type { PriceLine } from '../../src/catalogue/pricing.ts';
import { stripeGateway } from '../../src/payments/stripe/stripe-gateway.server.ts';
import type { Row } from '../../src/platform/database/tables.server.ts';
import { cents } from '../../src/platform/money.ts';
import { clientOf, type NewOrder, newOrders } from './order-at-stripe.ts';
import { type StripeShop, stripeEnv } from './stripe-shop.ts';

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

/** What the site does for customers, by a process that knows nothing yet of what others did. */
export function openSubscriptions(shop: StripeShop, tax = false) {
  const env = stripeEnv(shop.fake, { tax });
  const gateway = stripeGateway(clientOf(shop), env, shop.app.database.db);
  if (!gateway.subscriptions) throw new Error('the gateway has no subscriptions');
  return { gateway, subscriptions: gateway.subscriptions };
}

/** Paid by this card, unless it is null. */
export async function runningOrder(
  shop: StripeShop,
  newOrder: NewOrder,
  { card = GOOD, change = {} }: { card?: string | null; change?: Partial<Row<'orders'>> } = {},
) {
  const row = await newOrder(change);
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
