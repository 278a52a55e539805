/** The items of a subscription at Stripe, which charge an order's lines, and their month. */
import { hash } from 'node:crypto';
import type Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import type { Sold } from '../../billing/subscription.ts';
import {
  isSold,
  lineOf,
  type PriceLine,
  parseLines,
  repriced,
  SOLD_KINDS,
} from '../../catalogue/pricing.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { CURRENCY, hasCode, idOf } from './stripe-client.server.ts';

/** Product ids are fixed, so that concurrent orders cannot create a product twice. */
const PRODUCT_IDS: Partial<Record<PriceLine['kind'], (sold: Sold) => string>> = {
  plan: ({ planId }) => `plan_${planId}`,
  microsoft365: ({ ms365Option }) => `microsoft365_${ms365Option}`,
  backup: () => 'microsoft365_backup',
};

function productIdOf(sold: Sold, kind: PriceLine['kind']): string | undefined {
  return PRODUCT_IDS[kind]?.(sold);
}

/** What these products are: what the order has, or what it was changed to. */
export function soldAs(products: readonly string[], order: Sold): Sold {
  const has = (kind: PriceLine['kind']) =>
    products.some((product) => product === productIdOf(order, kind));
  const other = (pattern: RegExp) =>
    products.map((product) => pattern.exec(product)?.[1]).find((id) => id !== undefined);
  const planId = has('plan') ? undefined : other(/^plan_(\d+)$/);
  const license = other(/^microsoft365_(?!backup$)(\w+)$/) ?? 'none';
  return {
    planId: planId === undefined ? order.planId : Number(planId),
    ms365Option: has('microsoft365') ? order.ms365Option : license,
  };
}

export function productsOf({ items }: Stripe.Subscription): string[] {
  return items.data.map(({ price }) => idOf(price.product));
}

/** Stripe shows the product's name on the invoice. */
function onceProduct({ label: name }: PriceLine) {
  return { id: `once_${hash('sha256', name).slice(0, 24)}`, name };
}

export function onceItem(line: PriceLine) {
  return {
    price_data: {
      product: onceProduct(line).id,
      currency: CURRENCY,
      unit_amount: line.amount,
      tax_behavior: 'exclusive',
    },
  } as const;
}

/** Creates the products of these lines that Stripe does not have yet. */
export async function ensureProducts(
  stripe: Stripe,
  order: Sold,
  lines: readonly PriceLine[],
  once: readonly PriceLine[] = [],
): Promise<void> {
  const ofPlan = lines.flatMap(({ kind, label: name }) => {
    const id = productIdOf(order, kind);
    return id ? [{ id, name }] : [];
  });
  const products = new Map([...ofPlan, ...once.map(onceProduct)].map((one) => [one.id, one]));
  const sold = [...products.values()];
  const ids = [...products.keys()];
  const { data: existing } = await stripe.products.list({ ids, limit: 100 });
  const missing = sold.filter(({ id }) => existing.every((product) => product.id !== id));
  await Promise.all(
    missing.map((product) => stripe.products.create(product).catch(ignoreExisting)),
  );
}

/** Another order may have created the product in the meantime. */
function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'resource_already_exists')) throw error;
}

/** An item with its own price: edits in Stripe's catalogue change no customer's. */
export function pricedItem(order: Sold, { kind, unitPrice, quantity }: PriceLine) {
  const product = productIdOf(order, kind);
  if (!product) throw new Error(`a line of the kind ${kind} is not sold`);
  return {
    price_data: {
      product,
      currency: CURRENCY,
      unit_amount: unitPrice,
      recurring: { interval: 'month' },
      tax_behavior: 'exclusive',
    },
    quantity,
  } as const;
}

/** What Stripe charges for a product as a line. `name`: for what the order does not have. */
export function toPriceLine(
  order: Order,
  sold: Sold,
  charged: { product: string; name: string; amount: Cents; quantity: number },
): PriceLine {
  const { product, name, amount, quantity } = charged;
  const kind = SOLD_KINDS.find((one) => productIdOf(sold, one) === product) ?? 'other';
  const isKnown = productIdOf(order, kind) === product;
  const lines = isKnown ? parseLines(order.subscription.priceLines) : [];
  const had = lines.find((line) => line.kind === kind);
  const label = had?.label ?? (kind === 'backup' ? 'Cloud backup' : name);
  // Staff may set a quantity of 0, which changes no price.
  const unit = quantity > 0 ? cents(Math.round(amount / quantity)) : (had?.unitPrice ?? cents(0));
  return { ...lineOf(kind, label, unit, quantity), amount };
}

export interface SubscriptionLine extends PriceLine {
  /** The id of the subscription item that charges the line, and of its product. */
  item: string;
  product: string;
}

/** How often they charge, such as 'year', '3 months' or 'month, year'; null: each month. */
export function billedEvery({ items }: Stripe.Subscription): string | null {
  const all = items.data.map(({ price: { recurring } }) => {
    const { interval = 'month', interval_count: count = 1 } = recurring ?? {};
    return count === 1 ? interval : `${count} ${interval}s`;
  });
  const words = [...new Set(all)].sort().join(', ');
  return words === 'month' || words === '' ? null : words;
}

/**
 * The items as lines, what is sold first; undefined where one is not so many times whole cents, or
 * sold in two items, of which a change would not know the other.
 */
export function subscriptionLines(
  running: Stripe.Subscription,
  order: Order,
  nameOf?: (product: string) => string,
): SubscriptionLine[] | undefined {
  const { items } = running;
  const lines = wholeLines(running, order, nameOf);
  const sold = SOLD_KINDS.flatMap((kind) => lines.filter((line) => line.kind === kind));
  const others = lines.filter(({ kind }) => kind === 'other');
  const isTwice = new Set(sold.map(({ kind }) => kind)).size < sold.length;
  const isWhole = !items.has_more && lines.length === items.data.length && !isTwice;
  return isWhole ? [...sold, ...others] : undefined;
}

/** Those of its items that are so many times whole cents. */
export function wholeLines(
  running: Stripe.Subscription,
  order: Order,
  nameOf: (product: string) => string = () => 'Other',
): SubscriptionLine[] {
  const now = soldAs(productsOf(running), order);
  return running.items.data.flatMap(({ id, price, quantity }) => {
    // Packages are charged whole, and usage has no quantity.
    if (price.unit_amount === null || price.transform_quantity || quantity === undefined) return [];
    const product = idOf(price.product);
    const amount = cents(price.unit_amount * quantity);
    const charged = { product, name: nameOf(product), amount, quantity };
    return [{ ...toPriceLine(order, now, charged), item: id, product }];
  });
}

/** The products that the order does not have. */
export function foreignProducts(running: Stripe.Subscription, order: Order): string[] {
  return productsOf(running).filter((id) =>
    SOLD_KINDS.every((kind) => productIdOf(order, kind) !== id),
  );
}

/** The items that lead from the current lines to the wanted ones, without unchanged lines. */
export function itemChanges(
  order: Sold,
  current: readonly SubscriptionLine[],
  lines: readonly PriceLine[],
): Stripe.SubscriptionUpdateParams.Item[] {
  const changes = lines.flatMap((line): Stripe.SubscriptionUpdateParams.Item[] => {
    const had = current.find(({ kind }) => kind === line.kind);
    if (!had) return [pricedItem(order, line)];
    if (had.unitPrice !== line.unitPrice || had.product !== productIdOf(order, line.kind))
      return [{ id: had.item, ...pricedItem(order, line) }];
    return had.quantity === line.quantity ? [] : [{ id: had.item, quantity: line.quantity }];
  });
  // What staff added in Stripe's dashboard stays.
  const removed = current.filter(
    (had) => had.kind !== 'other' && lines.every(({ kind }) => kind !== had.kind),
  );
  return [...changes, ...removed.map(({ item: id }) => ({ id, deleted: true }))];
}

/** The items that must change for these unit prices; undefined as in `subscriptionLines`. */
export function itemsAtPrices(
  order: Order,
  running: Stripe.Subscription,
  prices: readonly PriceLine[],
): Stripe.SubscriptionUpdateParams.Item[] | undefined {
  const current = subscriptionLines(running, order);
  const now = soldAs(productsOf(running), order);
  return current && itemChanges(now, current, repriced(current.filter(isSold), prices));
}

/** The paid month, in milliseconds; shorter when the subscription ends before it does. */
export function paidMonth({ items, cancel_at, ended_at }: Stripe.Subscription) {
  const starts = items.data.map(({ current_period_start }) => current_period_start);
  const ends = items.data.map(({ current_period_end }) => current_period_end);
  const end = ended_at ?? Math.min(cancel_at ?? Number.POSITIVE_INFINITY, ...ends);
  return { start: Math.min(...starts) * 1000, end: end * 1000 };
}
