/** Compares orders, subscriptions and receipts with the state at Stripe, without using the product's code. */
import type { Db } from '../../src/platform/database/tables.server.ts';
import type { FakeStripe } from './fake-stripe/fake-stripe.ts';
import { countEmails } from './stripe-shop.ts';

/** Returns a description of each disagreement. Each paid order must have exactly one receipt. */
export async function stripeBooksDisagree(db: Db, { state }: FakeStripe): Promise<string[]> {
  const orders = await db.selectFrom('orders').selectAll().execute();
  const wrong: string[] = [];
  for (const { id, metadata } of state.subscription.values()) {
    const order = orders.find((each) => String(each.id) === metadata.orderId);
    if (order?.subscriptionId !== id) wrong.push(`${id}: the order has ${order?.subscriptionId}`);
  }
  for (const { id, status, subscriptionId, paymentId } of orders) {
    const subscription = state.subscription.get(subscriptionId ?? '');
    const intent = state.payment_intent.get(paymentId ?? '');
    const isRefunded = state.charge.get(intent?.latest_charge ?? '')?.refunded === true;
    if (!allowedStatuses(subscription?.status, isRefunded).includes(status))
      wrong.push(`${id}: ${status}, at Stripe ${subscription?.status}, refunded: ${isRefunded}`);
    const receipts = await countEmails(db, 'order-paid', id);
    const due = intent?.status === 'succeeded' ? 1 : 0;
    if (receipts !== due) wrong.push(`${id}: ${receipts} receipts in place of ${due}`);
  }
  return wrong;
}

/** The order statuses allowed for a subscription's status. A fully refunded subscription must be canceled. */
function allowedStatuses(status: string | undefined, isRefunded: boolean): string[] {
  if (isRefunded) return status === 'canceled' ? ['refunded'] : [];
  switch (status) {
    case undefined:
      return ['pending', 'canceled'];
    case 'incomplete':
      return ['pending', 'processing', 'failed'];
    case 'incomplete_expired':
    case 'canceled':
      return ['canceled'];
    case 'active':
      return ['paid'];
    default:
      return [status];
  }
}
