/** What a customer does with a running subscription at Stripe. */
import Stripe from 'stripe';
import type { StaffOutcome } from '../../orders/gateway.server.ts';
import type { SubscriptionStanding, Subscriptions } from '../../orders/subscription.server.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { cardChange } from './changes/stripe-card-change.server.ts';
import { makeChange, previewChange } from './changes/stripe-plan-change.server.ts';
import { callStripe, type Refused } from './stripe-client.server.ts';
import { cardOnFile, isOver, periodOf, subscriptionOf } from './stripe-running.server.ts';
import { sumOf } from './stripe-state.server.ts';
import { ENDED } from './stripe-words.ts';

type Order = Row<'orders'>;

export function stripeSubscriptions(stripe: Stripe): Subscriptions {
  return {
    standing: (order) => callStripe('standing', () => standing(stripe, order)),
    preview: (order, change) => callStripe('preview', () => previewChange(stripe, order, change)),
    change: (order, change) => callStripe('change', () => makeChange(stripe, order, change)),
    resume: (order) => callStripe('resume', () => resume(stripe, order)),
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

async function resume(stripe: Stripe, order: Order): Promise<StaffOutcome> {
  const subscription = await subscriptionOf(stripe, order);
  if ('refused' in subscription) return subscription;
  const { id, cancel_at, cancel_at_period_end } = subscription;
  if (isOver(subscription)) return { refused: ENDED };
  // Stripe's own page for customers sets a time in place of the mark.
  if (cancel_at_period_end) await stripe.subscriptions.update(id, { cancel_at_period_end: false });
  else if (cancel_at) await stripe.subscriptions.update(id, { cancel_at: '' });
  return 'done';
}
