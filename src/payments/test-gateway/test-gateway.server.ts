/** The built-in provider: it takes no real card, and keeps its payments in the database. */
import type { Kysely } from 'kysely';
import type { FollowDeps } from '../../orders/follow-payment.server.ts';
import type { Gateway, PaymentState } from '../../orders/gateway.server.ts';
import { lockOrder } from '../../orders/order-billing-store.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { newToken } from '../../platform/http/cookies.server.ts';
import { cents } from '../../platform/money.ts';
import { refundTestPayment } from './refund-test-payment.server.ts';
import { findSubscription } from './test-subscription-store.server.ts';
import { endTestSubscription, testSubscriptions } from './test-subscriptions.server.ts';

export function testGateway(deps: FollowDeps): Gateway {
  const { db } = deps;
  return {
    provider: 'test',
    live: false,
    tax: false,
    async start(order) {
      const inserted = await db
        .insertInto('testPayments')
        .values({
          id: `test_payment_${order.id}`,
          clientSecret: `test_payment_${order.id}_secret_${newToken()}`,
          orderId: order.id,
          amountCents: order.amountCents,
          status: 'new',
          createdAt: Date.now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      const { id, clientSecret, amountCents } =
        inserted ??
        (await db
          .selectFrom('testPayments')
          .selectAll()
          .where('orderId', '=', order.id)
          .executeTakeFirstOrThrow());
      return {
        paymentId: id,
        clientSecret,
        customerId: null,
        subscriptionId: null,
        due: cents(amountCents),
      };
    },
    async fetchPaymentState(order) {
      const state = stateOf((await statusOf(db, order.id)) ?? 'new');
      const subscription = await findSubscription(db, order.id);
      return {
        ...state,
        ...(subscription?.status === 'ended' ? { ended: true } : {}),
        ...(subscription?.ending ? { endsAt: subscription.periodEnd } : {}),
      };
    },
    cancelPayment: ({ id }) =>
      db.transaction().execute(async (trx) => {
        await lockOrder(trx, id);
        await trx
          .updateTable('testPayments')
          .set({ status: 'canceled' })
          .where('orderId', '=', id)
          .where('status', '!=', 'succeeded')
          .execute();
        return (await statusOf(trx, id)) === 'succeeded' ? 'succeeded' : 'canceled';
      }),
    refund: (order, amount) => refundTestPayment(deps, order, amount),
    cancel: (order, when) => endTestSubscription(deps, order.id, when),
    subscriptions: testSubscriptions(deps),
    billingPage: async () => null,
    staffPage: () => null,
  };
}

async function statusOf(db: Kysely<Tables>, orderId: number): Promise<string | undefined> {
  const payment = await db
    .selectFrom('testPayments')
    .select('status')
    .where('orderId', '=', orderId)
    .executeTakeFirst();
  return payment?.status;
}

/** What the row of a payment says, as orders understand it. */
export function stateOf(stored: string): PaymentState {
  if (stored === 'succeeded' || stored === 'requires_action' || stored === 'canceled')
    return { status: stored, refused: false };
  return { status: 'requires_payment_method', refused: stored !== 'new' };
}
