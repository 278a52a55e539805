/** What a customer does with a running subscription at Stripe. */
import Stripe from 'stripe';
import type { StaffOutcome } from '../../orders/gateway.server.ts';
import type {
  ChangePreview,
  SubscriptionChange,
  SubscriptionStanding,
  Subscriptions,
} from '../../orders/subscription.server.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { inRounds, type Refused, told } from './events/stripe-told.server.ts';
import { sumOf } from './stripe-bill.server.ts';
import { cardChange } from './stripe-card-change.server.ts';
import { itemChanges, monthOf, ownItems } from './stripe-items.server.ts';
import type { StripePrices } from './stripe-prices.server.ts';
import { cardOnFile, isOver, periodOf, subscriptionOf } from './stripe-running.server.ts';
import * as words from './stripe-words.ts';

type Order = Row<'orders'>;

interface Deps {
  stripe: Stripe;
  prices: StripePrices;
}

export function stripeSubscriptions(deps: Deps): Subscriptions {
  const { stripe, prices } = deps;
  const forget = (error: unknown) => prices.forget(error);
  return {
    standing: (order) => told('standing', () => standing(stripe, order)),
    preview: (order, change) =>
      told('preview', () => inRounds(() => preview(deps, order, change), forget)),
    change: (order, change, key) =>
      told('change', () =>
        inRounds((round) => make(deps, order, change, `${key}-${round}`), forget),
      ),
    resume: (order) => told('resume', () => resume(stripe, order)),
    ...cardChange(stripe),
  };
}

async function standing(stripe: Stripe, order: Order): Promise<SubscriptionStanding | Refused> {
  const subscription = await subscriptionOf(stripe, order, [
    'default_payment_method',
    'customer.invoice_settings.default_payment_method',
  ]);
  if ('refused' in subscription) return subscription;
  const bill = isOver(subscription) ? null : await nextBill(stripe, subscription.id);
  return {
    periodEnd: periodOf(subscription).end,
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

async function preview(
  deps: Deps,
  order: Order,
  change: SubscriptionChange,
): Promise<ChangePreview | Refused> {
  const { stripe } = deps;
  const planned = await plan(deps, order, change);
  if ('refused' in planned) return planned;
  const { subscription, parameters } = planned;
  const refused = whyNot(subscription, change.at);
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

async function make(
  deps: Deps,
  order: Order,
  change: SubscriptionChange,
  key: string,
): Promise<StaffOutcome> {
  const planned = await plan(deps, order, change);
  if ('refused' in planned) return planned;
  const { subscription, parameters } = planned;
  // So it is when an earlier answer was lost.
  if (!parameters) return 'done';
  const refused = whyNot(subscription, change.at);
  if (refused) return { refused };
  try {
    await deps.stripe.subscriptions.update(
      subscription.id,
      { ...parameters, metadata: { [CHANGED_AT]: String(change.at) } },
      { idempotencyKey: `order-${order.id}-${order.createdAt}-change-${key}` },
    );
  } catch (error) {
    // This key has changed the subscription, and somebody has changed it again.
    if (error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 400)
      return { refused: words.SENT_BEFORE };
    throw error;
  }
  return 'done';
}

/** Kept with the subscription, beside the marks of its order. */
const CHANGED_AT = 'changedAt';

async function plan({ stripe, prices }: Deps, order: Order, { lines, at }: SubscriptionChange) {
  const [subscription, wanted] = await Promise.all([
    subscriptionOf(stripe, order),
    prices.itemsFor(order, lines),
  ]);
  if ('refused' in subscription) return subscription;
  if (isOver(subscription)) return { refused: words.ENDED };
  const own = ownItems(subscription);
  if (!own) return { refused: words.INDIVIDUAL };
  const items = itemChanges(own, wanted);
  return {
    subscription,
    /** What a month costs now. */
    monthly: monthOf(own),
    /** The same for what is shown and for what is charged; undefined when nothing is left to change. */
    parameters: items.length
      ? ({ items, proration_behavior: 'create_prorations', proration_date: at / 1000 } as const)
      : undefined,
  };
}

/** Why the subscription cannot be changed as of then. */
function whyNot(subscription: Stripe.Subscription, at: number): string | undefined {
  const { status, cancel_at, metadata } = subscription;
  if (status === 'past_due' || status === 'unpaid') return words.OVERDUE;
  if (status !== 'active') return words.NOT_RUNNING;
  if (cancel_at) return words.ENDING;
  const { start, end } = periodOf(subscription);
  if (at < start || at >= end) return words.RENEWED;
  // What was shown then did not reckon with a change that came later.
  return Number(metadata[CHANGED_AT]) > at ? words.CHANGED : undefined;
}

async function resume(stripe: Stripe, order: Order): Promise<StaffOutcome> {
  const subscription = await subscriptionOf(stripe, order);
  if ('refused' in subscription) return subscription;
  const { id, cancel_at, cancel_at_period_end } = subscription;
  if (isOver(subscription)) return { refused: words.ENDED };
  // Stripe's own page for customers sets a time in place of the mark.
  if (cancel_at_period_end) await stripe.subscriptions.update(id, { cancel_at_period_end: false });
  else if (cancel_at) await stripe.subscriptions.update(id, { cancel_at: '' });
  return 'done';
}
