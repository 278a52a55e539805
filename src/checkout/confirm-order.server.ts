/** An order follows its payment: whatever the provider says, in whatever order it is heard. */
import type { Kysely } from 'kysely';
import type { Tell } from '../notify/outbox.server.ts';
import type { PaymentState } from '../payment/gateway.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { mayFollow, type OrderStatus } from './order.ts';
import { changeStatus, findOrder, type Order, orderStatus } from './order-store.server.ts';

/** The status that a payment asks for; undefined while nothing has been tried. */
function wantedStatus({ status, refused }: PaymentState): OrderStatus | undefined {
  switch (status) {
    case 'succeeded':
      return 'paid';
    case 'processing':
    case 'requires_action':
      return 'processing';
    case 'canceled':
      return 'canceled';
    case 'requires_payment_method':
      return refused ? 'failed' : undefined;
  }
}

export type FollowPayment = (
  trx: Kysely<Tables>,
  orderId: number,
  payment: PaymentState,
  cause: string,
) => Promise<Order>;

/**
 * Gives the function that moves an order to where its payment is, and gives the order as it stands then. A payment
 * that succeeds after a refusal passes through 'processing'. What may not follow (an old message about a paid order)
 * changes nothing.
 */
export function paymentFollower(tell: Tell): FollowPayment {
  return async (trx, orderId, payment, cause) => {
    const wanted = wantedStatus(payment);
    for (;;) {
      const order = await findOrder(trx, orderId);
      if (!order) throw new Error(`order ${orderId} is gone`);
      const from = orderStatus(order.status);
      if (!wanted || from === wanted) return order;
      const to = nextStep(from, wanted);
      if (!to) return order;
      await moveOrder(trx, tell, { orderId, from, to, cause });
    }
  };
}

function nextStep(from: OrderStatus, wanted: OrderStatus): OrderStatus | undefined {
  if (mayFollow(from, wanted, 'provider')) return wanted;
  if (from === 'failed' && (wanted === 'paid' || wanted === 'canceled')) return 'processing';
  return undefined;
}

interface Move {
  orderId: number;
  from: OrderStatus;
  to: OrderStatus;
  cause: string;
}

/**
 * Changes the status and tells who must hear of it, in one transaction; false when somebody was faster. A renewal that
 * was past due is no second purchase, so it brings no second receipt.
 */
export async function moveOrder(
  trx: Kysely<Tables>,
  tell: Tell,
  { orderId, from, to, cause }: Move,
): Promise<boolean> {
  if (!(await changeStatus(trx, orderId, from, to, cause))) return false;
  if (to === 'failed') await tell(trx, { kind: 'order-failed', orderId });
  if (to === 'paid' && from !== 'past_due') await tell(trx, { kind: 'order-paid', orderId });
  return true;
}
