import type { Price } from './objects-catalogue.ts';
import type { Subscription, SubscriptionItem } from './objects-subscription.ts';
import { find, newId, type World } from './world.ts';

export interface Span {
  start: number;
  end: number;
}

/** A credit or a charge for the rest of a period, which waits for the next invoice. */
export interface Proration {
  amount: number;
  price: Price;
  quantity: number;
  item: string;
  period: Span;
}

export interface PendingItem extends Proration {
  id: string;
  subscription: string;
}

/** What stands on a line: a period of an item, or a proration with the id under which it has waited. */
export type LineSource = Proration & { proration: boolean; pending: string | null };

export const fullLine = ({ id, price, quantity }: SubscriptionItem, period: Span): LineSource => ({
  amount: price.unit_amount * quantity,
  price,
  quantity,
  item: id,
  period,
  proration: false,
  pending: null,
});

/** Half away from zero, for whole numbers; the divisor is positive. */
export const roundedQuotient = (dividend: number, divisor: number): number => {
  const doubled = 2 * Math.abs(dividend) + divisor;
  const size = (doubled - (doubled % (2 * divisor))) / (2 * divisor);
  return dividend < 0 ? 0 - size : size;
};

const productName = (world: World, { product }: Price): string =>
  find(world, 'product', product)?.name ?? product;

export const makeLine = (
  world: World,
  invoice: string,
  { id: subscription, automatic_tax: tax }: Subscription,
  { amount, price, quantity, item, period, proration, pending }: LineSource,
) => ({
  id: newId('il'),
  object: 'line_item' as const,
  amount,
  currency: price.currency,
  description: `${quantity} × ${productName(world, price)} (at $${(price.unit_amount / 100).toFixed(2)} / month)`,
  discount_amounts: [],
  discountable: !proration,
  discounts: [],
  invoice,
  livemode: false,
  metadata: {},
  parent: {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: pending,
      proration,
      proration_details: null,
      subscription,
      subscription_item: item,
    },
    type: 'subscription_item_details' as const,
  },
  period,
  pretax_credit_amounts: [],
  pricing: {
    price_details: { price: price.id, product: price.product },
    type: 'price_details' as const,
    unit_amount_decimal: price.unit_amount_decimal,
  },
  quantity,
  quantity_decimal: String(quantity),
  subscription,
  subtotal: amount,
  taxes: tax.enabled ? [{ amount: roundedQuotient(amount * world.taxPercent, 100) }] : [],
});

export type InvoiceLine = ReturnType<typeof makeLine>;
