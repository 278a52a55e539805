/** Fetches the state of an order's payment, subscription and invoices from Stripe. */
import type Stripe from 'stripe';
import { lineOf, type PriceLine } from '../../catalogue/pricing.ts';
import type { Charge, Invoice, PaymentState } from '../../orders/gateway.server.ts';
import {
  awaitsPayment,
  type Dispute,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../../orders/order.ts';
import type { Order } from '../../orders/order-store.server.ts';
import { cents, formatDollars, totalOf } from '../../platform/money.ts';
import { CURRENCY, hasCode, idOf } from './stripe-client.server.ts';
import { foreignProducts, subscriptionLines, toPriceLine } from './stripe-subscription.server.ts';

export const NOTHING_TRIED: PaymentState = { status: 'requires_payment_method', refused: false };

/** Throws Stripe's errors. */
export async function fetchState(stripe: Stripe, order: Order): Promise<PaymentState> {
  const { paymentId, subscriptionId, customerId } = order;
  const [intent, subscription, invoices, charges] = await Promise.all([
    paymentId ? stripe.paymentIntents.retrieve(paymentId) : null,
    subscriptionId ? stripe.subscriptions.retrieve(subscriptionId) : null,
    subscriptionId ? listInvoices(stripe, subscriptionId) : [],
    customerId ? stripe.charges.list({ customer: customerId, limit: 100 }) : null,
  ]);
  // Trust nothing when the payment does not match the order. Once paid, the order's price may have changed since.
  const mismatch = awaitsPayment(order.status) && findMismatch(order, intent, invoices);
  if (mismatch) return { ...NOTHING_TRIED, alerts: [mismatch] };
  const payments = new Set([paymentId, ...invoices.flatMap(paymentsOf)]);
  const paid = (charges?.data ?? []).filter(
    (charge) => charge.paid && charge.payment_intent && payments.has(idOf(charge.payment_intent)),
  );
  return {
    ...(intent ? paymentState(intent) : NOTHING_TRIED),
    charges: await Promise.all(paid.map((charge) => toCharge(stripe, charge))),
    invoices: invoices.flatMap((invoice) => toInvoice(order, invoice, paid)),
    alerts: invoices.flatMap(alertsOf),
    ...(subscription && {
      ...subscriptionState(subscription),
      plan: await monthlyLines(stripe, order, subscription),
    }),
  };
}

/** What the subscription charges each month; undefined when that is unknown. */
async function monthlyLines(
  stripe: Stripe,
  order: Order,
  subscription: Stripe.Subscription,
): Promise<readonly PriceLine[] | undefined> {
  const ids = foreignProducts(subscription, order);
  const products = ids.length > 0 ? (await stripe.products.list({ ids })).data : [];
  const nameOf = (product: string) => products.find(({ id }) => id === product)?.name ?? product;
  const lines = subscriptionLines(subscription, order, nameOf);
  if (!lines) return undefined;
  const plan = lines.map(({ item: _, ...line }) => line);
  const discounted = [subscription, ...subscription.items.data];
  if (!discounted.some(({ discounts }) => discounts?.length)) return plan;
  const next = await previewNextInvoice(stripe, subscription.id);
  return next && [...plan, ...discountLine(next)];
}

/** Undefined when the subscription ends before another invoice. */
export async function previewNextInvoice(
  stripe: Stripe,
  subscription: string,
): Promise<Stripe.Invoice | undefined> {
  try {
    return await stripe.invoices.createPreview({ subscription });
  } catch (error) {
    if (!hasCode(error, 'invoice_upcoming_none')) throw error;
    return undefined;
  }
}

function discountLine({ total_discount_amounts: amounts }: Stripe.Invoice): PriceLine[] {
  const off = totalOf(amounts ?? []);
  return off > 0 ? [lineOf('discount', 'Discount', cents(-off))] : [];
}

/** What was paid from the customer's balance at Stripe. */
function creditLine({ starting_balance, ending_balance }: Stripe.Invoice): PriceLine[] {
  const used = (ending_balance ?? starting_balance) - starting_balance;
  return used > 0 ? [lineOf('credit', 'Credit', cents(-used))] : [];
}

/** Months that will not be charged unless staff act. */
function alertsOf(invoice: Stripe.Invoice): string[] {
  const { status, number, id, amount_due, auto_advance, last_finalization_error } = invoice;
  if (isFirst(invoice)) return [];
  const name = `Invoice ${number ?? id} of ${formatDollars(cents(amount_due))}`;
  if (status === 'void') return [`${name} was voided at Stripe and will not be paid`];
  if (status === 'uncollectible') return [`${name} was written off at Stripe`];
  if (status !== 'draft') return [];
  if (last_finalization_error)
    return [`${name} could not be finalized at Stripe: ${last_finalization_error.message}`];
  return auto_advance === false
    ? [`${name} is a draft that Stripe will not charge. Collect or void it there.`]
    : [];
}

/** Newest first, with all lines: an invoice carries only its first ten, and prorations come before the month's own lines. */
async function listInvoices(stripe: Stripe, subscription: string): Promise<Stripe.Invoice[]> {
  const expand = ['data.payments'];
  const { data } = await stripe.invoices.list({ subscription, limit: 100, expand });
  return Promise.all(
    data.map(async (invoice) =>
      invoice.id && invoice.lines.has_more
        ? { ...invoice, lines: await stripe.invoices.listLineItems(invoice.id, { limit: 100 }) }
        : invoice,
    ),
  );
}

/** The ids of the invoice's payment intents. */
export function paymentsOf({ payments }: Stripe.Invoice): string[] {
  return (payments?.data ?? []).flatMap(({ payment: { payment_intent: intent } }) =>
    intent ? [idOf(intent)] : [],
  );
}

/** Compares the order's price with the payment's amount and, once paid, with the money actually received. */
function findMismatch(
  order: Order,
  intent: Stripe.PaymentIntent | null,
  invoices: readonly Stripe.Invoice[],
): string | undefined {
  const due = order.dueCents ?? order.amountCents;
  const mismatch = (what: string, amount: number, { currency }: { currency: string }) =>
    amount === due && currency === CURRENCY
      ? undefined
      : `Stripe's ${what} is for ${amount} ${currency}, the order for ${due} ${CURRENCY}`;
  const counted = intent?.status === 'succeeded' ? intent.amount_received : intent?.amount;
  const first = invoices.find((each) => isFirst(each) && isPaid(each));
  return (
    (intent && mismatch(`payment ${intent.id}`, counted ?? 0, intent)) ??
    (first && mismatch(`first invoice ${first.id}`, first.amount_paid, first))
  );
}

function paymentState({ status, last_payment_error }: Stripe.PaymentIntent): PaymentState {
  return { status: statusOf(status), refused: Boolean(last_payment_error) };
}

function statusOf(status: Stripe.PaymentIntent['status']): PaymentStatus {
  return PAYMENT_STATUSES.find((each) => each === status) ?? 'processing';
}

async function toCharge(
  stripe: Stripe,
  { id, amount, amount_refunded, disputed }: Stripe.Charge,
): Promise<Charge> {
  const disputes = disputed ? await stripe.disputes.list({ charge: id, limit: 1 }) : undefined;
  const newest = disputes?.data[0];
  return {
    id,
    amount: cents(amount),
    refunded: cents(amount_refunded),
    ...(newest && { dispute: disputeState(newest.status) }),
  };
}

/** Dispute statuses after which we keep the money; a closed inquiry and a prevented dispute count as won. */
const WON = ['won', 'warning_closed', 'prevented'];

function disputeState(status: Stripe.Dispute['status']): Dispute {
  if (status === 'lost') return 'lost';
  return WON.includes(status) ? 'won' : 'open';
}

/** One that expired unpaid can no longer be paid, so its payment counts as canceled. */
function subscriptionState(subscription: Stripe.Subscription): Partial<PaymentState> {
  const { status, cancel_at } = subscription;
  if (status === 'incomplete_expired') return { status: 'canceled', ended: true, endsAt: null };
  return {
    ended: status === 'canceled',
    endsAt: cancel_at ? cancel_at * 1000 : null,
    overdue: status === 'past_due' || status === 'unpaid',
    paused: isPaused(subscription) ? 1 : 0,
  };
}

/** Staff can pause a subscription, or only its collection, in Stripe's dashboard. */
export function isPaused({ status, pause_collection }: Stripe.Subscription): boolean {
  return status === 'paused' || Boolean(pause_collection);
}

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

export function brandName(brand: string | null): string {
  return (brand && BRANDS[brand]) || 'Card';
}

/** Empty for an invoice that has neither been paid nor failed yet. */
function toInvoice(
  order: Order,
  invoice: Stripe.Invoice,
  charges: readonly Stripe.Charge[],
): Invoice[] {
  const { id, created, amount_due, amount_paid, status, attempted } = invoice;
  const { number, total_taxes: taxes } = invoice;
  const paid = isPaid(invoice);
  const renewal = !isFirst(invoice);
  const failed = renewal && attempted && status === 'open';
  const waived = renewal && (status === 'void' || status === 'uncollectible');
  if (!id || !(paid || failed || waived)) return [];
  return [
    {
      id,
      createdAt: created * 1000,
      amount: cents(paid ? amount_paid : amount_due),
      paid,
      waived,
      renewal,
      ...(number && { number }),
      ...(taxes && { tax: totalOf(taxes) }),
      ...billedMonth(order, invoice),
      ...payingCard(invoice, charges),
    },
  ];
}

/** The month and its regular lines with discount and credit, without prorations of changes in the month before. */
function billedMonth(order: Order, invoice: Stripe.Invoice): Partial<Invoice> {
  const month = invoice.lines.data.filter(
    ({ parent }) => parent?.subscription_item_details?.proration === false,
  );
  const [first] = month;
  if (!first) return {};
  const lines = month.flatMap(({ amount, quantity: sold, pricing, description }) => {
    const product = String(pricing?.price_details?.product);
    const quantity = sold ?? 1;
    const unit = amount / (quantity || 1);
    return toPriceLine(order, { product, name: description ?? 'Other', unit, quantity }) ?? [];
  });
  const { start, end } = first.period;
  const isWhole = lines.length === month.length;
  return {
    periodStart: start * 1000,
    periodEnd: end * 1000,
    ...(isWhole && { lines: [...lines, ...discountLine(invoice), ...creditLine(invoice)] }),
  };
}

function payingCard(invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]) {
  const payments = paymentsOf(invoice);
  const charge = charges.find(
    ({ paid, payment_intent: of }) => paid && of && payments.includes(idOf(of)),
  );
  const card = charge?.payment_method_details?.card;
  return card && { cardBrand: brandName(card.brand), cardLast4: card.last4 };
}

function isFirst({ billing_reason }: Stripe.Invoice): boolean {
  return billing_reason === 'subscription_create';
}

function isPaid({ status }: Stripe.Invoice): boolean {
  return status === 'paid';
}
