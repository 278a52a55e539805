/** The life of an invoice (billed, paid, failed, voided) and its effect on the subscription. */
import { type Invoice, makeInvoice, type Subscription, shownInvoice } from './billing-objects.ts';
import { invalid } from './errors.ts';
import { type Customer, isLocated, makePaymentIntent, type PaymentIntent } from './objects.ts';
import { filter, retrieve, save, type World } from './world.ts';

type Bill = Omit<Parameters<typeof makeInvoice>[1], 'customer' | 'subscription'>;

/**
 * Makes an open invoice, with an intent if anything is due; a credit stays on the balance. Tax for
 * a place that is not known is switched off, at Stripe when the invoice is finalized.
 */
export const bill = (world: World, subscription: Subscription, content: Bill): Invoice => {
  const customer = retrieve(world.customer, subscription.customer);
  if (subscription.automatic_tax.enabled && !isLocated(customer)) {
    subscription.automatic_tax = { enabled: false, disabled_reason: 'requires_location_inputs' };
    world.emit('customer.subscription.updated', subscription);
  }
  const invoice = save(world.invoice, makeInvoice(world, { customer, subscription, ...content }));
  const { amount_due: due, total } = invoice;
  subscription.latest_invoice = invoice.id;
  customer.balance += total - due;
  if (subscription.collection_method === 'send_invoice') {
    Object.assign(invoice, { status: 'draft', number: null });
    return invoice;
  }
  invoice.hosted_invoice_url = `https://invoice.stripe.com/i/${invoice.id}`;
  if (due > 0) {
    const intent = save(world.payment_intent, makePaymentIntent(customer.id, due));
    const { id, client_secret } = intent;
    invoice.confirmation_secret = { client_secret, type: 'payment_intent' };
    invoice.payments.data.push({
      is_default: true,
      payment: { payment_intent: id },
      status: 'open',
    });
  }
  return invoice;
};

const setStatus = (
  world: World,
  subscription: Subscription,
  status: Subscription['status'],
): void => {
  if (subscription.status === status) return;
  subscription.status = status;
  world.emit('customer.subscription.updated', subscription);
};

/** Of the payment that pays it, or what is left of it. */
const intentIdOf = ({ payments }: Invoice): string | undefined =>
  payments.data.find(({ is_default: isDefault }) => isDefault)?.payment.payment_intent;

export const intentOf = (world: World, invoice: Invoice): PaymentIntent | undefined =>
  world.payment_intent.get(intentIdOf(invoice) ?? '');

/** Every payment intent here belongs to an invoice. */
export const invoiceOf = (world: World, { id }: PaymentIntent): Invoice => {
  const [invoice] = filter(world.invoice, (row) => intentIdOf(row) === id);
  return invoice ?? retrieve(world.invoice, '');
};

export const subscriptionOf = (world: World, { parent }: Invoice): Subscription =>
  retrieve(world.subscription, parent.subscription_details.subscription);

const isInTrial = (world: World, { trial_end: end }: Subscription): boolean =>
  end !== null && end > world.now();

/** `paymentMethod` is null when nothing was due. */
export const settleInvoice = (
  world: World,
  invoice: Invoice,
  paymentMethod: string | null,
): void => {
  invoice.status = 'paid';
  invoice.status_transitions = { paid_at: world.now() };
  invoice.amount_paid = invoice.amount_due;
  invoice.attempted = true;
  invoice.next_payment_attempt = null;
  for (const payment of invoice.payments.data) payment.status = 'paid';
  const subscription = subscriptionOf(world, invoice);
  subscription.default_payment_method = paymentMethod ?? subscription.default_payment_method;
  const latest = world.invoice.get(subscription.latest_invoice ?? '');
  if (
    ['incomplete', 'past_due', 'unpaid'].includes(subscription.status) &&
    latest?.status !== 'draft'
  )
    setStatus(world, subscription, isInTrial(world, subscription) ? 'trialing' : 'active');
  world.emit('invoice.paid', shownInvoice(invoice));
};

/** Three days, in seconds. */
const RETRY_AFTER = 259_200;

/** A payment of this invoice failed, or waits for the customer to authenticate. */
export const invoiceUnpaid = (world: World, invoice: Invoice, waiting: boolean): void => {
  const subscription = subscriptionOf(world, invoice);
  const renewal = invoice.billing_reason !== 'subscription_create';
  const isCharged = subscription.collection_method === 'charge_automatically';
  if (!waiting || renewal) {
    invoice.attempted = true;
    if (isCharged && renewal && !waiting) invoice.next_payment_attempt = world.now() + RETRY_AFTER;
    world.emit('invoice.payment_failed', shownInvoice(invoice));
  }
  if (waiting) world.emit('invoice.payment_action_required', shownInvoice(invoice));
  if (renewal && isCharged && subscription.status === 'active')
    setStatus(world, subscription, 'past_due');
};

/** What is charged: the subscription's own, or else the customer's. */
export const methodCharged = (world: World, subscription: Subscription): string | null =>
  subscription.default_payment_method ??
  retrieve(world.customer, subscription.customer).invoice_settings.default_payment_method;

export const editCustomer = (
  world: World,
  id: string,
  edit: (customer: Customer) => void,
): Customer => {
  const customer = retrieve(world.customer, id);
  edit(customer);
  world.emit('customer.updated', customer);
  return customer;
};

/** Staff write off an unpaid renewal in the dashboard: an overdue subscription is active again. */
export const waiveInvoice = (
  world: World,
  invoice: Invoice,
  how: 'void' | 'uncollectible',
): void => {
  if (how === 'void') voidInvoice(world, invoice);
  else invoice.status = 'uncollectible';
  const event = how === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible';
  world.emit(event, shownInvoice(invoice));
  const subscription = subscriptionOf(world, invoice);
  const overdue = subscription.status === 'past_due' || subscription.status === 'unpaid';
  if (overdue && subscription.latest_invoice === invoice.id)
    setStatus(world, subscription, 'active');
};

/** An invoice that is void can no longer be paid. */
export const voidInvoice = (world: World, invoice: Invoice): void => {
  if (invoice.status !== 'open')
    throw invalid('You can only pass in open invoices. This invoice isn’t open.');
  const intent = intentOf(world, invoice);
  if (intent?.status === 'processing')
    throw invalid('You cannot void an invoice while a payment of it is processing.');
  if (intent) intent.status = 'canceled';
  invoice.status = 'void';
};

/** What happens after 23 hours without payment, or when an unpaid subscription is canceled. */
export const expireIncomplete = (world: World, subscription: Subscription): void => {
  const invoice = world.invoice.get(subscription.latest_invoice ?? '');
  if (invoice?.status === 'open') voidInvoice(world, invoice);
  subscription.ended_at = world.now();
  setStatus(world, subscription, 'incomplete_expired');
};

/** Stripe drops prorations that have not been invoiced by now; what staff added waits for ever. */
export const endSubscription = (world: World, subscription: Subscription): void => {
  dropPending(world, subscription, true);
  subscription.status = 'canceled';
  subscription.ended_at = world.now();
  world.emit('customer.subscription.deleted', subscription);
};

export const dropPending = (world: World, { id }: Subscription, isProration = false): void => {
  for (const pending of filter(world.invoiceitem, ({ subscription }) => subscription === id))
    if (pending.proration || !isProration) world.invoiceitem.delete(pending.id);
};
