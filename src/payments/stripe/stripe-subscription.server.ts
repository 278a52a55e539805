/** Creates an order's subscription at Stripe exactly once, whatever is retried or lost. */
import type Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import type { NotTaken, ProviderPayment } from '../../billing/gateway.server.ts';
import { saveCustomer } from '../../billing/order-store.server.ts';
import { parseLines } from '../../catalogue/pricing.ts';
import type { Company } from '../../company/company.ts';
import { noonOf } from '../../company/days.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { HOUR_MS } from '../../platform/time.ts';
import {
  CURRENCY,
  hasCode,
  idOf,
  ifMissing,
  isUnknownPlace,
  makeOnce,
} from './stripe-client.server.ts';
import { isSent, monthlyTax, previewNextInvoice, withAllLines } from './stripe-invoices.server.ts';
import { ensureProducts, onceItem, pricedItem } from './stripe-items.server.ts';

/** What is due at once is paid with the one, a card for later saved with the other. */
const SECRETS = ['latest_invoice.confirmation_secret', 'pending_setup_intent'];

/** Throws Stripe's errors: see `notTakenOrThrow`. 'incomplete' until the buyer has paid. */
export async function subscribe(
  { db, stripe, tax, company }: { db: Db; stripe: Stripe; tax: boolean; company: Company },
  order: Order,
): Promise<ProviderPayment> {
  // An earlier call may have created it and lost the response.
  const earlier = await findStarted(stripe, order);
  if (earlier) return earlier;
  const lines = parseLines(order.subscription.priceLines);
  const once = parseLines(order.boughtOnce);
  const [customer] = await Promise.all([
    order.subscription.customerId ?? makeCustomer(stripe, db, order),
    ensureProducts(stripe, order, lines, once),
  ]);
  const { daysUntilDue } = order.subscription;
  const parameters: Stripe.SubscriptionCreateParams = {
    customer,
    items: lines.map((line) => pricedItem(order, line)),
    ...(once.length > 0 && { add_invoice_items: once.map(onceItem) }),
    ...(order.startsOn && { trial_end: firstMonthAt(company, order.startsOn) }),
    ...(daysUntilDue === null ? BY_CARD : byInvoice(daysUntilDue, order)),
    metadata: { orderId: order.id, ...(order.company && { company: order.company }) },
    ...(tax && { automatic_tax: { enabled: true } }),
    expand: SECRETS,
  };
  const made = await makeOnce(order, 'subscription', async (options, attempt) => {
    const existing = attempt > 1 && (await findSubscription(stripe, order, customer));
    return (
      existing ||
      madeSubscription(stripe, order, await stripe.subscriptions.create(parameters, options))
    );
  });
  return issue(stripe, order, made);
}

/** In Unix seconds. Stripe may be reached only after that: then in an hour. */
function firstMonthAt(company: Company, startsOn: string): number {
  const nextHour = Math.ceil(Date.now() / HOUR_MS + 1) * HOUR_MS;
  return Math.max(noonOf(company, startsOn), nextHour) / 1000;
}

const BY_CARD = {
  payment_behavior: 'default_incomplete',
  payment_settings: { save_default_payment_method: 'on_subscription' },
} as const;

/** ACH debit, or ACH credit and wire to an account number that the invoice names. */
function byInvoice(days_until_due: number, { poNumber }: Order) {
  return {
    collection_method: 'send_invoice',
    days_until_due,
    payment_settings: {
      payment_method_types: ['us_bank_account', 'customer_balance'],
      payment_method_options: {
        customer_balance: {
          funding_type: 'bank_transfer',
          bank_transfer: { type: 'us_bank_transfer' },
        },
      },
    },
    ...(poNumber && { invoice_settings: poNumberFields(poNumber) }),
  } satisfies Partial<Stripe.SubscriptionCreateParams>;
}

const PURCHASE_ORDER = 'Purchase order';

function poNumberFields(value: string) {
  return { custom_fields: [{ name: PURCHASE_ORDER, value }] };
}

/** Of the invoices to come, and of the month's while it is a draft. Null for none. */
export async function setPoNumber(
  stripe: Stripe,
  subscription: string,
  poNumber: string | null,
): Promise<void> {
  const fields = poNumber ? poNumberFields(poNumber) : ({ custom_fields: '' } as const);
  const running = await stripe.subscriptions.update(subscription, { invoice_settings: fields });
  const newest = running.latest_invoice && idOf(running.latest_invoice);
  // The month's invoice is a draft for an hour.
  if (newest && (await stripe.invoices.retrieve(newest)).status === 'draft')
    await stripe.invoices.update(newest, fields);
}

/** Stripe would leave a first invoice as a draft for an hour; this one is sent at once. */
async function issue(
  stripe: Stripe,
  order: Order,
  { subscription, invoice, payment }: MadeSubscription,
): Promise<ProviderPayment> {
  if (!isSent(invoice)) return payment;
  const { id } = invoice;
  const { status, custom_fields: fields } = await stripe.invoices.retrieve(id);
  const poNumber = fields?.find(({ name }) => name === PURCHASE_ORDER)?.value ?? null;
  // Staff have changed it since an earlier start made the subscription.
  if (poNumber !== order.poNumber) await setPoNumber(stripe, subscription, order.poNumber);
  if (status === 'draft')
    await makeOnce(order, 'finalize', (options) =>
      stripe.invoices.finalizeInvoice(id, {}, options),
    );
  if (invoice.amount_due > 0 && (status === 'draft' || status === 'open'))
    await makeOnce(order, 'send', (options) => stripe.invoices.sendInvoice(id, {}, options));
  return { ...payment, paymentId: null, clientSecret: null };
}

/** Whether Stripe can compute tax for the ZIP code; creates nothing. Throws other errors. */
export async function checkPostalCode(
  stripe: Stripe,
  postalCode: string,
): Promise<'known' | NotTaken> {
  const previewed = await stripe.invoices
    .createPreview({
      automatic_tax: { enabled: true },
      customer_details: { address: usAddress(postalCode) },
      currency: CURRENCY,
      invoice_items: [{ amount: 100, currency: CURRENCY, tax_behavior: 'exclusive' }],
    })
    .catch(notTakenOrThrow);
  if (typeof previewed === 'string') return previewed;
  const { status } = previewed.automatic_tax;
  return status === 'requires_location_inputs' ? 'unknown-postal-code' : 'known';
}

/** What the buyer can correct. */
export function notTakenOrThrow(error: unknown): NotTaken {
  if (isUnknownPlace(error)) return 'unknown-postal-code';
  if (hasCode(error, 'email_invalid')) return 'invalid-email';
  throw error;
}

function usAddress(postalCode: string) {
  return { country: 'US', postal_code: postalCode };
}

/** Stripe rejects longer phone numbers. */
const MAX_PHONE = 20;

/**
 * A customer for this order alone: an unpaid order with another's address changes nothing of
 * theirs.
 */
async function makeCustomer(stripe: Stripe, db: Db, order: Order): Promise<string> {
  const { name, email, phone, postalCode } = order;
  const parameters = {
    name,
    email,
    ...(phone && phone.length <= MAX_PHONE && { phone }),
    ...(postalCode && { address: usAddress(postalCode) }),
  };
  const { id } = await makeOnce(order, 'customer', (options) =>
    // One that a failed attempt made has no subscription and is never charged.
    stripe.customers.create(parameters, options),
  );
  await saveCustomer(db, order.id, id);
  return id;
}

/** Whom Stripe's own invoices and mails name; nobody, once staff have deleted that customer. */
export async function setCustomer(stripe: Stripe, order: Order): Promise<'done'> {
  const { name, email, phone, subscription } = order;
  const known = { name, email, phone: phone && phone.length <= MAX_PHONE ? phone : '' };
  if (subscription.customerId !== null)
    await stripe.customers.update(subscription.customerId, known).catch(ifMissing(null));
  return 'done';
}

interface MadeSubscription {
  subscription: string;
  /** The first, as it was made. */
  invoice: Stripe.Invoice;
  payment: ProviderPayment;
}

/** Finds what an earlier start made, if anything. Throws Stripe's errors. */
export async function findStarted(
  stripe: Stripe,
  order: Order,
): Promise<ProviderPayment | undefined> {
  const made = await findSubscription(stripe, order, order.subscription.customerId);
  return made && issue(stripe, order, made);
}

async function findSubscription(
  stripe: Stripe,
  order: Order,
  customer: string | null,
): Promise<MadeSubscription | undefined> {
  if (!customer) return undefined;
  const expand = SECRETS.map((secret) => `data.${secret}`);
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 1, expand });
  return data[0] && madeSubscription(stripe, order, data[0]);
}

async function madeSubscription(
  stripe: Stripe,
  order: Order,
  { id, customer, latest_invoice: invoice, pending_setup_intent: setup }: Stripe.Subscription,
): Promise<MadeSubscription> {
  if (!invoice || typeof invoice === 'string' || !invoice.id)
    throw new Error(`the subscription ${id} came without its invoice`);
  const saving = typeof setup === 'object' ? setup?.client_secret : null;
  const clientSecret = invoice.confirmation_secret?.client_secret ?? saving ?? null;
  const payment = {
    // 'pi_123_secret_abc' → 'pi_123', or 'seti_123'.
    paymentId: clientSecret && (clientSecret.split('_secret_')[0] ?? null),
    clientSecret,
    customerId: idOf(customer),
    subscriptionId: id,
    due: await dueOf(stripe, order, id, invoice),
  };
  return { subscription: id, invoice, payment };
}

/** What the month will be billed is Stripe's own sum, also where it is billed on a later day. */
async function dueOf(
  stripe: Stripe,
  { startsOn, boughtOnce, subscription: { amountCents } }: Order,
  id: string,
  invoice: Stripe.Invoice,
): Promise<ProviderPayment['due']> {
  const first = cents(invoice.amount_due);
  if (startsOn !== null) {
    const next = await previewNextInvoice(stripe, id);
    return { month: next ? cents(next.total) : amountCents, once: first };
  }
  if (parseLines(boughtOnce).length === 0) return { month: first, once: cents(0) };
  const tax = monthlyTax(await withAllLines(stripe, invoice)) ?? 0;
  const month = cents(amountCents + tax);
  return { month, once: cents(first - month) };
}
