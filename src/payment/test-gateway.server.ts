/** The built-in provider: it takes no real card, keeps its payments in the database and decides by a token. */

import type { Kysely } from 'kysely';
import { refuse } from '../platform/answer.server.ts';
import { type Call, call } from '../platform/call.server.ts';
import { newToken } from '../platform/cookies.server.ts';
import { cents } from '../platform/money.ts';
import type { Tables } from '../platform/tables.server.ts';
import type { Follow, Gateway, PaymentState } from './gateway.server.ts';
import type { PaymentStatus, TestToken } from './payment.ts';
import {
  ANSWER_TEST_PAYMENT,
  CONFIRM_TEST_PAYMENT,
  RETRIEVE_TEST_PAYMENT,
} from './payment-contracts.ts';
import {
  type TestPayment,
  testAnswerRequest,
  testConfirmRequest,
  testPayment,
  testRetrieveRequest,
} from './payment-shapes.ts';

/** What a payment's row says: the payment's status, or why the last card was refused. */
type Stored =
  | 'new'
  | 'succeeded'
  | 'requires_action'
  | 'declined'
  | 'insufficient_funds'
  | 'refused';

const REFUSALS: Partial<Record<Stored, string>> = {
  declined: 'Your card was declined. Please try another card.',
  insufficient_funds: 'Your card has insufficient funds. Please try another card.',
  refused: 'The payment was not approved. Please try again or use another card.',
};

const AFTER_TOKEN: Record<TestToken, Stored> = {
  succeeds: 'succeeded',
  declined: 'declined',
  insufficient_funds: 'insufficient_funds',
  asks: 'requires_action',
};

const A_MONTH_MS = 30 * 24 * 60 * 60 * 1000;

export function testGateway(db: Kysely<Tables>, follow: Follow): Gateway {
  return {
    config: { provider: 'test' },
    live: false,
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
      if (wanted > left) return { refused: 'More than what is left of the payment' };
      const charge = {
        id: `test_charge_${order.id}`,
        amount: cents(order.amountCents),
        refunded: cents(order.refundedCents + wanted),
      };
      const state: PaymentState = { status: 'succeeded', refused: false, charges: [charge] };
      await db.transaction().execute((trx) => follow(trx, order.id, state, 'test refund'));
      return charge;
    },
    async cancel(order, when) {
      const state: PaymentState = { status: 'requires_payment_method', refused: false };
      const end = when === 'now' ? { ended: true } : { endsAt: Date.now() + A_MONTH_MS };
      await db
        .transaction()
        .execute((trx) => follow(trx, order.id, { ...state, ...end }, 'test subscription ended'));
      return 'done';
    },
    billingPage: async () => null,
    staffPage: () => null,
    calls: testPaymentCalls(db, follow),
  };
}

function testPaymentCalls(db: Kysely<Tables>, follow: Follow): Call[] {
  async function find(clientSecret: string) {
    return db
      .selectFrom('testPayments')
      .selectAll()
      .where('clientSecret', '=', clientSecret)
      .executeTakeFirst();
  }

  /** Stores what became of the payment if it still is in one of `from`, and lets the order follow. */
  async function become(
    clientSecret: string,
    from: Stored[],
    to: Stored,
    cause: string,
  ): Promise<TestPayment | Response> {
    const found = await find(clientSecret);
    if (!found) return refuse(404, 'There is no such payment');
    await db.transaction().execute(async (trx) => {
      const result = await trx
        .updateTable('testPayments')
        .set({ status: to })
        .where('id', '=', found.id)
        .where('status', 'in', from)
        .executeTakeFirst();
      if (result.numUpdatedRows > 0n) await follow(trx, found.orderId, stateOf(to), cause);
    });
    return toJson((await find(clientSecret))?.status ?? found.status);
  }

  const payable: Stored[] = ['new', 'declined', 'insufficient_funds', 'refused', 'requires_action'];
  return [
    call(CONFIRM_TEST_PAYMENT, {
      access: 'anyone',
      body: testConfirmRequest,
      answer: testPayment,
      handle: ({ body: { clientSecret, token } }) =>
        become(clientSecret, payable, AFTER_TOKEN[token], `test card: ${token.replace('_', ' ')}`),
    }),
    call(ANSWER_TEST_PAYMENT, {
      access: 'anyone',
      body: testAnswerRequest,
      answer: testPayment,
      handle: ({ body: { clientSecret, approve } }) =>
        become(
          clientSecret,
          ['requires_action'],
          approve ? 'succeeded' : 'refused',
          approve ? 'confirmation approved' : 'confirmation refused',
        ),
    }),
    call(RETRIEVE_TEST_PAYMENT, {
      access: 'anyone',
      body: testRetrieveRequest,
      answer: testPayment,
      handle: async ({ body: { clientSecret } }) => {
        const found = await find(clientSecret);
        return found ? toJson(found.status) : refuse(404, 'There is no such payment');
      },
    }),
  ];
}

function stateOf(stored: string): PaymentState {
  if (stored === 'succeeded' || stored === 'requires_action')
    return { status: stored, refused: false };
  return { status: 'requires_payment_method', refused: stored !== 'new' };
}

function toJson(stored: string): TestPayment {
  const status: PaymentStatus = stateOf(stored).status;
  const message = Object.entries(REFUSALS).find(([name]) => name === stored)?.[1];
  return message ? { status, message } : { status };
}
