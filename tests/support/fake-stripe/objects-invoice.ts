import type { List } from './listing.ts';
import { absent, type Customer } from './objects-catalogue.ts';
import { type InvoiceLine, type LineSource, makeLine, type Span } from './objects-invoice-line.ts';
import type { Subscription } from './objects-subscription.ts';
import { newId, type World } from './world.ts';

export type BillingReason = 'subscription_create' | 'subscription_cycle';
type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';

/** Between a draft and its payment. */
export const draftSeconds = 3600;
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
  /** Of a preview: the moment by which a change counts. */
  preview?: { prorationDate: number | undefined };
}

const sum = (rows: { amount: number }[]): number =>
  rows.reduce((total, { amount }) => total + amount, 0);

/** A time now, perhaps none later. */
const later = (at: number): number | null => at;

/** What is asked for, and what is left on the customer's balance; a negative balance is a credit. */
export const dueOf = (total: number, balance: number): { due: number; left: number } => {
  const owed = total + balance;
  return owed < leastCents ? { due: 0, left: owed } : { due: owed, left: 0 };
};

/** A draft, with all its lines, of which it carries the first. */
export const makeInvoice = (world: World, parts: InvoiceParts) => {
  const { customer, subscription, reason, sources, period, preview } = parts;
  const id = newId(preview ? 'upcoming_in' : 'in');
  const made = preview ? period.end : world.now();
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
  const prorationDate = preview?.prorationDate;
  const invoice = {
    id,
    object: 'invoice' as const,
    account_country: 'US',
    account_name: 'Stand-in account',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    automatic_tax: { enabled: subscription.automatic_tax.enabled },
    automatically_finalizes_at: later(made + draftSeconds),
    billing_reason: reason,
    collection_method: subscription.collection_method,
    created: made,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_shipping: null,
    customer_tax_exempt: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: absent<number>(),
    ending_balance: absent<number>(),
    footer: null,
    from_invoice: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines,
    livemode: false,
    metadata: {},
    next_payment_attempt: later(made + draftSeconds),
    number: absent<string>(),
    on_behalf_of: null,
    parent: {
      // A snapshot: later changes to the subscription's metadata do not reach an invoice that exists.
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
        ...(prorationDate === undefined ? {} : { subscription_proration_date: prorationDate }),
      },
      type: 'subscription_details' as const,
    },
    payment_settings: {},
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft' as InvoiceStatus,
    status_transitions: {},
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: subscription.test_clock,
    total,
    total_discount_amounts: [],
    total_excluding_tax: subtotal,
    total_pretax_credit_amounts: [],
    total_taxes: taxes,
    webhooks_delivered_at: absent<number>(),
  };
  return { invoice, lines: all };
};

export type Invoice = ReturnType<typeof makeInvoice>['invoice'];

export const makeInvoicePayment = (world: World, invoice: Invoice, paymentIntent: string) => ({
  id: newId('inpay'),
  object: 'invoice_payment' as const,
  amount_paid: absent<number>(),
  amount_requested: invoice.amount_due,
  created: world.now(),
  currency: invoice.currency,
  invoice: invoice.id,
  is_default: true,
  livemode: false,
  payment: { payment_intent: paymentIntent, type: 'payment_intent' as const },
  status: 'open' as 'open' | 'paid' | 'canceled',
  status_transitions: {},
});

export type InvoicePayment = ReturnType<typeof makeInvoicePayment>;
