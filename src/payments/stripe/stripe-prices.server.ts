/** What is sold, as Stripe keeps it: a product per thing with a fixed id, a price per amount, found by its lookup key. */
import Stripe from 'stripe';
import { LINE_KINDS, type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import type { PaymentState } from '../../orders/gateway.server.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { CURRENCY, idOf } from './stripe-client.server.ts';

/** A line of an order, by Stripe's ids. */
export interface PricedItem {
  price: string;
  productId: string;
  quantity: number;
}

/** The prices of an order's lines, in their order. Those that Stripe does not have yet are made. */
export async function pricedItems(
  stripe: Stripe,
  order: Row<'orders'>,
  lines: readonly PriceLine[],
): Promise<PricedItem[]> {
  const sold = lines.map((line) => {
    const productId = productIdOf(order, line.kind);
    return { line, productId, lookupKey: `${productId}_${CURRENCY}_${line.unitPrice}_month` };
  });
  const { data } = await stripe.prices.list({
    lookup_keys: sold.map(({ lookupKey }) => lookupKey),
  });
  return Promise.all(
    sold.map(async ({ line, productId, lookupKey }) => {
      const found = data.find((price) => price.lookup_key === lookupKey && charges(price, line));
      const price = found ?? (await makePrice(stripe, line, productId, lookupKey));
      return { price: price.id, productId, quantity: line.quantity };
    }),
  );
}

export function productIdOf(
  { planId, ms365Option }: Pick<Row<'orders'>, 'planId' | 'ms365Option'>,
  kind: PriceLine['kind'],
): string {
  return {
    plan: `plan_${planId}`,
    microsoft365: `microsoft365_${ms365Option}`,
    backup: 'microsoft365_backup',
  }[kind];
}

/** Whether a product is one of those that this site makes. */
function isSoldHere(productId: string): boolean {
  return /^(plan|microsoft365)_/.test(productId);
}

async function makePrice(
  stripe: Stripe,
  { label, unitPrice }: PriceLine,
  product: string,
  lookupKey: string,
): Promise<Stripe.Price> {
  await stripe.products.create({ id: product, name: label }).catch((error: unknown) => {
    const code = error instanceof Stripe.errors.StripeError && error.code;
    if (code !== 'resource_already_exists') throw error;
  });
  return stripe.prices.create({
    product,
    currency: CURRENCY,
    unit_amount: unitPrice,
    recurring: { interval: 'month' },
    tax_behavior: 'exclusive',
    lookup_key: lookupKey,
    // A price that is archived or altered keeps its key until another takes it.
    transfer_lookup_key: true,
  });
}

/** Somebody at Stripe's dashboard may move a lookup key to a price that asks for something else. */
function charges(price: Stripe.Price, { unitPrice }: PriceLine): boolean {
  const { active, currency, unit_amount, recurring, tax_behavior } = price;
  return (
    active &&
    currency === CURRENCY &&
    unit_amount === unitPrice &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1 &&
    recurring.usage_type === 'licensed' &&
    tax_behavior === 'exclusive'
  );
}

/** An item of a subscription that this site has made; `unit` in cents. */
export interface OwnItem extends PricedItem {
  id: string;
  unit: number;
}

/** Undefined where our team has agreed on something else with the customer at Stripe, which must not go unnoticed. */
export function ownItems({ items }: Stripe.Subscription): OwnItem[] | undefined {
  const own = items.data.flatMap(({ id, price, quantity }): OwnItem[] => {
    const { unit_amount: unit } = price;
    const productId = idOf(price.product);
    if (!isSoldHere(productId) || unit === null || quantity === undefined) return [];
    return [{ id, price: price.id, productId, quantity, unit }];
  });
  return items.has_more || own.length < items.data.length ? undefined : own;
}

type ItemChange = Stripe.SubscriptionUpdateParams.Item;

/** From the items that a subscription has to those that are wanted. What stays is not named. */
export function itemChanges(own: readonly OwnItem[], wanted: readonly PricedItem[]): ItemChange[] {
  const left = new Set(own);
  const take = (holds: (item: OwnItem) => boolean) => {
    const item = [...left].find(holds);
    if (item) left.delete(item);
    return item;
  };
  const changes = wanted.flatMap(({ price, productId, quantity }): ItemChange[] => {
    const item =
      take((each) => each.price === price) ?? take((each) => each.productId === productId);
    if (!item) return [{ price, quantity }];
    const { id } = item;
    if (item.price !== price) return [{ id, price, quantity }];
    return item.quantity === quantity ? [] : [{ id, quantity }];
  });
  return [...changes, ...[...left].map(({ id }) => ({ id, deleted: true }))];
}

/** The metadata of a subscription in which it keeps the month, and the next bill, that its customer confirmed last. */
export const NEXT_BILL = 'nextBill';

/** What the subscription charges for now; undefined where our team has agreed on something else at Stripe. */
export function planOf(
  subscription: Stripe.Subscription,
  order: Row<'orders'>,
): PaymentState['plan'] {
  const items = ownItems(subscription);
  const known = priceLinesOf(order);
  const lines = LINE_KINDS.flatMap((kind): PriceLine[] => {
    const item = items?.find(({ productId }) => productId === productIdOf(order, kind));
    if (!item) return [];
    const { label } = known.find((line) => line.kind === kind) ?? { label: 'Cloud backup' };
    const { unit, quantity } = item;
    return [{ kind, label, unitPrice: cents(unit), quantity, amount: cents(unit * quantity) }];
  });
  const isWhole = known.every(
    ({ kind }) => kind === 'backup' || lines.some((each) => each.kind === kind),
  );
  if (!items || !isWhole || lines.length < items.length) return undefined;
  const monthly = lines.reduce((sum, { amount }) => sum + amount, 0);
  const [confirmed, total] = (subscription.metadata[NEXT_BILL] ?? '').split(' ');
  const [item] = subscription.items.data;
  const at = (item?.current_period_end ?? 0) * 1000;
  // Our team may have changed the subscription in the dashboard since.
  const isConfirmed = total && Number(confirmed) === monthly;
  return { lines, next: isConfirmed ? { at, total: cents(Number(total)) } : undefined };
}
