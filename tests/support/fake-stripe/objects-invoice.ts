import { absent, type Customer } from './objects-catalogue.ts';
import type { List, Subscription, SubscriptionItem } from './objects-subscription.ts';
import { newId, randomText, type World } from './world.ts';

export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';
type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';

interface Tax {
  amount: number;
  tax_behavior: 'exclusive' | 'inclusive';
  tax_rate_details: { tax_rate: string };
  taxability_reason: 'standard_rated';
  taxable_amount: number;
  type: 'tax_rate_details';
}

const taxOn = (world: World, amount: number, item: SubscriptionItem): Tax => {
  const inclusive = item.price.tax_behavior === 'inclusive';
  const rate = world.taxPercent / 100;
  const net = inclusive ? Math.round(amount / (1 + rate)) : amount;
  return {
    amount: inclusive ? amount - net : Math.round(amount * rate),
    tax_behavior: inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: 'txr_standIn' },
    taxability_reason: 'standard_rated',
    taxable_amount: net,
    type: 'tax_rate_details',
  };
};

const dollars = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

const makeLine = (
  world: World,
  invoice: string,
  subscription: Subscription,
  item: SubscriptionItem,
  productName: string,
) => {
  const amount = Math.round(Number(item.price.unit_amount_decimal) * item.quantity);
  const each = dollars(Number(item.price.unit_amount_decimal), item.price.currency);
  return {
    id: newId('il'),
    object: 'line_item' as const,
    amount,
    currency: item.price.currency,
    description: `${item.quantity} × ${productName} (at ${each} / ${item.price.recurring?.interval ?? 'month'})`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: { ...item.metadata },
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details' as const,
    },
    period: { end: item.current_period_end, start: item.current_period_start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details' as const,
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: subscription.automatic_tax.enabled ? [taxOn(world, amount, item)] : [],
  };
};

type InvoiceLine = ReturnType<typeof makeLine>;

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const makeInvoice = (
  world: World,
  customer: Customer,
  subscription: Subscription,
  reason: BillingReason,
) => {
  const id = newId('in');
  const now = world.now();
  const nameOf = (item: SubscriptionItem): string =>
    world.tables.product.get(item.price.product)?.name ?? '';
  const data = subscription.items.data.map((item) =>
    makeLine(world, id, subscription, item, nameOf(item)),
  );
  const lines: List<InvoiceLine> = {
    object: 'list',
    data,
    has_more: false,
    total_count: data.length,
    url: `/v1/invoices/${id}/lines`,
  };
  const taxes = data.flatMap((line) => line.taxes);
  const subtotal = sum(data.map((line) => line.amount));
  const included = sum(
    taxes.filter((tax) => tax.tax_behavior === 'inclusive').map((tax) => tax.amount),
  );
  const total =
    subtotal +
    sum(taxes.filter((tax) => tax.tax_behavior === 'exclusive').map((tax) => tax.amount));
  const secret = randomText(40);
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
    auto_advance: reason !== 'subscription_create',
    automatic_tax: {
      disabled_reason: null,
      enabled: subscription.automatic_tax.enabled,
      liability: subscription.automatic_tax.liability,
      provider: subscription.automatic_tax.enabled ? 'stripe' : null,
      status: subscription.automatic_tax.enabled ? 'complete' : null,
    },
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
    customer_tax_exempt: customer.tax_exempt,
    customer_tax_ids: [],
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
    hosted_invoice_url: `https://invoice.stripe.com/i/${world.accountId}/test_${secret}`,
    invoice_pdf: `https://pay.stripe.com/invoice/${world.accountId}/test_${secret}/pdf`,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines,
    livemode: false,
    metadata: {} as Record<string, string>,
    next_payment_attempt: absent<number>(),
    number: `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      // A snapshot: later changes to the subscription's metadata do not reach an invoice that exists.
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
      },
      type: 'subscription_details' as const,
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: subscription.payment_settings.payment_method_options,
      payment_method_types: subscription.payment_settings.payment_method_types,
    },
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
    status_transitions: {
      finalized_at: now,
      marked_uncollectible_at: absent<number>(),
      paid_at: absent<number>(),
      voided_at: absent<number>(),
    },
    subtotal,
    subtotal_excluding_tax: subtotal - included,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: subtotal - included,
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
  status_transitions: { canceled_at: absent<number>(), paid_at: absent<number>() },
});

export type InvoicePayment = ReturnType<typeof makeInvoicePayment>;
