/** What a customer sees and changes of a running subscription at Stripe. All of it throws Stripe's errors. */
import Stripe from 'stripe';
import type {
  CardOnFile,
  ChangePreview,
  RunningSubscription,
  StaffOutcome,
  SubscriptionChange,
} from '../../orders/gateway.server.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { isMissing, type Refused } from './stripe-client.server.ts';
import { itemChanges, NEXT_BILL, ownItems, pricedItems } from './stripe-prices.server.ts';
import { brandName, sumOf } from './stripe-state.server.ts';
import * as words from './stripe-words.ts';

type Order = Row<'orders'>;

/** An order's subscription, unless it has never been paid or has ended. */
export async function retrieveRunning(
  stripe: Stripe,
  order: Order,
): Promise<Stripe.Subscription | Refused> {
  const found = await retrieve(stripe, order);
  return !('refused' in found) && isOver(found) ? { refused: words.ENDED } : found;
}

/** Also one that has ended. */
async function retrieve(
  stripe: Stripe,
  { subscriptionId }: Order,
  expand: string[] = [],
): Promise<Stripe.Subscription | Refused> {
  const none = { refused: words.NOT_RUNNING };
  if (!subscriptionId) return none;
  try {
    const found = await stripe.subscriptions.retrieve(subscriptionId, { expand });
    return found.status === 'incomplete' ? none : found;
  } catch (error) {
    if (!isMissing(error, subscriptionId)) throw error;
    return none;
  }
}

function isOver({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** The paid month in milliseconds; it is over early where the subscription is. */
function billingPeriod({ items, cancel_at, ended_at }: Stripe.Subscription) {
  const starts = items.data.map(({ current_period_start }) => current_period_start);
  const ends = items.data.map(({ current_period_end }) => current_period_end);
  const end = ended_at ?? Math.min(cancel_at ?? Number.POSITIVE_INFINITY, ...ends);
  return { start: Math.min(...starts) * 1000, end: end * 1000 };
}

export async function getSubscription(
  stripe: Stripe,
  order: Order,
): Promise<RunningSubscription | Refused> {
  const subscription = await retrieve(stripe, order, [
    'default_payment_method',
    'customer.invoice_settings.default_payment_method',
  ]);
  if ('refused' in subscription) return subscription;
  const bill = isOver(subscription) ? null : await nextBill(stripe, subscription.id);
  return {
    periodEnd: billingPeriod(subscription).end,
    next: bill && { total: cents(bill.amount_due), tax: sumOf(bill.total_taxes ?? []) },
    card: cardOnFile(subscription),
  };
}

/** Null when none will come: the subscription ends before. */
async function nextBill(stripe: Stripe, subscription: string): Promise<Stripe.Invoice | null> {
  try {
    return await stripe.invoices.createPreview({ subscription });
  } catch (error) {
    const none =
      error instanceof Stripe.errors.StripeError && error.code === 'invoice_upcoming_none';
    if (!none) throw error;
    return null;
  }
}

/** Both payment methods must have been expanded. */
function cardOnFile({
  customer,
  default_payment_method: own,
}: Stripe.Subscription): CardOnFile | null {
  const settings =
    typeof customer === 'string' || customer.deleted ? null : customer.invoice_settings;
  const method = own ?? settings?.default_payment_method;
  const card = typeof method === 'object' ? method?.card : undefined;
  if (!card) return null;
  const { brand, last4, exp_month, exp_year } = card;
  return { brand: brandName(brand), last4, expiryMonth: exp_month, expiryYear: exp_year };
}

/** Takes back that the subscription ends. */
export async function resume(stripe: Stripe, order: Order): Promise<StaffOutcome> {
  const subscription = await retrieveRunning(stripe, order);
  if ('refused' in subscription) return subscription;
  const { id, cancel_at, cancel_at_period_end } = subscription;
  // Stripe's own page for customers sets a time in place of the mark.
  if (cancel_at_period_end) await stripe.subscriptions.update(id, { cancel_at_period_end: false });
  else if (cancel_at) await stripe.subscriptions.update(id, { cancel_at: '' });
  return 'done';
}

export async function previewChange(
  stripe: Stripe,
  order: Order,
  change: SubscriptionChange,
): Promise<ChangePreview | Refused> {
  const planned = await plan(stripe, order, change);
  if ('refused' in planned) return planned;
  const { subscription, parameters } = planned;
  const refused = findMismatch(subscription, change.at);
  if (refused) return { refused };
  const of = { subscription: subscription.id };
  const [before, after] = await Promise.all([
    stripe.invoices.createPreview(of),
    parameters && stripe.invoices.createPreview({ ...of, subscription_details: parameters }),
  ]);
  const monthly = sumOf(change.lines);
  const next = after ?? before;
  return {
    monthly,
    // By sums: a bill carries ten of its lines, and those of earlier changes are among them.
    difference: cents(next.subtotal - before.subtotal - (monthly - planned.monthly)),
    next: {
      at: next.period_end * 1000,
      total: cents(next.amount_due),
      tax: sumOf(next.total_taxes ?? []),
    },
  };
}

export async function changePlan(
  stripe: Stripe,
  order: Order,
  change: SubscriptionChange,
): Promise<StaffOutcome> {
  const planned = await plan(stripe, order, change);
  if ('refused' in planned) return planned;
  const { subscription, parameters } = planned;
  // It has been made already when an earlier answer was lost.
  if (!parameters) return 'done';
  const refused = findMismatch(subscription, change.at);
  if (refused) return { refused };
  const { at, lines, next } = change;
  const confirmed = next ? `${sumOf(lines)} ${next.total}` : '';
  const metadata = { [CHANGED_AT]: String(at), [NEXT_BILL]: confirmed };
  await stripe.subscriptions.update(subscription.id, { ...parameters, metadata });
  return 'done';
}

/** Kept with the subscription, beside the marks of its order. */
const CHANGED_AT = 'changedAt';

async function plan(stripe: Stripe, order: Order, { lines, at }: SubscriptionChange) {
  const [subscription, wanted] = await Promise.all([
    retrieveRunning(stripe, order),
    pricedItems(stripe, order, lines),
  ]);
  if ('refused' in subscription) return subscription;
  const own = ownItems(subscription);
  if (!own) return { refused: words.INDIVIDUAL };
  const items = itemChanges(own, wanted);
  const prorated = { proration_behavior: 'create_prorations', proration_date: at / 1000 } as const;
  return {
    subscription,
    /** What a month costs now, before tax. */
    monthly: cents(own.reduce((sum, { unit, quantity }) => sum + unit * quantity, 0)),
    /** The same for what is shown and for what is charged; undefined when nothing is left to change. */
    parameters: items.length > 0 ? { items, ...prorated } : undefined,
  };
}

/** Why the subscription cannot be changed as of then. */
function findMismatch(subscription: Stripe.Subscription, at: number): string | undefined {
  const { status, cancel_at, metadata } = subscription;
  if (status === 'past_due' || status === 'unpaid') return words.OVERDUE;
  if (status !== 'active') return words.NOT_RUNNING;
  if (cancel_at) return words.ENDING;
  const { start, end } = billingPeriod(subscription);
  if (at < start || at >= end) return words.RENEWED;
  // What was shown then did not reckon with a change that came later.
  return Number(metadata[CHANGED_AT]) > at ? words.CHANGED : undefined;
}
