/** Subscriptions, their items and their invoices. */
import type Stripe from 'stripe';
import type { List } from './listing.ts';
import { absent, type Customer, type FieldsOf, type Price } from './objects.ts';
import { newId, type World } from './world.ts';

export type SubscriptionStatus =
  | 'active'
  | 'canceled'
  | 'incomplete'
  | 'incomplete_expired'
  | 'past_due'
  | 'unpaid';

/** Counts months from the anchor, so that an anchor on the 31st is back on the 31st after February. */
export const monthsAfter = (anchor: number, months: number): number => {
  const date = new Date(anchor * 1000);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() / 1000;
};

export const makeItem = (
  { id, billing_cycle_anchor: anchor }: { id: string; billing_cycle_anchor: number },
  price: Price,
  quantity: number,
) =>
  ({
    id: newId('si').slice(0, 17),
    object: 'subscription_item' as const,
    current_period_end: monthsAfter(anchor, 1),
    current_period_start: anchor,
    price,
    quantity,
    subscription: id,
  }) satisfies FieldsOf<Stripe.SubscriptionItem>;

export type SubscriptionItem = ReturnType<typeof makeItem>;

export const makeSubscription = (world: World, customer: string) =>
  ({
    id: newId('sub'),
    object: 'subscription' as const,
    automatic_tax: { enabled: false },
    billing_cycle_anchor: world.now(),
    cancel_at: absent<number>(),
    cancel_at_period_end: false,
    created: world.now(),
    customer,
    default_payment_method: absent<string>(),
    ended_at: absent<number>(),
    items: { object: 'list', data: [], has_more: false } as List<SubscriptionItem>,
    latest_invoice: absent<string>(),
    livemode: false,
    metadata: {} as Record<string, string>,
    status: 'incomplete' as SubscriptionStatus,
  }) satisfies FieldsOf<Stripe.Subscription>;

export type Subscription = ReturnType<typeof makeSubscription>;

export interface Span {
  start: number;
  end: number;
}

/** A credit or charge for the rest of a period, for the next invoice. */
export interface Proration {
  amount: number;
  price: Price;
  quantity: number;
  period: Span;
}

export interface PendingItem extends Proration {
  id: string;
  subscription: string;
}

/** The content of an invoice line: an item's full period, or a proration. */
export type LineSource = Proration & { proration: boolean };

export const fullLine = ({ price, quantity }: SubscriptionItem, period: Span): LineSource => ({
  amount: price.unit_amount * quantity,
  price,
  quantity,
  period,
  proration: false,
});

/** Divides integers and rounds half away from zero; the divisor is positive. */
export const roundedQuotient = (dividend: number, divisor: number): number => {
  const doubled = 2 * Math.abs(dividend) + divisor;
  const size = (doubled - (doubled % (2 * divisor))) / (2 * divisor);
  return dividend < 0 ? 0 - size : size;
};

const makeLine = (
  world: World,
  invoice: string,
  { automatic_tax: tax }: Subscription,
  { amount, price, quantity, period, proration }: LineSource,
) =>
  ({
    id: newId('il'),
    object: 'line_item' as const,
    amount,
    invoice,
    parent: {
      subscription_item_details: { proration },
      type: 'subscription_item_details' as const,
    },
    period,
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details' as const,
    },
    quantity,
    taxes: tax.enabled ? [{ amount: roundedQuotient(amount * world.taxPercent, 100) }] : [],
  }) satisfies FieldsOf<Stripe.InvoiceLineItem>;

export type InvoiceLine = ReturnType<typeof makeLine>;

export type BillingReason = 'subscription_create' | 'subscription_cycle';

/** The least that Stripe charges to a card. */
const leastCents = 50;
/** How many of its lines an invoice object carries. */
const carriedLines = 10;

interface InvoiceParts {
  customer: Customer;
  subscription: Subscription;
  reason: BillingReason;
  sources: readonly LineSource[];
  /** The period of use; empty for a first invoice. */
  period: Span;
  preview?: boolean;
}

const sum = (rows: { amount: number }[]): number =>
  rows.reduce((total, { amount }) => total + amount, 0);

/** The amount due, and what stays on the customer's balance; a negative balance is a credit. */
export const dueOf = (total: number, balance: number): { due: number; left: number } => {
  const owed = total + balance;
  return owed < leastCents ? { due: 0, left: owed } : { due: owed, left: 0 };
};

/** Returns a draft, which carries its first lines, and all lines. */
export const makeInvoice = (world: World, parts: InvoiceParts) => {
  const { customer, subscription, reason, sources, period, preview } = parts;
  const id = newId(preview ? 'upcoming_in' : 'in');
  const all = sources.map((source) => makeLine(world, id, subscription, source));
  const lines: List<InvoiceLine> = {
    object: 'list',
    data: all.slice(0, carriedLines),
    has_more: all.length > carriedLines,
  };
  const taxes = all.flatMap((line) => line.taxes);
  const subtotal = sum(all);
  const total = subtotal + sum(taxes);
  const invoice = {
    id,
    object: 'invoice' as const,
    amount_due: dueOf(total, customer.balance).due,
    amount_paid: 0,
    attempted: false,
    billing_reason: reason,
    created: preview ? period.end : world.now(),
    currency: 'usd',
    customer: customer.id,
    lines,
    livemode: false,
    number: absent<string>(),
    parent: {
      subscription_details: { subscription: subscription.id },
      type: 'subscription_details' as const,
    },
    period_end: period.end,
    period_start: period.start,
    status: 'draft' as 'draft' | 'open' | 'paid' | 'uncollectible' | 'void',
    subtotal,
    total,
    total_taxes: taxes,
  } satisfies FieldsOf<Stripe.Invoice>;
  return { invoice, lines: all };
};

export type Invoice = ReturnType<typeof makeInvoice>['invoice'];

export const makeInvoicePayment = (invoice: Invoice, paymentIntent: string) =>
  ({
    id: newId('inpay'),
    object: 'invoice_payment' as const,
    invoice: invoice.id,
    payment: { payment_intent: paymentIntent, type: 'payment_intent' as const },
    status: 'open' as 'open' | 'paid' | 'canceled',
  }) satisfies FieldsOf<Stripe.InvoicePayment>;

export type InvoicePayment = ReturnType<typeof makeInvoicePayment>;
