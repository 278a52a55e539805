/** An order's subscription as Stripe has it, and what customers want to know of it. */
import type Stripe from 'stripe';
import type { CardOnFile } from '../../orders/subscription.server.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { isMissing, type Refused } from './stripe-client.server.ts';
import { brandName } from './stripe-state.server.ts';
import { NOT_RUNNING } from './stripe-words.ts';

/** Refused when nothing has ever run for the order; throws Stripe's errors. */
export async function subscriptionOf(
  stripe: Stripe,
  { subscriptionId }: Row<'orders'>,
  expand: string[] = [],
): Promise<Stripe.Subscription | Refused> {
  const none = { refused: NOT_RUNNING };
  if (!subscriptionId) return none;
  try {
    const found = await stripe.subscriptions.retrieve(subscriptionId, { expand });
    return found.status === 'incomplete' ? none : found;
  } catch (error) {
    if (!isMissing(error, subscriptionId)) throw error;
    return none;
  }
}

export function isOver({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** The paid month in milliseconds; it is over early where the subscription is. */
export function periodOf({ items, cancel_at, ended_at }: Stripe.Subscription) {
  const starts = items.data.map(({ current_period_start }) => current_period_start);
  const ends = items.data.map(({ current_period_end }) => current_period_end);
  const end = ended_at ?? Math.min(cancel_at ?? Number.POSITIVE_INFINITY, ...ends);
  return { start: Math.min(...starts) * 1000, end: end * 1000 };
}

/** Asked for with both payment methods in full. */
export function cardOnFile({
  customer,
  default_payment_method: own,
}: Stripe.Subscription): CardOnFile | null {
  const settings =
    typeof customer === 'string' || customer.deleted ? null : customer.invoice_settings;
  const method = own ?? settings?.default_payment_method;
  const card = typeof method === 'object' ? method?.card : undefined;
  return card
    ? {
        brand: brandName(card.brand),
        last4: card.last4,
        expiryMonth: card.exp_month,
        expiryYear: card.exp_year,
      }
    : null;
}
