/** From the items that a subscription has at Stripe to those that a customer wants. */
import type Stripe from 'stripe';
import { LINE_KINDS, type PriceLine, priceLinesOf } from '../../../catalogue/pricing.ts';
import type { PaymentState } from '../../../orders/gateway.server.ts';
import type { Row } from '../../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../../platform/money.ts';
import { isSoldHere, type PricedItem, productOf } from '../stripe-prices.server.ts';
import { idOf } from '../stripe-subscription.server.ts';

type ItemChange = Stripe.SubscriptionUpdateParams.Item;

/** One that this site has made. */
interface OwnItem extends PricedItem {
  id: string;
  unit: number;
}

/**
 * Undefined where our team has agreed on something else with the customer at Stripe, which must not go unnoticed.
 */
export function ownItems({ items }: Stripe.Subscription): OwnItem[] | undefined {
  const own = items.data.flatMap(({ id, price, quantity }): OwnItem[] => {
    const { unit_amount: unit } = price;
    const productId = idOf(price.product);
    if (!isSoldHere(productId) || unit === null || quantity === undefined) return [];
    return [{ id, price: price.id, productId, quantity, unit }];
  });
  return items.has_more || own.length < items.data.length ? undefined : own;
}

/** No more than has to change: what stays is not named. */
export function itemChanges(own: readonly OwnItem[], wanted: readonly PricedItem[]): ItemChange[] {
  const left = new Set(own);
  const changes = wanted.flatMap(({ price, productId, quantity }): ItemChange[] => {
    const of = (holds: (item: OwnItem) => boolean) => [...left].find(holds);
    const item = of((each) => each.price === price) ?? of((each) => each.productId === productId);
    if (!item) return [{ price, quantity }];
    left.delete(item);
    const { id } = item;
    if (item.price !== price) return [{ id, price, quantity }];
    return item.quantity === quantity ? [] : [{ id, quantity }];
  });
  return [...changes, ...[...left].map(({ id }) => ({ id, deleted: true }))];
}

/** What a month of these items costs, before tax. */
export function monthOf(own: readonly OwnItem[]): Cents {
  return cents(own.reduce((sum, { unit, quantity }) => sum + unit * quantity, 0));
}

/** Under which a subscription keeps the next bill that its customer confirmed with the last change. */
export const NEXT_BILL = 'nextBill';

/** What the subscription charges for now; undefined where somebody has agreed on something else at Stripe. */
export function planOf(
  subscription: Stripe.Subscription,
  order: Row<'orders'>,
): PaymentState['plan'] {
  const items = ownItems(subscription);
  const known = priceLinesOf(order);
  const lines = LINE_KINDS.flatMap((kind): PriceLine[] => {
    const item = items?.find(({ productId }) => productId === productOf(order, kind));
    if (!item) return [];
    const { label } = known.find((line) => line.kind === kind) ?? { label: 'Cloud backup' };
    const { unit, quantity } = item;
    return [{ kind, label, unitPrice: cents(unit), quantity, amount: cents(unit * quantity) }];
  });
  const isWhole = known.every(
    ({ kind }) => kind === 'backup' || lines.some((each) => each.kind === kind),
  );
  if (!items || !isWhole || lines.length < items.length) return undefined;
  const total = subscription.metadata[NEXT_BILL];
  const [item] = subscription.items.data;
  const at = (item?.current_period_end ?? 0) * 1000;
  return { lines, next: total ? { at, total: cents(Number(total)) } : undefined };
}
