import type { List } from './listing.ts';
import { absent, type Customer } from './objects-catalogue.ts';
import type { Subscription, SubscriptionItem } from './objects-subscription.ts';
import { newId, type World } from './world.ts';

export type BillingReason = 'subscription_create' | 'subscription_cycle';
type InvoiceStatus = 'open' | 'paid' | 'uncollectible' | 'void';

const makeLine = (
  world: World,
  invoice: string,
  { id: subscription, automatic_tax: tax }: Subscription,
  item: SubscriptionItem,
) => {
  const amount = item.price.unit_amount * item.quantity;
  return {
    id: newId('il'),
    object: 'line_item' as const,
    amount,
    currency: item.price.currency,
    description: null,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: null,
    period: { end: item.current_period_end, start: item.current_period_start },
    pretax_credit_amounts: [],
    pricing: { unit_amount_decimal: item.price.unit_amount_decimal },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription,
    subtotal: amount,
    taxes: tax.enabled ? [{ amount: Math.round((amount * world.taxPercent) / 100) }] : [],
  };
};

const sum = (rows: { amount: number }[]): number =>
  rows.reduce((total, { amount }) => total + amount, 0);

export const makeInvoice = (
  world: World,
  customer: Customer,
  subscription: Subscription,
  reason: BillingReason,
) => {
  const id = newId('in');
  const now = world.now();
  const data = subscription.items.data.map((item) => makeLine(world, id, subscription, item));
  const lines: List<(typeof data)[number]> = {
    object: 'list',
    data,
    has_more: false,
    total_count: data.length,
    url: `/v1/invoices/${id}/lines`,
  };
  const taxes = data.flatMap((line) => line.taxes);
  const subtotal = sum(data);
  const total = subtotal + sum(taxes);
  /** A negative balance is the customer's credit. */
  const credit = Math.min(total, Math.max(0, -customer.balance));
  return {
    id,
    object: 'invoice' as const,
    account_country: 'US',
    account_name: 'Stand-in account',
    account_tax_ids: null,
    amount_due: total - credit,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total - credit,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    automatic_tax: { enabled: subscription.automatic_tax.enabled },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: subscription.collection_method,
    created: now,
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
    effective_at: now,
    ending_balance: customer.balance + credit,
    footer: null,
    from_invoice: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines,
    livemode: false,
    metadata: {},
    next_payment_attempt: absent<number>(),
    number: null,
    on_behalf_of: null,
    parent: {
      // A snapshot: later changes to the subscription's metadata do not reach an invoice that exists.
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
      },
      type: 'subscription_details' as const,
    },
    payment_settings: {},
    period_end: now,
    period_start: reason === 'subscription_create' ? now : subscription.created,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'open' as InvoiceStatus,
    status_transitions: {},
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: subtotal,
    total_pretax_credit_amounts: [],
    total_taxes: taxes,
    webhooks_delivered_at: now,
  };
};

export type Invoice = ReturnType<typeof makeInvoice>;

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
