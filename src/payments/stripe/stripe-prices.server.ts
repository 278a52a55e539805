/** What is sold, as Stripe keeps it: a product per thing with a fixed id, a price per amount, found by its lookup key. */
import Stripe from 'stripe';
import type { PriceLine } from '../../catalogue/pricing.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { CURRENCY } from './stripe-client.server.ts';

interface Sold {
  line: PriceLine;
  productId: string;
  lookupKey: string;
}

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
  const sold = lines.map((line) => soldAs(order, line));
  const { data } = await stripe.prices.list({
    lookup_keys: sold.map(({ lookupKey }) => lookupKey),
  });
  return Promise.all(
    sold.map(async (each) => {
      const found = data.find((price) => price.lookup_key === each.lookupKey);
      const price = found && charges(found, each.line) ? found : await makePrice(stripe, each);
      return { price: price.id, productId: each.productId, quantity: each.line.quantity };
    }),
  );
}

async function makePrice(
  stripe: Stripe,
  { line, productId, lookupKey }: Sold,
): Promise<Stripe.Price> {
  await stripe.products.create({ id: productId, name: line.label }).catch((error: unknown) => {
    const code = error instanceof Stripe.errors.StripeError && error.code;
    if (code !== 'resource_already_exists') throw error;
  });
  return stripe.prices.create({
    product: productId,
    currency: CURRENCY,
    unit_amount: line.unitPrice,
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

/** The id of the product that an order's line of this kind is sold as. */
export function productOf({ planId, ms365Option }: Row<'orders'>, kind: PriceLine['kind']): string {
  return {
    plan: `plan_${planId}`,
    microsoft365: `microsoft365_${ms365Option}`,
    backup: 'microsoft365_backup',
  }[kind];
}

function soldAs(order: Row<'orders'>, line: PriceLine): Sold {
  const productId = productOf(order, line.kind);
  return { line, productId, lookupKey: `${productId}_${CURRENCY}_${line.unitPrice}_month` };
}

/** Whether a product is one of those that this site makes. */
export function isSoldHere(productId: string): boolean {
  return /^(plan|microsoft365)_/.test(productId);
}
