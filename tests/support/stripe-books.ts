/** What an order must be, by what Stripe has of it; written without the product's code. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../src/platform/database/tables.server.ts';
import type { FakeStripe } from './fake-stripe/fake-stripe.ts';
import { receiptsIn } from './stripe-shop.ts';

/** Every order and every subscription that do not agree, in words; each order is to have one receipt for its payment. */
export async function disagreements(db: Kysely<Tables>, fake: FakeStripe): Promise<string[]> {
  const orders = await db.selectFrom('orders').selectAll().execute();
  const wrong: string[] = [];
  const say = (id: number | string, what: string) => wrong.push(`${id}: ${what}`);
  for (const subscription of fake.state.subscription.values()) {
    const { id, metadata } = subscription;
    const order = orders.find((each) => String(each.id) === metadata.orderId);
    if (order?.subscriptionId !== id) say(id, `the order has ${order?.subscriptionId}`);
  }
  for (const { id, status, subscriptionId, paymentId } of orders) {
    const subscription = fake.state.subscription.get(subscriptionId ?? '');
    const intent = fake.state.payment_intent.get(paymentId ?? '');
    const charge = fake.state.charge.get(intent?.latest_charge ?? '');
    const may = mayBe(subscription?.status, charge?.refunded === true);
    if (!may.includes(status)) {
      const given = charge?.refunded ? ', all given back' : '';
      say(id, `${status}, at Stripe ${subscription?.status}${given}`);
    }
    const receipts = await receiptsIn(db, id);
    const due = intent?.status === 'succeeded' ? 1 : 0;
    if (receipts !== due) say(id, `${receipts} receipts in place of ${due}`);
  }
  return wrong;
}

/** By the subscription's status; whoever has everything back must be charged no more. */
function mayBe(status: string | undefined, refunded: boolean): string[] {
  if (refunded) return status === 'canceled' ? ['refunded'] : [];
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
