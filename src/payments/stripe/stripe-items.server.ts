/** What is sold, as Stripe keeps it: a product with a fixed id for each thing, and its price in each subscription's item. */
import type Stripe from 'stripe';
import { LINE_KINDS, type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import type { PaymentState } from '../../orders/gateway.server.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { CURRENCY, hasCode, idOf } from './stripe-client.server.ts';

type Order = Row<'orders'>;

/** A line of a month, by Stripe's product; `unit` in cents. */
interface SoldItem {
  productId: string;
  unit: number;
  quantity: number;
}

/** An item that a subscription has. */
export interface OwnItem extends SoldItem {
  id: string;
}

function productIdOf({ planId, ms365Option }: Order, kind: PriceLine['kind']): string {
  return {
    plan: `plan_${planId}`,
    microsoft365: `microsoft365_${ms365Option}`,
    backup: 'microsoft365_backup',
  }[kind];
}

/** The items of an order's lines, in their order. Products that Stripe does not have yet are made. */
export async function soldItems(
  stripe: Stripe,
  order: Order,
  lines: readonly PriceLine[],
): Promise<SoldItem[]> {
  const sold = lines.map((line) => ({ ...line, productId: productIdOf(order, line.kind) }));
  const { data: known } = await stripe.products.list({ ids: sold.map((line) => line.productId) });
  const missing = sold.filter(({ productId }) => known.every(({ id }) => id !== productId));
  await Promise.all(missing.map(({ productId, label }) => makeProduct(stripe, productId, label)));
  return sold.map(({ productId, unitPrice, quantity }) => ({
    productId,
    unit: unitPrice,
    quantity,
  }));
}

/** Another buyer's order may have made it in the meantime. */
async function makeProduct(stripe: Stripe, id: string, name: string): Promise<void> {
  try {
    await stripe.products.create({ id, name });
  } catch (error) {
    if (!hasCode(error, 'resource_already_exists')) throw error;
  }
}

/** An item with its own price, so that nothing that is changed in Stripe's catalogue changes what is charged. */
export function pricedItem({ productId, unit, quantity }: SoldItem) {
  return {
    price_data: {
      product: productId,
      currency: CURRENCY,
      unit_amount: unit,
      recurring: { interval: 'month' },
      tax_behavior: 'exclusive',
    },
    quantity,
  } as const;
}

/** Undefined where our team has agreed on something else with the customer at Stripe, which must not go unnoticed. */
export function ownItems({ items }: Stripe.Subscription): OwnItem[] | undefined {
  const own = items.data.flatMap(({ id, price, quantity }): OwnItem[] => {
    const { unit_amount: unit } = price;
    const productId = idOf(price.product);
    const isSoldHere = /^(plan|microsoft365)_/.test(productId);
    if (!isSoldHere || unit === null || quantity === undefined) return [];
    return [{ id, productId, quantity, unit }];
  });
  const products = new Set(own.map(({ productId }) => productId));
  return items.has_more || products.size < items.data.length ? undefined : own;
}

/** From the items that a subscription has to those that are wanted. What stays is not named. */
export function itemChanges(
  own: readonly OwnItem[],
  wanted: readonly SoldItem[],
): Stripe.SubscriptionUpdateParams.Item[] {
  const changes = wanted.flatMap((item): Stripe.SubscriptionUpdateParams.Item[] => {
    const had = own.find(({ productId }) => productId === item.productId);
    if (!had) return [pricedItem(item)];
    const { id, unit, quantity } = had;
    if (unit !== item.unit) return [{ id, ...pricedItem(item) }];
    return quantity === item.quantity ? [] : [{ id, quantity: item.quantity }];
  });
  const gone = own.filter((had) => wanted.every(({ productId }) => productId !== had.productId));
  return [...changes, ...gone.map(({ id }) => ({ id, deleted: true }))];
}

/** Items as the lines of an order, in their order; undefined where one is for a product that the order is not about. */
export function linesOf(order: Order, items: readonly SoldItem[]): PriceLine[] | undefined {
  const labels = new Map(priceLinesOf(order).map(({ kind, label }) => [kind, label]));
  const lines = LINE_KINDS.flatMap((kind) =>
    items
      .filter(({ productId }) => productId === productIdOf(order, kind))
      .map(({ unit, quantity }) => ({
        kind,
        label: labels.get(kind) ?? 'Cloud backup',
        unitPrice: cents(unit),
        quantity,
        amount: cents(unit * quantity),
      })),
  );
  return lines.length < items.length ? undefined : lines;
}

export function sumOf(amounts: readonly { amount: number }[]): Cents {
  return cents(amounts.reduce((sum, { amount }) => sum + amount, 0));
}

/** What the subscription charges for now; undefined where our team has agreed on something else at Stripe. */
export function planOf(subscription: Stripe.Subscription, order: Order): PaymentState['plan'] {
  const items = ownItems(subscription);
  const lines = items && linesOf(order, items);
  const isWhole = priceLinesOf(order).every(
    ({ kind }) => kind === 'backup' || lines?.some((line) => line.kind === kind),
  );
  return isWhole ? lines : undefined;
}
