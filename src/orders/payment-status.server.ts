/** The status that an order gets from its payment, and the way there. */
import type { PaymentState } from './gateway.server.ts';
import { awaitsPayment, canTransition, type OrderStatus } from './order.ts';
import type { Billing } from './order-billing.server.ts';
import type { Order } from './order-store.server.ts';

/**
 * The status that the payment and the stored billing imply. Until a payment is tried, the order
 * keeps its status.
 */
export function wantedStatus(
  payment: PaymentState,
  billing: Billing,
  from: OrderStatus,
): OrderStatus {
  // Final statuses take precedence.
  if (billing.reversed) return 'refunded';
  if (payment.ended) return 'canceled';
  if (billing.paid) return (payment.overdue ?? billing.overdue) ? 'past_due' : 'paid';
  switch (payment.status) {
    case 'succeeded':
      return 'paid';
    case 'processing':
    case 'requires_action':
      return 'processing';
    case 'canceled':
      return 'canceled';
    case 'requires_payment_method':
      return payment.refused ? 'failed' : from;
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
