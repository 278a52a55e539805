/** Fetches the state of an order's payment and subscription from Stripe. */
import type Stripe from 'stripe';
import { isToStart, type Order } from '../../billing/billed-order.server.ts';
import type { ReportedCharge } from '../../billing/charge-store.server.ts';
import type { PaymentState } from '../../billing/gateway.server.ts';
import type { PaymentAttempt } from '../../billing/invoice.ts';
import type { EventOf } from '../../billing/order-event.server.ts';
import { awaitsPayment, isRunning } from '../../billing/order-status.ts';
import { type Dispute, SUBSCRIPTION_STATUSES } from '../../billing/subscription.ts';
import type { Company } from '../../company/company.ts';
import { localDate } from '../../company/days.ts';
import { cents, totalOf } from '../../platform/money.ts';
import { replacementOf, WITH_CUSTOMER } from './stripe-card.server.ts';
import { CURRENCY, hasCode, idOf } from './stripe-client.server.ts';
import { hasEnded, leftAtEnd } from './stripe-end.server.ts';
import {
  ALL,
  alertsOf,
  amountAsked,
  amountPaid,
  billedLines,
  billsMonth,
  brandName,
  discountLine,
  firstPaid,
  goneWithBill,
  isFirst,
  isItemOf,
  isPaid,
  isSent,
  lastBillRefused,
  lastBillToCome,
  listInvoices,
  listWaiting,
  monthlyDiscount,
  monthlyTax,
  paymentsOf,
  previewNextInvoice,
  type Tried,
  toInvoice,
  unknownLines,
} from './stripe-invoices.server.ts';
import {
  billedEvery,
  foreignProducts,
  productsOf,
  soldAs,
  subscriptionLines,
} from './stripe-items.server.ts';

/** Metadata key of a subscription: who asked for its last change. */
export const CHANGE_PRESS = 'changePress';

type FoundAtStripe = Awaited<ReturnType<typeof findAtStripe>>;

/** What Stripe has of an order. Throws Stripe's errors. */
export async function findAtStripe(stripe: Stripe, order: Order) {
  const { paymentId, subscriptionId, customerId } = order.subscription;
  // Where nothing is due at once, a card is saved instead of a payment made.
  const isSetup = paymentId?.startsWith('seti_');
  const [intent, setup, subscription, invoices, items, charges] = await Promise.all([
    paymentId && !isSetup ? stripe.paymentIntents.retrieve(paymentId) : null,
    paymentId && isSetup ? stripe.setupIntents.retrieve(paymentId) : null,
    subscriptionId
      ? stripe.subscriptions.retrieve(subscriptionId, { expand: WITH_CUSTOMER })
      : null,
    subscriptionId ? listInvoices(stripe, subscriptionId) : [],
    isRunning(order.status) ? listWaiting(stripe, order) : [],
    customerId ? listCharges(stripe, customerId) : [],
  ]);
  return { intent, setup, subscription, invoices, items, charges };
}

/** Reads the state from what was found, and asks Stripe for what that leaves open. */
export async function stateOf(
  stripe: Stripe,
  order: Order,
  company: Company,
  found: FoundAtStripe,
): Promise<PaymentState> {
  const { intent, setup, subscription, invoices } = found;
  // What Stripe counts as paid is paid; another sum is for staff. The price may have changed.
  const difference = awaitsPayment(order.status) ? findDifference(order, intent, invoices) : null;
  if (difference && difference.currency !== CURRENCY) return { alerts: [difference] };
  const payments = new Set([order.subscription.paymentId, ...invoices.flatMap(paymentsOf)]);
  const [succeeded, beside] = paidFor(found.charges, payments);
  const charges = await Promise.all(succeeded.map((charge) => toCharge(stripe, charge, invoices)));
  const { alerts = [], ...month } = subscription
    ? await monthlyCharge(stripe, order, subscription)
    : {};
  const billed = withMonth(order, month);
  const returned = succeeded.filter(
    ({ payment_method_details: by }, at) => by?.us_bank_account && charges[at]?.dispute === 'lost',
  );
  const refused = found.charges.filter(({ paid }) => !paid);
  const reported = await Promise.all(
    invoices.map(async (invoice) =>
      toInvoice(billed, company, invoice, await triedOf(stripe, invoice, { returned, refused })),
    ),
  );
  return {
    ...(intent && firstPayment(intent.status, intent.last_payment_error)),
    ...(setup && firstPayment(setup.status, setup.last_setup_error)),
    charges,
    invoices: reported.flat(),
    alerts: [
      ...(difference ? [difference] : []),
      ...alerts,
      ...invoices.flatMap(renewalDifference),
      ...(await belongsToNone(stripe, subscription, beside)),
      ...invoices.flatMap(unknownLines),
      // Staff who end a plan know that no invoice of it is charged.
      ...(subscription?.status === 'canceled'
        ? [
            ...goneWithBill(invoices),
            ...lastBillRefused(invoices),
            ...(await leftAtEnd(stripe, order, subscription)),
          ]
        : invoices.flatMap(alertsOf)),
    ],
    ...(subscription?.status === 'canceled' && { lastBill: lastBillToCome(invoices) }),
    ...runningState(order, company, found),
    ...month,
  };
}

/** An invoice may be the first of another plan. */
function withMonth(order: Order, month: Pick<PaymentState, 'lines' | 'sold'>): Order {
  if (!month.lines) return order;
  const priceLines = JSON.stringify(month.lines);
  return { ...order, ...month.sold, subscription: { ...order.subscription, priceLines } };
}

/** Of all invoices: `returned` is what the bank took back, `refused` what it did not pay. */
async function triedOf(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  { returned, refused }: Record<'returned' | 'refused', readonly Stripe.Charge[]>,
): Promise<Tried> {
  const payments = paymentsOf(invoice);
  const isOwn = ({ payment_intent: of }: Stripe.Charge) => of && payments.includes(idOf(of));
  const own = returned.filter(isOwn);
  return {
    attempt: own.length > 0 ? 'failed' : await attemptOf(stripe, invoice),
    returned: totalOf(own),
    refused: refused.find(isOwn)?.payment_method_details ?? null,
  };
}

type Payments = ReadonlySet<string | null>;

/** The charges that succeeded: for these payments, and beside them. */
function paidFor(charges: readonly Stripe.Charge[], payments: Payments) {
  const all = charges.filter(({ paid }) => paid);
  const isOurs = ({ payment_intent: intent }: Stripe.Charge) =>
    intent !== null && payments.has(idOf(intent));
  return [all.filter(isOurs), all.filter((charge) => !isOurs(charge))] as const;
}

/** What staff charge by hand. A month may have been billed since its invoices were listed. */
async function belongsToNone(
  stripe: Stripe,
  subscription: Stripe.Subscription | null,
  beside: readonly Stripe.Charge[],
): Promise<EventOf<'charged-beside'>[]> {
  if (beside.length === 0 || !subscription) return [];
  const payments = new Set((await listInvoices(stripe, subscription.id)).flatMap(paymentsOf));
  const [, none] = paidFor(beside, payments);
  return none.map(({ id, amount, currency }) => ({
    kind: 'charged-beside',
    charge: id,
    amount: cents(amount),
    ...(currency !== CURRENCY && { currency }),
  }));
}

async function attemptOf(stripe: Stripe, invoice: Stripe.Invoice): Promise<PaymentAttempt | null> {
  // A part that staff have attached is another payment.
  const own = invoice.payments?.data.find(({ is_default: isDefault }) => isDefault);
  const intent = own?.payment.payment_intent;
  const mayBeTried = isSent(invoice) || (invoice.attempted && !isFirst(invoice));
  if (invoice.status !== 'open' || !intent || !mayBeTried) return null;
  const { status, last_payment_error: error } = await stripe.paymentIntents.retrieve(idOf(intent));
  if (status === 'processing') return 'processing';
  if (status === 'requires_action') return 'requires_action';
  // Who pays a sent invoice reads there that a card was declined: no debit has come back.
  const isDebit = !isSent(invoice) || error?.payment_method?.type !== 'card';
  return error && isDebit ? 'failed' : null;
}

/** With fees, unless the key may not read balance transactions; none once staff deleted him. */
async function listCharges(stripe: Stripe, customer: string): Promise<Stripe.Charge[]> {
  const charges = { customer, limit: 100 };
  try {
    const expand = ['data.balance_transaction'];
    return await stripe.charges.list({ ...charges, expand }).autoPagingToArray(ALL);
  } catch (error) {
    if (hasCode(error, 'resource_missing')) return [];
    const { statusCode } = Object(error);
    if (statusCode !== 400 && statusCode !== 403) throw error;
    return stripe.charges.list(charges).autoPagingToArray(ALL);
  }
}

/** What the subscription charges each month, and its sales tax, of which each bill has its own. */
async function monthlyCharge(
  stripe: Stripe,
  order: Order,
  subscription: Stripe.Subscription,
): Promise<Pick<PaymentState, 'lines' | 'monthlyTax' | 'sold' | 'alerts'>> {
  const ids = foreignProducts(subscription, order);
  const products = ids.length > 0 ? (await stripe.products.list({ ids })).data : [];
  const nameOf = (product: string) => products.find(({ id }) => id === product)?.name ?? product;
  const lines = subscriptionLines(subscription, order, nameOf);
  const sold = soldAs(productsOf(subscription), order);
  const plan = lines?.map(({ item: _item, product: _product, ...line }) => line);
  const { customer, items } = subscription;
  const isDiscounted =
    [subscription, ...items.data].some(({ discounts }) => discounts?.length) ||
    (typeof customer === 'object' && !customer.deleted && Boolean(customer.discount));
  // Staff may set a rate by hand, and Stripe switches its own off where it knows no place.
  const rates = [subscription.default_tax_rates, ...items.data.map(({ tax_rates }) => tax_rates)];
  const isTaxed = subscription.automatic_tax.enabled || rates.some((all) => all?.length);
  if (plan && !isDiscounted && !(isTaxed && isRunning(order.status)))
    return {
      ...{ lines: plan, sold, alerts: notTaxed(order, subscription) },
      ...(!isTaxed && { monthlyTax: cents(0) }),
    };
  const next = await previewNextInvoice(stripe, subscription.id);
  const alerts = notTaxed(order, subscription, next);
  if (!next || !billsMonth(next) || (!plan && next.lines.has_more))
    return plan && !isDiscounted ? { lines: plan, sold, alerts } : { alerts };
  const month = plan ?? billedLines(order, next, nameOf);
  const discount = discountLine(monthlyDiscount(next));
  return { lines: [...month, ...discount], sold, monthlyTax: monthlyTax(next), alerts };
}

/**
 * Stripe switches its tax off at the first bill for a place that it does not know. Told of a month
 * that was taxed until now.
 */
function notTaxed(
  { subscription: { totalCents, amountCents } }: Order,
  { automatic_tax: { enabled, disabled_reason: why } }: Stripe.Subscription,
  next?: Stripe.Invoice,
): EventOf<'not-taxed'>[] {
  if (totalCents === amountCents) return [];
  const tax = next?.automatic_tax;
  const isUnknown = tax && (!tax.enabled || tax.status === 'requires_location_inputs');
  return (enabled ? isUnknown : why) ? [{ kind: 'not-taxed' }] : [];
}

/** Where another sum was received than the order's price: bank fees, too much, or a credit. */
function findDifference(
  order: Order,
  intent: Stripe.PaymentIntent | null,
  invoices: readonly Stripe.Invoice[],
): EventOf<'payment-differs'> | null {
  const { dueCents, totalCents, amountCents } = order.subscription;
  const due = dueCents ?? totalCents ?? amountCents;
  const compare = (what: string, amount: number, { currency }: { currency: string }) =>
    amount === due && currency === CURRENCY
      ? null
      : ({ kind: 'payment-differs', what, amount, currency, due } as const);
  const first = firstPaid(invoices);
  return (
    (intent?.status === 'succeeded'
      ? compare(`payment ${intent.id}`, intent.amount_received, intent)
      : null) ?? (first ? compare(`first invoice ${first.id}`, amountPaid(first), first) : null)
  );
}

/** A later invoice that Stripe counts as paid by another sum than it asked for. */
function renewalDifference(invoice: Stripe.Invoice): EventOf<'payment-differs'>[] {
  const { number, id, currency } = invoice;
  const [amount, due] = [amountPaid(invoice), amountAsked(invoice)];
  if (isFirst(invoice) || !isPaid(invoice) || (amount === due && currency === CURRENCY)) return [];
  return [{ kind: 'payment-differs', what: `invoice ${number ?? id}`, amount, currency, due }];
}

/** What has become of the first payment by card. A charge says that it succeeded. */
function firstPayment(status: Stripe.PaymentIntent['status'], error: unknown): PaymentState {
  if (status === 'canceled') return { abandoned: true };
  if (status === 'succeeded') return { attempt: null };
  if (status === 'requires_action') return { attempt: 'requires_action' };
  if (status !== 'requires_payment_method') return { attempt: 'processing' };
  return { attempt: error ? 'failed' : null };
}

async function toCharge(
  stripe: Stripe,
  charge: Stripe.Charge,
  invoices: readonly Stripe.Invoice[],
): Promise<ReportedCharge> {
  const { id, amount, amount_refunded, disputed, payment_intent: intent } = charge;
  const { balance_transaction: balance, payment_method_details: method } = charge;
  const invoice = invoices.find((one) => intent && paymentsOf(one).includes(idOf(intent)));
  const { data: disputes } = disputed
    ? await stripe.disputes.list({ charge: id, limit: 100 })
    : { data: [] };
  // The bank takes a debit back, and the invoice is owed again.
  const lost = disputes.filter(({ status }) => status === 'lost' && !method?.us_bank_account);
  const lostCents = totalOf(lost);
  return {
    id,
    invoiceId: invoice?.id ?? null,
    amountCents: cents(amount),
    refundedCents: cents(Math.min(amount, amount_refunded + lostCents)),
    lostCents,
    disputedCents: totalOf(disputes),
    ...(typeof balance === 'object' && balance && { feeCents: cents(balance.fee) }),
    ...(method?.card && { cardBrand: brandName(method.card.brand), cardLast4: method.card.last4 }),
    ...(disputes.length > 0 && { dispute: mostPressingDispute(disputes) }),
  };
}

/** Dispute statuses that leave us the money; closed inquiries and prevented ones count as won. */
const WON = ['won', 'warning_closed', 'prevented'];

function mostPressingDispute(disputes: readonly Stripe.Dispute[]): Dispute {
  const open = disputes.some(({ status }) => status !== 'lost' && !WON.includes(status));
  if (open) return 'open';
  return disputes.some(({ status }) => status === 'lost') ? 'lost' : 'won';
}

function runningState(order: Order, company: Company, found: FoundAtStripe): PaymentState {
  const { setup, subscription, invoices, items } = found;
  if (!subscription) return {};
  const { id, status, cancel_at, ended_at, days_until_due, metadata, trial_end } = subscription;
  const isToCome = isToStart(order);
  const isAccepted = setup ? setup.status === 'succeeded' : firstPaid(invoices) !== undefined;
  const changes = items.filter((item) => item.proration && isItemOf(item, id));
  const facts = {
    ...replacementOf(subscription),
    ...customerFacts(subscription),
    waiting: changes.map((item) => ({ id: item.id, amount: cents(item.amount) })),
    changePress: Number(metadata[CHANGE_PRESS]) || undefined,
    ...(ended_at && { endedAt: ended_at * 1000 }),
    ...(isToCome && trial_end && { startsOn: localDate(company, trial_end * 1000) }),
  };
  // One that expired unpaid can no longer be paid, so its payment counts as canceled.
  if (status === 'incomplete_expired') return { ...facts, status: 'canceled', cancelAt: null };
  // Its trial begins, and may end, before anything is paid or saved.
  const isOpen =
    order.subscription.status === 'incomplete' &&
    isToCome &&
    !isAccepted &&
    !isSent(subscription) &&
    !hasEnded(subscription);
  // Staff give months for free as a trial, which is no start to come of a plan that has begun.
  const isFree = status === 'trialing' && order.startsOn !== null && !isToCome;
  const known = isOpen
    ? 'incomplete'
    : (!isFree && SUBSCRIPTION_STATUSES.find((name) => name === status)) || 'active';
  const runs = known !== 'incomplete' && known !== 'canceled';
  return {
    ...facts,
    status: runs && isPaused(subscription) ? 'paused' : known,
    cancelAt: cancel_at ? cancel_at * 1000 : null,
    billedEvery: billedEvery(subscription),
    collection: isSent(subscription) ? 'invoice' : 'card',
    daysUntilDue: days_until_due,
  };
}

/** What is owed, and who is billed, as corrected there by staff or on Stripe's own pages. */
function customerFacts({
  customer,
}: Stripe.Subscription): Pick<PaymentState, 'customer' | 'creditCents'> {
  if (typeof customer === 'string' || customer.deleted) return {};
  const { name = null, email, phone = null, address } = customer;
  const { line1, line2, city, state, postal_code: postalCode } = address ?? {};
  const place = [city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const lines = [line1, line2, place].filter(Boolean);
  return {
    creditCents: cents(Math.max(0, -customer.balance)),
    customer: {
      name,
      email,
      phone,
      postalCode: postalCode ?? null,
      // A ZIP code alone is there for the tax.
      address: line1 ? lines.join('\n') : null,
    },
  };
}

/** Staff can pause a subscription, or only its collection, in Stripe's dashboard. */
export function isPaused({ status, pause_collection }: Stripe.Subscription): boolean {
  return status === 'paused' || Boolean(pause_collection);
}
