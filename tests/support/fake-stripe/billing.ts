import type {
  Invoice,
  InvoicePayment,
  Subscription,
  SubscriptionStatus,
} from './billing-objects.ts';
import { invalid } from './errors.ts';
import type { PaymentIntent } from './objects.ts';
import { find, retrieve, rowsOf, type World } from './world.ts';

export const emit = (world: World, type: string, object: object): void => {
  world.log.record(type, object, world.now());
};

export const setStatus = (
  world: World,
  subscription: Subscription,
  status: SubscriptionStatus,
): void => {
  if (subscription.status === status) return;
  subscription.status = status;
  emit(world, 'customer.subscription.updated', subscription);
};

export const paymentOf = (world: World, invoice: string): InvoicePayment | undefined =>
  rowsOf(world, 'invoice_payment', (row) => row.invoice === invoice)[0];

export const intentOf = (world: World, invoice: string): PaymentIntent | undefined =>
  find(world, 'payment_intent', paymentOf(world, invoice)?.payment.payment_intent ?? '');

/** Each payment here is of an invoice. */
export const invoiceOf = (world: World, intent: PaymentIntent): Invoice => {
  const [payment] = rowsOf(
    world,
    'invoice_payment',
    (row) => row.payment.payment_intent === intent.id,
  );
  return retrieve(world, 'invoice', payment?.invoice ?? '');
};

export const subscriptionOf = (world: World, invoice: Invoice): Subscription =>
  retrieve(world, 'subscription', invoice.parent.subscription_details.subscription);

export const settleInvoice = (
  world: World,
  invoice: Invoice,
  paymentMethod: string | null,
): void => {
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.attempted = true;
  const payment = paymentOf(world, invoice.id);
  if (payment !== undefined) payment.status = 'paid';
  const subscription = subscriptionOf(world, invoice);
  if (subscription.payment_settings.save_default_payment_method === 'on_subscription')
    subscription.default_payment_method = paymentMethod ?? subscription.default_payment_method;
  if (['incomplete', 'past_due', 'unpaid'].includes(subscription.status))
    setStatus(world, subscription, 'active');
  emit(world, 'invoice.paid', invoice);
  emit(world, 'invoice.payment_succeeded', invoice);
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
  else {
    invoice.status = 'uncollectible';
    emit(world, 'invoice.marked_uncollectible', invoice);
  }
  const subscription = subscriptionOf(world, invoice);
  const overdue = subscription.status === 'past_due' || subscription.status === 'unpaid';
  if (overdue && subscription.latest_invoice === invoice.id)
    setStatus(world, subscription, 'active');
};

const voidInvoice = (world: World, invoice: Invoice): void => {
  const intent = intentOf(world, invoice.id);
  if (intent !== undefined && intent.status !== 'succeeded') {
    intent.status = 'canceled';
    intent.next_action = null;
    emit(world, 'payment_intent.canceled', intent);
  }
  const payment = paymentOf(world, invoice.id);
  if (payment?.status === 'open') payment.status = 'canceled';
  invoice.status = 'void';
  emit(world, 'invoice.voided', invoice);
};

const openInvoice = (world: World, subscription: Subscription): Invoice | undefined => {
  const latest = find(world, 'invoice', subscription.latest_invoice ?? '');
  return latest?.status === 'open' ? latest : undefined;
};

/** What 23 hours without payment do, and what cancelling an unpaid subscription does. */
export const expireIncomplete = (world: World, subscription: Subscription): void => {
  if (subscription.status !== 'incomplete') {
    throw invalid(
      `The subscription ${subscription.id} is ${subscription.status}; only an incomplete one expires.`,
    );
  }
  const invoice = openInvoice(world, subscription);
  if (invoice !== undefined) voidInvoice(world, invoice);
  subscription.canceled_at = world.now();
  subscription.ended_at = world.now();
  setStatus(world, subscription, 'incomplete_expired');
};

export const endSubscription = (
  world: World,
  subscription: Subscription,
  reason = 'cancellation_requested',
): void => {
  // What has not been billed by now never will be.
  for (const { id } of rowsOf(world, 'invoiceitem', (row) => row.subscription === subscription.id))
    world.tables.invoiceitem.delete(id);
  subscription.status = 'canceled';
  subscription.canceled_at ??= world.now();
  subscription.ended_at = world.now();
  subscription.cancellation_details.reason = reason;
  emit(world, 'customer.subscription.deleted', subscription);
};
