/** Bills: drafted, made final, paid, refused or given up, and what that makes of their subscription. */
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
import { emit, find, refer, retrieve, rowsOf, save, type World } from './world.ts';

/** What is billed, and for which period of use. */
interface Bill {
  reason: BillingReason;
  sources: readonly LineSource[];
  period: Span;
}

export const draftInvoice = (world: World, subscription: Subscription, bill: Bill): Invoice => {
  const customer = refer(world, 'customer', subscription.customer, 'customer');
  const { invoice, lines } = makeInvoice(world, { customer, subscription, ...bill });
  for (const line of lines) save(world, 'invoice_line', line);
  subscription.latest_invoice = invoice.id;
  return save(world, 'invoice', invoice);
};

/** From now on it can be paid: with the intent for that, when anything is due. */
export const finalizeInvoice = (world: World, invoice: Invoice): Invoice => {
  const customer = refer(world, 'customer', invoice.customer, 'customer');
  const numbered = rowsOf(world, 'invoice', (row) => row.customer === customer.id && !!row.number);
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
  rowsOf(world, 'invoice_payment', (row) => row.invoice === invoice)[0];

export const intentOf = (world: World, invoice: string): PaymentIntent | undefined =>
  find(world, 'payment_intent', paymentOf(world, invoice)?.payment.payment_intent ?? '');

/** Each payment here is of an invoice. */
export const invoiceOf = (world: World, { id }: PaymentIntent): Invoice => {
  const [payment] = rowsOf(world, 'invoice_payment', (row) => row.payment.payment_intent === id);
  return retrieve(world, 'invoice', payment?.invoice ?? '');
};

export const subscriptionOf = (world: World, invoice: Invoice): Subscription =>
  retrieve(world, 'subscription', invoice.parent.subscription_details.subscription);

/** Without a payment method nothing was due. */
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

/** A payment of this invoice was refused, or waits for the customer. */
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

/** Staff give up a renewal that stayed unpaid: what was overdue runs again. */
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

/** What 23 hours without payment do, and what cancelling an unpaid subscription does. */
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
  // What has not been billed by now never will be.
  for (const { id } of rowsOf(world, 'invoiceitem', (row) => row.subscription === subscription.id))
    world.tables.invoiceitem.delete(id);
  subscription.status = 'canceled';
  subscription.ended_at = world.now();
  emit(world, 'customer.subscription.deleted', subscription);
};
