/** Other users or another backup for a running subscription: what that would come to, and the change itself. */
import type Stripe from 'stripe';
import type { StaffOutcome } from '../../../orders/gateway.server.ts';
import type { ChangePreview, SubscriptionChange } from '../../../orders/subscription.server.ts';
import type { Row } from '../../../platform/database/tables.server.ts';
import { cents } from '../../../platform/money.ts';
import type { Refused } from '../stripe-client.server.ts';
import { pricedItems } from '../stripe-prices.server.ts';
import { isOver, periodOf, subscriptionOf } from '../stripe-running.server.ts';
import { sumOf } from '../stripe-state.server.ts';
import * as words from '../stripe-words.ts';
import { itemChanges, monthOf, NEXT_BILL, ownItems } from './stripe-items.server.ts';

type Order = Row<'orders'>;

/** Throws Stripe's errors, as the change does. */
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

export async function makeChange(
  stripe: Stripe,
  order: Order,
  change: SubscriptionChange,
): Promise<StaffOutcome> {
  const planned = await plan(stripe, order, change);
  if ('refused' in planned) return planned;
  const { subscription, parameters } = planned;
  // So it is when an earlier answer was lost.
  if (!parameters) return 'done';
  const refused = findMismatch(subscription, change.at);
  if (refused) return { refused };
  const { at, next } = change;
  const metadata = { [CHANGED_AT]: String(at), [NEXT_BILL]: next ? String(next.total) : '' };
  await stripe.subscriptions.update(subscription.id, { ...parameters, metadata });
  return 'done';
}

/** Kept with the subscription, beside the marks of its order. */
const CHANGED_AT = 'changedAt';

async function plan(stripe: Stripe, order: Order, { lines, at }: SubscriptionChange) {
  const [subscription, wanted] = await Promise.all([
    subscriptionOf(stripe, order),
    pricedItems(stripe, order, lines),
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
function findMismatch(subscription: Stripe.Subscription, at: number): string | undefined {
  const { status, cancel_at, metadata } = subscription;
  if (status === 'past_due' || status === 'unpaid') return words.OVERDUE;
  if (status !== 'active') return words.NOT_RUNNING;
  if (cancel_at) return words.ENDING;
  const { start, end } = periodOf(subscription);
  if (at < start || at >= end) return words.RENEWED;
  // What was shown then did not reckon with a change that came later.
  return Number(metadata[CHANGED_AT]) > at ? words.CHANGED : undefined;
}
