/** The life of an invoice (drafted, finalized, paid, failed, voided) and its effect on the subscription. */
import {
  type BillingReason,
  dueOf,
  type Invoice,
  type InvoicePayment,
  type LineSource,
  makeInvoice,
  makeInvoicePayment,
  type Span,
  type Subscription,
  type SubscriptionStatus,
} from './billing-objects.ts';
import { invalid } from './errors.ts';
import { makePaymentIntent, type PaymentIntent } from './objects.ts';
import { emit, filter, find, retrieve, retrieveParam, save, type World } from './world.ts';

interface InvoiceContent {
  reason: BillingReason;
  sources: readonly LineSource[];
  /** The period of use. */
  period: Span;
}

export const draftInvoice = (
  world: World,
  subscription: Subscription,
  content: InvoiceContent,
): Invoice => {
  const customer = retrieveParam(world, 'customer', subscription.customer, 'customer');
  const { invoice, lines } = makeInvoice(world, { customer, subscription, ...content });
  for (const line of lines) save(world, 'invoice_line', line);
  subscription.latest_invoice = invoice.id;
  return save(world, 'invoice', invoice);
};

/** Makes a draft payable, with a payment intent when anything is due. */
export const finalizeInvoice = (world: World, invoice: Invoice): Invoice => {
  const customer = retrieveParam(world, 'customer', invoice.customer, 'customer');
  const numbered = filter(world, 'invoice', (row) => row.customer === customer.id && !!row.number);
  const { due, left } = dueOf(invoice.total, customer.balance);
  invoice.amount_due = due;
  invoice.number = `${customer.id.slice(-8).toUpperCase()}-${String(numbered.length + 1).padStart(4, '0')}`;
  invoice.status = 'open';
  customer.balance = left;
  if (due > 0) {
    const { currency } = invoice;
    const intent = makePaymentIntent(world, { amount: due, currency, customer: customer.id });
    save(world, 'payment_intent', intent);
    save(world, 'invoice_payment', makeInvoicePayment(invoice, intent.id));
  }
  return invoice;
};

const setStatus = (world: World, subscription: Subscription, status: SubscriptionStatus): void => {
  if (subscription.status === status) return;
  subscription.status = status;
  emit(world, 'customer.subscription.updated', subscription);
};

export const paymentOf = (world: World, invoice: string): InvoicePayment | undefined =>
  filter(world, 'invoice_payment', (row) => row.invoice === invoice)[0];

export const intentOf = (world: World, invoice: string): PaymentIntent | undefined =>
  find(world, 'payment_intent', paymentOf(world, invoice)?.payment.payment_intent ?? '');

/** Every payment intent here belongs to an invoice. */
export const invoiceOf = (world: World, { id }: PaymentIntent): Invoice => {
  const [payment] = filter(world, 'invoice_payment', (row) => row.payment.payment_intent === id);
  return retrieve(world, 'invoice', payment?.invoice ?? '');
};

export const subscriptionOf = (world: World, invoice: Invoice): Subscription =>
  retrieve(world, 'subscription', invoice.parent.subscription_details.subscription);

/** `paymentMethod` is null when nothing was due. */
export const settleInvoice = (
  world: World,
  invoice: Invoice,
  paymentMethod: string | null,
): void => {
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.attempted = true;
  const payment = paymentOf(world, invoice.id);
  if (payment !== undefined) payment.status = 'paid';
  const subscription = subscriptionOf(world, invoice);
  subscription.default_payment_method = paymentMethod ?? subscription.default_payment_method;
  if (['incomplete', 'past_due', 'unpaid'].includes(subscription.status))
    setStatus(world, subscription, 'active');
  emit(world, 'invoice.paid', invoice);
};

/** A payment of this invoice failed, or waits for the customer to authenticate. */
export const invoiceUnpaid = (world: World, invoice: Invoice, waiting: boolean): void => {
  const subscription = subscriptionOf(world, invoice);
  const renewal = invoice.billing_reason !== 'subscription_create';
  if (!waiting || renewal) {
    invoice.attempted = true;
    emit(world, 'invoice.payment_failed', invoice);
  }
  if (waiting) emit(world, 'invoice.payment_action_required', invoice);
  if (renewal && subscription.status === 'active') setStatus(world, subscription, 'past_due');
};

/** Staff write off an unpaid renewal in the dashboard: an overdue subscription is active again. */
export const waiveInvoice = (
  world: World,
  invoice: Invoice,
  how: 'void' | 'uncollectible',
): void => {
  if (how === 'void') voidInvoice(world, invoice);
  else invoice.status = 'uncollectible';
  const subscription = subscriptionOf(world, invoice);
  const overdue = subscription.status === 'past_due' || subscription.status === 'unpaid';
  if (overdue && subscription.latest_invoice === invoice.id)
    setStatus(world, subscription, 'active');
};

const voidInvoice = (world: World, invoice: Invoice): void => {
  const intent = intentOf(world, invoice.id);
  if (intent !== undefined && intent.status !== 'succeeded') intent.status = 'canceled';
  const payment = paymentOf(world, invoice.id);
  if (payment?.status === 'open') payment.status = 'canceled';
  invoice.status = 'void';
};

/** What happens after 23 hours without payment, or when an unpaid subscription is canceled. */
export const expireIncomplete = (world: World, subscription: Subscription): void => {
  if (subscription.status !== 'incomplete') {
    throw invalid(
      `The subscription ${subscription.id} is ${subscription.status}; only an incomplete one expires.`,
    );
  }
  const invoice = find(world, 'invoice', subscription.latest_invoice ?? '');
  if (invoice?.status === 'open') voidInvoice(world, invoice);
  subscription.ended_at = world.now();
  setStatus(world, subscription, 'incomplete_expired');
};

export const endSubscription = (world: World, subscription: Subscription): void => {
  // Stripe drops prorations that have not been invoiced by now.
  for (const { id } of filter(world, 'invoiceitem', (row) => row.subscription === subscription.id))
    world.tables.invoiceitem.delete(id);
  subscription.status = 'canceled';
  subscription.ended_at = world.now();
  emit(world, 'customer.subscription.deleted', subscription);
};
