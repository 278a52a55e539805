/**
 * Test payments and replacement cards. A browser that has the client secret confirms, approves or
 * refuses each.
 */

import type { DbAndNotify } from '../../notifications/outbox.server.ts';
import { followPayment } from '../../orders/follow-payment.server.ts';
import type { ProviderPayment } from '../../orders/gateway.server.ts';
import { isOver, type PaymentStatus } from '../../orders/order.ts';
import { byCustomer, type Cause } from '../../orders/order-event.server.ts';
import { lockOrder, type Order } from '../../orders/order-store.server.ts';
import type { Db, Row } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { newToken } from '../../platform/http/cookies.server.ts';
import type { Cents } from '../../platform/money.ts';
import type { VisitorStorage } from '../../platform/storage-budget.server.ts';
import { last4Of, type TestToken } from './test-cards.ts';
import {
  ANSWER_TEST_PAYMENT,
  CONFIRM_TEST_PAYMENT,
  RETRIEVE_TEST_PAYMENT,
  type TestPayment,
} from './test-payment-api.ts';
import { insertSubscription } from './test-subscription.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testPayments: {
      id: string;
      clientSecret: string;
      orderId: number;
      /** Null for a replacement card, which pays nothing yet. */
      amountCents: Cents | null;
      status: PaymentStatus;
      /** Why the last card was declined, as the customer reads it. */
      refusal: string | null;
      /** The last digits of the card entered last. */
      last4: string | null;
    };
  }
}

type Payment = Row<'testPayments'>;

const paymentIdOf = (orderId: number) => `test_payment_${orderId}`;

/** Inserts the order's payment, or returns the existing one. */
export async function insertPayment(
  db: Db,
  { id: orderId, amountCents }: Order,
): Promise<ProviderPayment> {
  const paymentId = paymentIdOf(orderId);
  const { clientSecret } = await db
    .insertInto('testPayments')
    .values({ ...newPayment(paymentId), orderId, amountCents })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ id: paymentId }))
    .returning('clientSecret')
    .executeTakeFirstOrThrow();
  return { paymentId, clientSecret, customerId: null, subscriptionId: null, due: amountCents };
}

/** Starts the replacement of the subscription's card; returns the client secret. */
export async function insertCard(trx: Db, orderId: number): Promise<string> {
  const card = newPayment(`test_card_${orderId}`);
  await trx
    .insertInto('testPayments')
    .values({ ...card, orderId, amountCents: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(card))
    .execute();
  return card.clientSecret;
}

function newPayment(id: string) {
  const clientSecret = `${id}_secret_${newToken()}`;
  return { id, clientSecret, status: 'requires_payment_method', refusal: null } as const;
}

/** Finds a payment by its order or by its secret. */
export async function findPayment(
  db: Db,
  by: { orderId: number } | { clientSecret: string },
): Promise<Payment | undefined> {
  const payments = db.selectFrom('testPayments').selectAll();
  return 'orderId' in by
    ? payments.where('id', '=', paymentIdOf(by.orderId)).executeTakeFirst()
    : payments.where('clientSecret', '=', by.clientSecret).executeTakeFirst();
}

export async function cancelPayment(trx: Db, orderId: number): Promise<'canceled' | 'succeeded'> {
  await lockOrder(trx, orderId);
  await trx
    .updateTable('testPayments')
    .set({ status: 'canceled' })
    .where('id', '=', paymentIdOf(orderId))
    .where('status', '!=', 'succeeded')
    .execute();
  return (await findPayment(trx, { orderId }))?.status === 'succeeded' ? 'succeeded' : 'canceled';
}

/** The browser's calls. The outcome depends on the card's token alone. */
export function testPaymentCalls(context: DbAndNotify): Call[] {
  return [
    call(CONFIRM_TEST_PAYMENT, {
      access: 'anyone',
      handle: ({ body: { clientSecret, token, last4 = last4Of(token) }, storage }) =>
        settle(context, storage, clientSecret, {
          set: { ...DECISIONS[token], last4 },
          from: ['requires_payment_method', 'requires_action'],
          cause: byCustomer(`test-card-${token}`),
        }),
    }),
    call(ANSWER_TEST_PAYMENT, {
      access: 'anyone',
      handle: ({ body: { clientSecret, approve }, storage }) =>
        settle(context, storage, clientSecret, {
          set: approve
            ? SUCCEEDED
            : refused('The payment was not approved. Please try again or use'),
          from: ['requires_action'],
          cause: byCustomer(`test-confirmation-${approve ? 'approved' : 'refused'}`),
        }),
    }),
    call(RETRIEVE_TEST_PAYMENT, {
      access: 'anyone',
      handle: async ({ body: { clientSecret } }) =>
        toTestPayment(await findPayment(context.db, { clientSecret })),
    }),
  ];
}

type Decision = Pick<Payment, 'status' | 'refusal'>;

const SUCCEEDED: Decision = { status: 'succeeded', refusal: null };
const DECISIONS: Record<TestToken, Decision> = {
  succeeds: SUCCEEDED,
  asks: { status: 'requires_action', refusal: null },
  declined: refused('Your card was declined. Please try'),
  insufficient_funds: refused('Your card has insufficient funds. Please try'),
};

function refused(words: string): Decision {
  return { status: 'requires_payment_method', refusal: `${words} another card.` };
}

interface Settlement {
  set: Decision & Partial<Pick<Payment, 'last4'>>;
  /** The statuses in which the payment can be settled. */
  from: readonly PaymentStatus[];
  cause: Cause;
}

/** Saves the decision and, for a payment, updates the order. */
async function settle(
  { db, notify }: DbAndNotify,
  storage: VisitorStorage,
  clientSecret: string,
  { set, from, cause }: Settlement,
): Promise<TestPayment | Response> {
  const payment = await findPayment(db, { clientSecret });
  if (!payment) return toTestPayment(payment);
  const full = await storage.refusal('orders');
  if (full) return full;
  const { orderId } = payment;
  const isPayment = payment.amountCents !== null;
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    // An order that has been canceled in the meantime, such as for another payer of its quote,
    // takes no payment.
    const isLate = isPayment && isOver(order.status);
    const after = await trx
      .updateTable('testPayments')
      .set(isLate ? { status: 'canceled', refusal: null } : set)
      .where('id', '=', payment.id)
      .where('status', 'in', from)
      .returningAll()
      .executeTakeFirst();
    if (!after || !isPayment || isLate) return;
    const invoices =
      after.status === 'succeeded' ? await insertSubscription(trx, order, after.last4 ?? '') : [];
    const { status } = await followPayment(
      { db: trx, notify },
      orderId,
      { ...paymentStateOf(after), invoices },
      cause,
    );
    if (status !== order.status) await storage.count(trx, 'orders', invoices);
  });
  return toTestPayment(await findPayment(db, { clientSecret }));
}

function toTestPayment(payment: Payment | undefined): TestPayment | Response {
  if (!payment) return refuse(404, 'Payment not found');
  const { status, refusal } = payment;
  return refusal ? { status, message: refusal } : { status };
}

/** A payment that was never started counts as unpaid. */
export function paymentStateOf(decision: Decision | undefined) {
  return {
    status: decision?.status ?? ('requires_payment_method' as const),
    refused: Boolean(decision?.refusal),
  };
}
