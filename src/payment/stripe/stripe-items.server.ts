/** From the items that a subscription has at Stripe to those that a customer wants. */
import type Stripe from 'stripe';
import { type Cents, cents } from '../../platform/money.ts';
import { isSoldHere, type PricedItem } from './stripe-prices.server.ts';
import { idOf } from './stripe-subscription.server.ts';

type ItemChange = Stripe.SubscriptionUpdateParams.Item;

/**
 * No more than has to change: what stays is not named. Undefined where our team has agreed on something else with the
 * customer at Stripe, which must not go unnoticed.
 */
export function itemChanges(
  { items }: Stripe.Subscription,
  wanted: readonly PricedItem[],
): ItemChange[] | undefined {
  if (items.has_more || items.data.some((item) => !isOurs(item))) return undefined;
  const left = new Set(items.data);
  const changes = wanted.map(({ price, productId, quantity }): ItemChange => {
    const of = (holds: (item: Stripe.SubscriptionItem) => boolean) => [...left].find(holds);
    const item =
      of((each) => each.price.id === price) ?? of((each) => idOf(each.price.product) === productId);
    if (!item) return { price, quantity };
    left.delete(item);
    const { id } = item;
    if (item.price.id !== price) return { id, price, quantity };
    return item.quantity === quantity ? {} : { id, quantity };
  });
  const gone = [...left].map(({ id }): ItemChange => ({ id, deleted: true }));
  return [...changes.filter((change) => Object.keys(change).length > 0), ...gone];
}

function isOurs({ price, quantity }: Stripe.SubscriptionItem): boolean {
  return isSoldHere(idOf(price.product)) && price.unit_amount !== null && quantity !== undefined;
}

/** What a month of these items costs, before tax. */
export function monthOf({ items }: Stripe.Subscription): Cents {
  return cents(
    items.data.reduce(
      (sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * (quantity ?? 0),
      0,
    ),
  );
}
