/** Subscriptions, their items and their invoices. */
import type Stripe from 'stripe';
import { absent, type Customer, type FieldsOf, isLocated } from './objects.ts';
import type { PriceInput } from './schema.ts';
import { newId, type World } from './world.ts';

export interface List<Row> {
  object: 'list';
  data: Row[];
  has_more: boolean;
}

export const listOf = <Row>(data: Row[], has_more = false): List<Row> => ({
  object: 'list',
  data,
  has_more,
});

/** Counts months from the anchor: one on the 31st is back on the 31st after February. */
export const monthsAfter = (anchor: number, months: number): number => {
  const date = new Date(anchor * 1000);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() / 1000;
};

export const makeItem = (price: PriceInput, quantity: number, { start, end }: Span) =>
  ({
    id: newId('si').slice(0, 17),
    object: 'subscription_item' as const,
    current_period_end: end,
    current_period_start: start,
    discounts: [] as string[],
    price,
    quantity,
  }) satisfies FieldsOf<Stripe.SubscriptionItem>;

export type SubscriptionItem = ReturnType<typeof makeItem>;

export const makeSubscription = (anchor: number, customer: string) =>
  ({
    id: newId('sub'),
    object: 'subscription' as const,
    automatic_tax: { enabled: false, disabled_reason: absent<'requires_location_inputs'>() },
    billing_cycle_anchor: anchor,
    cancel_at: absent<number>(),
    cancel_at_period_end: false,
    cancellation_details: { comment: absent<string>() },
    collection_method: 'charge_automatically' as 'charge_automatically' | 'send_invoice',
    customer,
    days_until_due: absent<number>(),
    /** In percent, where staff set a rate by hand. */
    default_tax_rates: [] as { percentage: number }[],
    default_payment_method: absent<string>(),
    discounts: [] as string[],
    ended_at: absent<number>(),
    invoice_settings: { custom_fields: absent<{ name: string; value: string }[]>() },
    items: listOf<SubscriptionItem>([]),
    latest_invoice: absent<string>(),
    metadata: {} as Record<string, string>,
    pending_setup_intent: absent<string>(),
    pause_collection: absent<{ behavior: 'keep_as_draft' | 'void'; resumes_at: null }>(),
    schedule: absent<string>(),
    status: 'incomplete' as Stripe.Subscription.Status,
    trial_end: absent<number>(),
  }) satisfies FieldsOf<Stripe.Subscription>;

export type Subscription = ReturnType<typeof makeSubscription>;

export const makeSchedule = (subscription: string) =>
  ({
    id: newId('sub_sched'),
    object: 'subscription_schedule' as const,
    status: 'active' as 'active' | 'released',
    subscription: subscription as string | null,
  }) satisfies FieldsOf<Stripe.SubscriptionSchedule>;

export type Schedule = ReturnType<typeof makeSchedule>;

export interface Span {
  start: number;
  end: number;
}

/**
 * An invoice line: an item's full period, the credit or charge for the rest of one, or what is
 * charged once, which has no price but words of its own.
 */
export interface LineSource {
  /** Of the item that waited for the invoice. */
  id?: string;
  amount: number;
  price?: PriceInput;
  description?: string;
  quantity: number;
  period: Span;
  proration: boolean;
}

/** Waits for the next invoice. */
export interface PendingItem extends LineSource {
  id: string;
  subscription: string;
}

/** How many units at which amount. */
const partsOf = ({ price, quantity }: Pick<SubscriptionItem, 'price' | 'quantity'>) => {
  const unit = price.unit_amount ?? Number(price.unit_amount_decimal ?? 0);
  if (price.transform_quantity)
    return [{ quantity, amount: Math.ceil(quantity / price.transform_quantity.divide_by) * unit }];
  let left = quantity;
  return (price.tiers ?? [{ up_to: null, unit_amount: unit }]).flatMap((tier) => {
    const units = Math.min(left, (tier.up_to ?? quantity) - (quantity - left));
    left -= units;
    return units > 0 || !price.tiers
      ? [{ quantity: units, amount: Math.round(units * tier.unit_amount) }]
      : [];
  });
};

export const wholeOf = (item: Pick<SubscriptionItem, 'price' | 'quantity'>): number =>
  sum(partsOf(item));

/** Of a price in tiers, a line for each. */
export const fullLines = (item: SubscriptionItem, period: Span): LineSource[] =>
  partsOf(item).map((part) => ({ ...part, price: item.price, period, proration: false }));

/** Divides integers and rounds half away from zero; the divisor is positive. */
export const roundedQuotient = (dividend: number, divisor: number): number => {
  const doubled = 2 * Math.abs(dividend) + divisor;
  const size = (doubled - (doubled % (2 * divisor))) / (2 * divisor);
  return dividend < 0 ? 0 - size : size;
};

/** '20 × Desk phone (at $20.00 / month)'. */
const wordsFor = (world: World, { price, quantity }: LineSource) => {
  if (!price) return null;
  const { name } = world.product.get(price.product) ?? { name: price.product };
  const unit = ((price.unit_amount ?? 0) / 100).toFixed(2);
  return `${quantity} × ${name} (at $${unit} / ${price.recurring.interval})`;
};

const makeLine = (world: World, taxPercent: number, source: LineSource) => {
  const { id, amount, price, description, quantity, period, proration } = source;
  const details = { invoice_item: id ?? null, proration };
  const { tax_behavior = 'exclusive' } = price ?? {};
  const base = tax_behavior === 'inclusive' ? 100 + taxPercent : 100;
  const tax = { amount: roundedQuotient(amount * taxPercent, base), tax_behavior };
  return {
    id: newId('il'),
    object: 'line_item' as const,
    amount,
    description: description ?? wordsFor(world, source),
    parent: price
      ? { type: 'subscription_item_details', subscription_item_details: details }
      : { type: 'invoice_item_details', invoice_item_details: details },
    period,
    pricing: price ? { price_details: { product: price.product } } : null,
    quantity,
    taxes: taxPercent > 0 ? [tax] : [],
  } satisfies FieldsOf<Stripe.InvoiceLineItem>;
};

/** The least that Stripe charges to a card. */
const leastCents = 50;

interface InvoiceParts {
  customer: Customer;
  subscription: Subscription;
  reason: 'subscription_create' | 'subscription_cycle' | 'manual';
  sources: readonly LineSource[];
  /** The end of the period of use. */
  periodEnd: number;
}

const sum = (rows: { amount: number }[]): number =>
  rows.reduce((total, { amount }) => total + amount, 0);

interface InvoicePayment {
  is_default: boolean;
  payment: { payment_intent: string };
  status: 'open' | 'paid';
}

export const makeInvoice = (world: World, parts: InvoiceParts) => {
  const { customer, subscription, reason, sources, periodEnd } = parts;
  const [byHand] = subscription.default_tax_rates;
  const { enabled: isTaxed } = subscription.automatic_tax;
  const isComplete = isLocated(customer);
  const rate = isTaxed ? isComplete && world.taxPercent : byHand?.percentage;
  const taxPercent = (customer.tax_exempt === 'none' && rate) || 0;
  // Those of the subscription come in place of the customer's.
  const [{ discounts }, { discount: own }] = [subscription, customer];
  /** What is off some of the lines: no proration is discounted. */
  const offOf = (some: typeof sources) =>
    (discounts.length > 0 || !own ? discounts : [own.id]).map((discount) => {
      const percent = world.discount.get(discount)?.percent ?? 0;
      const regular = sum(some.filter(({ proration }) => !proration));
      return { amount: roundedQuotient(regular * percent, 100), discount };
    });
  const lines = sources.map((source) => ({
    ...makeLine(world, taxPercent, source),
    discount_amounts: offOf([source]),
  }));
  const taxes = lines.flatMap((line) => line.taxes);
  const subtotal = sum(lines);
  const off = offOf(sources);
  const onTop = taxes.filter(({ tax_behavior }) => tax_behavior === 'exclusive');
  const total = subtotal - sum(off) + sum(onTop);
  const owed = total + customer.balance;
  const due = owed < leastCents ? 0 : owed;
  const id = newId('in');
  return {
    id,
    object: 'invoice' as const,
    amount_due: due,
    amount_paid: 0,
    amount_paid_off_stripe: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      enabled: isTaxed,
      status: isTaxed ? (isComplete ? 'complete' : 'requires_location_inputs') : null,
    },
    billing_reason: reason,
    collection_method: subscription.collection_method,
    confirmation_secret: absent<{ client_secret: string; type: 'payment_intent' }>(),
    created: world.now(),
    currency: 'usd',
    custom_fields: subscription.invoice_settings.custom_fields,
    customer: customer.id,
    due_date: absent<number>(),
    ending_balance: owed - due,
    hosted_invoice_url: absent<string>(),
    last_finalization_error: absent<{ message: string }>(),
    lines: listOf(lines),
    metadata: {} as Record<string, string>,
    next_payment_attempt: absent<number>(),
    number: `FAKE-${id.slice(-8)}` as string | null,
    parent: { subscription_details: { subscription: subscription.id } },
    /** In no documented sequence: the default one pays what the others leave. */
    payments: listOf<InvoicePayment>([]),
    period_end: periodEnd,
    pre_payment_credit_notes_amount: 0,
    starting_balance: customer.balance,
    status: 'open' as Stripe.Invoice.Status,
    status_transitions: { paid_at: absent<number>() },
    subtotal,
    total,
    total_discount_amounts: off,
    total_taxes: taxes,
  } satisfies FieldsOf<Stripe.Invoice>;
};

export type Invoice = ReturnType<typeof makeInvoice>;

/** As Stripe returns it: ten of its lines, and secret and payments only when expanded. */
export const shownInvoice = ({ confirmation_secret, payments, lines, ...invoice }: Invoice) => ({
  ...invoice,
  amount_remaining: invoice.status === 'paid' ? 0 : invoice.amount_due - invoice.amount_paid,
  lines: listOf(lines.data.slice(0, 10), lines.data.length > 10),
});
