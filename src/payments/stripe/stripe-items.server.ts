/** What is sold, as Stripe keeps it: a product with a fixed id for each thing, and its price in each subscription's item. */
import type Stripe from 'stripe';
import { LINE_KINDS, type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import type { Order } from '../../orders/order-store.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { CURRENCY, hasCode, idOf } from './stripe-client.server.ts';

function productIdOf({ planId, ms365Option }: Order, kind: PriceLine['kind']): string {
  return {
    plan: `plan_${planId}`,
    microsoft365: `microsoft365_${ms365Option}`,
    backup: 'microsoft365_backup',
  }[kind];
}

/** Makes the products of these lines that Stripe does not have yet. */
export async function ensureProducts(
  stripe: Stripe,
  order: Order,
  lines: readonly PriceLine[],
): Promise<void> {
  const sold = lines.map(({ kind, label }) => ({ id: productIdOf(order, kind), name: label }));
  const { data: known } = await stripe.products.list({ ids: sold.map(({ id }) => id) });
  const missing = sold.filter(({ id }) => known.every((product) => product.id !== id));
  await Promise.all(missing.map((product) => makeProduct(stripe, product)));
}

/** Another buyer's order may have made it in the meantime. */
async function makeProduct(stripe: Stripe, product: { id: string; name: string }): Promise<void> {
  try {
    await stripe.products.create(product);
  } catch (error) {
    if (!hasCode(error, 'resource_already_exists')) throw error;
  }
}

/** An item with its own price, so that nothing that is changed in Stripe's catalogue changes what is charged. */
export function pricedItem(order: Order, { kind, unitPrice, quantity }: PriceLine) {
  return {
    price_data: {
      product: productIdOf(order, kind),
      currency: CURRENCY,
      unit_amount: unitPrice,
      recurring: { interval: 'month' },
      tax_behavior: 'exclusive',
    },
    quantity,
  } as const;
}

/** What Stripe charges for a product as a line of the order; undefined where that is none that we sell with it. */
export function lineOf(
  order: Order,
  product: string,
  unit: number | null,
  quantity: number | undefined,
): PriceLine | undefined {
  const kind = LINE_KINDS.find((each) => productIdOf(order, each) === product);
  if (!kind || unit === null || !Number.isInteger(unit) || quantity === undefined) return undefined;
  const label = priceLinesOf(order).find((line) => line.kind === kind)?.label ?? 'Cloud backup';
  return { kind, label, unitPrice: cents(unit), quantity, amount: cents(unit * quantity) };
}

/** A line, and the subscription's item that charges it. */
interface OwnLine extends PriceLine {
  item: string;
}

/**
 * What the subscription charges for; undefined where our team has agreed on something else with the customer at Stripe, which
 * must not go unnoticed.
 */
export function ownLines({ items }: Stripe.Subscription, order: Order): OwnLine[] | undefined {
  const own = items.data.flatMap(({ id, price, quantity }) => {
    const line = lineOf(order, idOf(price.product), price.unit_amount, quantity);
    return line ? [{ ...line, item: id }] : [];
  });
  const inOrder = LINE_KINDS.flatMap((kind) => own.find((line) => line.kind === kind) ?? []);
  const isWhole = priceLinesOf(order).every(
    ({ kind }) => kind === 'backup' || own.some((line) => line.kind === kind),
  );
  return items.has_more || inOrder.length < items.data.length || !isWhole ? undefined : inOrder;
}

/** From the lines that a subscription has to those that are wanted. What stays is not named. */
export function itemChanges(
  order: Order,
  own: readonly OwnLine[],
  wanted: readonly PriceLine[],
): Stripe.SubscriptionUpdateParams.Item[] {
  const changes = wanted.flatMap((line): Stripe.SubscriptionUpdateParams.Item[] => {
    const had = own.find(({ kind }) => kind === line.kind);
    if (!had) return [pricedItem(order, line)];
    if (had.unitPrice !== line.unitPrice) return [{ id: had.item, ...pricedItem(order, line) }];
    return had.quantity === line.quantity ? [] : [{ id: had.item, quantity: line.quantity }];
  });
  const gone = own.filter((had) => wanted.every(({ kind }) => kind !== had.kind));
  return [...changes, ...gone.map(({ item: id }) => ({ id, deleted: true }))];
}

export function sumOf(amounts: readonly { amount: number }[]): Cents {
  return cents(amounts.reduce((sum, { amount }) => sum + amount, 0));
}
