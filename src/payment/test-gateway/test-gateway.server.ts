/** The built-in provider: it takes no real card, and keeps its payments in the database. */
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { Gateway, PaymentState } from '../../orders/gateway.server.ts';
import { newToken } from '../../platform/http/cookies.server.ts';
import { cents } from '../../platform/money.ts';

const A_MONTH_MS = 30 * 24 * 60 * 60 * 1000;

export function testGateway(deps: FollowDeps): Gateway {
  const { db } = deps;
  return {
    provider: 'test',
    live: false,
    tax: false,
    async start(order) {
      await db
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
        .execute();
      const { id, clientSecret, amountCents } = await db
        .selectFrom('testPayments')
        .select(['id', 'clientSecret', 'amountCents'])
        .where('orderId', '=', order.id)
        .executeTakeFirstOrThrow();
      return {
        paymentId: id,
        clientSecret,
        customerId: null,
        subscriptionId: null,
        due: cents(amountCents),
      };
    },
    async fetchPaymentState(order) {
      const payment = await db
        .selectFrom('testPayments')
        .select('status')
        .where('orderId', '=', order.id)
        .executeTakeFirst();
      return stateOf(payment?.status ?? 'new');
    },
    async refund(order, amount) {
      const left = order.amountCents - order.refundedCents;
      const wanted = amount ?? left;
      if (wanted > left) return { refused: 'That’s more than is left to refund' };
      const charge = {
        id: `test_charge_${order.id}`,
        amount: cents(order.amountCents),
        refunded: cents(order.refundedCents + wanted),
      };
      const state: PaymentState = { status: 'succeeded', refused: false, charges: [charge] };
      await followPayment(deps, order.id, state, 'test refund');
      return charge;
    },
    async cancel(order, when) {
      const state: PaymentState = { status: 'requires_payment_method', refused: false };
      const end = when === 'now' ? { ended: true } : { endsAt: Date.now() + A_MONTH_MS };
      await followPayment(deps, order.id, { ...state, ...end }, 'test subscription ended');
      return 'done';
    },
    billingPage: async () => null,
    staffPage: () => null,
  };
}

/** What the row of a payment says, as orders understand it. */
export function stateOf(stored: string): PaymentState {
  if (stored === 'succeeded' || stored === 'requires_action')
    return { status: stored, refused: false };
  return { status: 'requires_payment_method', refused: stored !== 'new' };
}
