/** Subscriptions and their bills. */
import type { List } from './listing.ts';
import { absent, type Customer, type Price } from './objects.ts';
import { find, newId, type World } from './world.ts';

export type SubscriptionStatus =
  | 'active'
  | 'canceled'
  | 'incomplete'
  | 'incomplete_expired'
  | 'past_due'
  | 'unpaid';

/** The n-th period end after the anchor: counted from the anchor, so that the 31st comes back after February. */
export const periodEnd = (
  anchor: number,
  { interval, interval_count }: Price['recurring'],
  periods: number,
): number => {
  const months = (interval === 'year' ? 12 : 1) * interval_count * periods;
  const date = new Date(anchor * 1000);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() / 1000;
};

export const makeItem = (
  world: World,
  subscription: { id: string; billing_cycle_anchor: number },
  price: Price,
  quantity: number,
) => ({
  id: newId('si').slice(0, 17),
  object: 'subscription_item' as const,
  created: world.now(),
  current_period_end: periodEnd(subscription.billing_cycle_anchor, price.recurring, 1),
  current_period_start: subscription.billing_cycle_anchor,
  metadata: {},
  price,
  quantity,
  subscription: subscription.id,
});

export type SubscriptionItem = ReturnType<typeof makeItem>;

export const makeSubscription = (world: World, input: { customer: string; currency: string }) => {
  const id = newId('sub');
  const items: List<SubscriptionItem> = {
    object: 'list',
    data: [],
    has_more: false,
    total_count: 0,
    url: `/v1/subscription_items?subscription=${id}`,
  };
  return {
    ...input,
    id,
    object: 'subscription' as const,
    automatic_tax: { enabled: false },
    billing_cycle_anchor: world.now(),
    billing_mode: { type: 'flexible' },
    cancel_at: absent<number>(),
    cancel_at_period_end: false,
    canceled_at: absent<number>(),
    cancellation_details: { reason: absent<string>() },
    created: world.now(),
    default_payment_method: absent<string>(),
    ended_at: absent<number>(),
    items,
    latest_invoice: absent<string>(),
    livemode: false,
    metadata: {} as Record<string, string>,
    payment_settings: { save_default_payment_method: 'off' as 'off' | 'on_subscription' },
    status: 'incomplete' as SubscriptionStatus,
  };
};

export type Subscription = ReturnType<typeof makeSubscription>;

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

const makeLine = (
  world: World,
  invoice: string,
  { id: subscription, automatic_tax: tax }: Subscription,
  { amount, price, quantity, item, period, proration, pending }: LineSource,
) => ({
  id: newId('il'),
  object: 'line_item' as const,
  amount,
  currency: price.currency,
  description: `${quantity} × ${find(world, 'product', price.product)?.name} (at $${(price.unit_amount / 100).toFixed(2)} / month)`,
  invoice,
  livemode: false,
  parent: {
    subscription_item_details: {
      invoice_item: pending,
      proration,
      subscription,
      subscription_item: item,
    },
    type: 'subscription_item_details' as const,
  },
  period,
  pricing: {
    price_details: { price: price.id, product: price.product },
    type: 'price_details' as const,
    unit_amount_decimal: price.unit_amount_decimal,
  },
  quantity,
  taxes: tax.enabled ? [{ amount: roundedQuotient(amount * world.taxPercent, 100) }] : [],
});

export type InvoiceLine = ReturnType<typeof makeLine>;

export type BillingReason = 'subscription_create' | 'subscription_cycle';
type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';

/** No less is charged to a card. */
const leastCents = 50;
/** How many lines an invoice carries in itself. */
const carriedLines = 10;

interface InvoiceParts {
  customer: Customer;
  subscription: Subscription;
  reason: BillingReason;
  sources: readonly LineSource[];
  /** Of what was used; a first invoice covers none. */
  period: Span;
  preview?: boolean;
}

const sum = (rows: { amount: number }[]): number =>
  rows.reduce((total, { amount }) => total + amount, 0);

/** What is asked for, and what is left on the customer's balance; a negative balance is a credit. */
export const dueOf = (total: number, balance: number): { due: number; left: number } => {
  const owed = total + balance;
  return owed < leastCents ? { due: 0, left: owed } : { due: owed, left: 0 };
};

/** A draft, with all its lines, of which it carries the first. */
export const makeInvoice = (world: World, parts: InvoiceParts) => {
  const { customer, subscription, reason, sources, period, preview } = parts;
  const id = newId(preview ? 'upcoming_in' : 'in');
  const all = sources.map((source) => makeLine(world, id, subscription, source));
  const lines: List<InvoiceLine> = {
    object: 'list',
    data: all.slice(0, carriedLines),
    has_more: all.length > carriedLines,
    total_count: all.length,
    url: `/v1/invoices/${id}/lines`,
  };
  const taxes = all.flatMap((line) => line.taxes);
  const subtotal = sum(all);
  const total = subtotal + sum(taxes);
  const { due } = dueOf(total, customer.balance);
  const invoice = {
    id,
    object: 'invoice' as const,
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempted: false,
    billing_reason: reason,
    created: preview ? period.end : world.now(),
    currency: subscription.currency,
    customer: customer.id,
    ending_balance: absent<number>(),
    lines,
    livemode: false,
    number: absent<string>(),
    parent: {
      // A snapshot: later changes to the subscription's metadata do not reach an invoice that exists.
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
      },
      type: 'subscription_details' as const,
    },
    period_end: period.end,
    period_start: period.start,
    status: 'draft' as InvoiceStatus,
    subtotal,
    total,
    total_excluding_tax: subtotal,
    total_taxes: taxes,
  };
  return { invoice, lines: all };
};

export type Invoice = ReturnType<typeof makeInvoice>['invoice'];

export const makeInvoicePayment = (world: World, invoice: Invoice, paymentIntent: string) => ({
  id: newId('inpay'),
  object: 'invoice_payment' as const,
  created: world.now(),
  currency: invoice.currency,
  invoice: invoice.id,
  livemode: false,
  payment: { payment_intent: paymentIntent, type: 'payment_intent' as const },
  status: 'open' as 'open' | 'paid' | 'canceled',
});

export type InvoicePayment = ReturnType<typeof makeInvoicePayment>;
