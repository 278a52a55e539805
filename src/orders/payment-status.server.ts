/** The status that an order gets from its payment, and the way there. */
import { awaitsPayment, canTransition, type OrderStatus } from '../billing/order-status.ts';
import type { Subscription } from '../billing/subscription-store.server.ts';
import type { Billing } from './order-billing.server.ts';
import type { Order } from './order-store.server.ts';

/** The status that everything stored implies; 'pending' until a payment is tried. */
export function statusOf(
  { collection, status, attempt }: Pick<Subscription, 'collection' | 'status' | 'attempt'>,
  billing: Billing,
): OrderStatus {
  if (billing.reversed) return 'refunded';
  if (status === 'canceled') return 'canceled';
  const byCard = collection === 'card';
  if (billing.paid || (byCard && status !== 'incomplete')) {
    // What Stripe says of a card decides; the site's own clock, when an invoice is overdue.
    const isSettled = byCard && status === 'active';
    const isOwed = byCard && (status === 'past_due' || status === 'unpaid');
    return isOwed || (billing.overdue && !isSettled) ? 'past_due' : 'paid';
  }
  switch (byCard ? attempt : billing.firstAttempt) {
    case 'processing':
      return 'processing';
    case 'requires_action':
      // Also while Stripe awaits a wire or two small deposits.
      return byCard ? 'processing' : 'pending';
    case 'failed':
      return 'failed';
    default:
      return 'pending';
  }
}

/**
 * The allowed transitions that lead to the wanted status. A paid order passes through 'paid', even
 * if it is overdue or refunded by now; a payment after a refusal passes through 'processing'.
 */
export function statusPath(
  { status: from, refundedCents }: Order,
  wanted: OrderStatus,
  { paid, refunded }: Billing,
): OrderStatus[] {
  // The bank returned the refund of an order that had ended with it.
  if (from === 'refunded' && wanted === 'canceled' && refunded < refundedCents) return [wanted];
  const path: OrderStatus[] = [];
  let at = from;
  const goTo = (next: OrderStatus) => {
    path.push(next);
    at = next;
  };
  const goals: OrderStatus[] = paid && awaitsPayment(from) ? ['paid', wanted] : [wanted];
  for (const goal of goals) {
    if (at === 'failed' && (goal === 'paid' || goal === 'canceled')) goTo('processing');
    if (at === 'past_due' && goal === 'refunded') goTo('paid');
    if (canTransition(at, goal, 'provider')) goTo(goal);
  }
  return path;
}
