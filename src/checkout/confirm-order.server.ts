/** An order follows its payment: whatever the provider says, in whatever order it is heard. */
import type { Kysely } from 'kysely';
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

/**
 * Moves the order to where its payment is and gives it as it stands then. A payment that succeeds after a
 * refusal passes through 'processing'. What may not follow (an old message about a paid order) changes nothing.
 */
export async function followPayment(
  trx: Kysely<Tables>,
  orderId: number,
  payment: PaymentState,
  cause: string,
): Promise<Order> {
  const wanted = wantedStatus(payment);
  for (;;) {
    const order = await findOrder(trx, orderId);
    if (!order) throw new Error(`order ${orderId} is gone`);
    const from = orderStatus(order.status);
    if (!wanted || from === wanted) return order;
    const to = nextStep(from, wanted);
    if (!to) return order;
    await changeStatus(trx, orderId, from, to, cause);
  }
}

function nextStep(from: OrderStatus, wanted: OrderStatus): OrderStatus | undefined {
  if (mayFollow(from, wanted, 'provider')) return wanted;
  if (from === 'failed' && (wanted === 'paid' || wanted === 'canceled')) return 'processing';
  return undefined;
}
