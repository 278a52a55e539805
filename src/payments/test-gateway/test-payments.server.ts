/** Test payments and replacement cards. A client secret decides on both. */

import type { Order } from '../../billing/billed-order.server.ts';
import { byCustomer, type Cause } from '../../billing/cause.server.ts';
import type { PaymentState, ProviderPayment } from '../../billing/gateway.server.ts';
import { isOver } from '../../billing/order-status.ts';
import { lockOrder } from '../../billing/order-store.server.ts';
import type { Refused } from '../../billing/outcome.server.ts';
import { parseLines } from '../../catalogue/pricing.ts';
import type { Db, Row, Trx } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { newToken } from '../../platform/http/cookies.server.ts';
import { type Cents, cents, totalOf } from '../../platform/money.ts';
import type { PaymentStatus } from '../provider-in-browser.ts';
import type { TestToken } from './test-cards.ts';
import {
  ANSWER_TEST_PAYMENT,
  CONFIRM_TEST_PAYMENT,
  RETRIEVE_TEST_PAYMENT,
  type TestPayment,
} from './test-payment-api.ts';
import { type Act, begin, record, type TestContext } from './test-records.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testPayments: {
      id: string;
      clientSecret: string;
      orderId: number;
      /** Null for a replacement card. Rows of refunds are of earlier releases, and left unread. */
      amountCents: Cents | null;
      status: PaymentStatus;
      /** Why the last card was declined, as the customer reads it. */
      refusal: string | null;
      /** The last digits of the last card; of an order's payment, its present card's. */
      last4: string | null;
    };
  }
}

type TestPaymentRow = Row<'testPayments'>;

const paymentIdOf = (orderId: number) => `test_payment_${orderId}`;
const newPayment = (id: string) => ({
  id,
  clientSecret: `${id}_secret_${newToken()}`,
  status: 'requires_payment_method' as const,
  refusal: null,
});

/** Inserts the order's payment, or returns the existing one. */
export async function insertPayment(
  db: Db,
  { id: orderId, subscription: { amountCents: month }, boughtOnce, startsOn }: Order,
): Promise<ProviderPayment> {
  const once = totalOf(parseLines(boughtOnce));
  const amountCents = cents(once + (startsOn === null ? month : 0));
  const paymentId = paymentIdOf(orderId);
  const { clientSecret } = await db
    .insertInto('testPayments')
    .values({ ...newPayment(paymentId), orderId, amountCents })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ id: paymentId }))
    .returning('clientSecret')
    .executeTakeFirstOrThrow();
  const due = { month, once };
  return { paymentId, clientSecret, customerId: null, subscriptionId: null, due };
}

/** Starts the replacement of the plan's card; returns the client secret. */
export async function startCard(db: Db, orderId: number): Promise<string> {
  const card = newPayment(`test_card_${orderId}`);
  await db
    .insertInto('testPayments')
    .values({ ...card, orderId, amountCents: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(card))
    .execute();
  return card.clientSecret;
}

/** Makes the card that was entered with this secret the order's. */
export async function useCard(
  trx: Db,
  orderId: number,
  clientSecret: string,
): Promise<{ last4: string } | Refused> {
  const card = await findPayment(trx, { clientSecret });
  const isOwn = card?.id === `test_card_${orderId}`;
  if (isOwn && card.refusal) return { refused: card.refusal };
  if (!isOwn || card.status !== 'succeeded' || !card.last4)
    return { refused: 'No card has been entered yet. Please enter one.' };
  const { last4 } = card;
  await trx
    .updateTable('testPayments')
    .set({ last4 })
    .where('id', '=', paymentIdOf(orderId))
    .execute();
  return { last4 };
}

export async function findPayment(
  db: Db,
  by: { orderId: number } | { clientSecret: string },
): Promise<TestPaymentRow | undefined> {
  const payments = db.selectFrom('testPayments').selectAll();
  const found =
    'orderId' in by
      ? payments.where('id', '=', paymentIdOf(by.orderId))
      : payments.where('clientSecret', '=', by.clientSecret);
  return found.executeTakeFirst();
}

/** 'succeeded' when something was paid. */
export async function cancelPayment(trx: Trx, orderId: number): Promise<'canceled' | 'succeeded'> {
  const { invoices } = await lockOrder(trx, orderId);
  await trx
    .updateTable('testPayments')
    .set({ status: 'canceled' })
    .where('id', '=', paymentIdOf(orderId))
    .where('status', '!=', 'succeeded')
    .execute();
  return invoices.some(({ status }) => status === 'paid') ? 'succeeded' : 'canceled';
}

/** The browser's calls. The outcome depends on the card's token alone. */
export function testPaymentCalls(context: TestContext): Call[] {
  return [
    call(CONFIRM_TEST_PAYMENT, 'anyone', ({ body: { clientSecret, token, last4 = '4242' } }) =>
      decide(context, clientSecret, {
        set: { ...DECISIONS[token], last4 },
        from: ['requires_payment_method', 'requires_action'],
        cause: byCustomer(`test-card-${token}`),
      }),
    ),
    call(ANSWER_TEST_PAYMENT, 'anyone', ({ body: { clientSecret, approve } }) =>
      decide(context, clientSecret, {
        set: approve ? SUCCEEDED : refused('The payment was not approved. Please try again or use'),
        from: ['requires_action'],
        cause: byCustomer(`test-confirmation-${approve ? 'approved' : 'refused'}`),
      }),
    ),
    call(RETRIEVE_TEST_PAYMENT, 'anyone', async ({ body: { clientSecret } }) =>
      toTestPayment(await findPayment(context.db, { clientSecret })),
    ),
  ];
}

type Decision = Pick<TestPaymentRow, 'status' | 'refusal'>;

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
  set: Decision & Partial<Pick<TestPaymentRow, 'last4'>>;
  from: readonly PaymentStatus[];
  cause: Cause;
}

async function decide(
  { db, notify, company }: TestContext,
  clientSecret: string,
  { set, from, cause }: Settlement,
): Promise<TestPayment | Response> {
  const payment = await findPayment(db, { clientSecret });
  if (!payment) return toTestPayment(payment);
  const save = (trx: Db, change: Decision) =>
    trx
      .updateTable('testPayments')
      .set(change)
      .where('id', '=', payment.id)
      .where('status', 'in', from)
      .returningAll()
      .executeTakeFirst();
  const pay: Act = async (trx, order) => {
    // An order that was canceled meanwhile, such as for another payer, takes no payment.
    const isLate = isOver(order.status);
    const after = await save(trx, isLate ? { status: 'canceled', refusal: null } : set);
    if (!after || isLate) return 'The payment is settled';
    return after.status === 'succeeded' && order.subscription.status === 'incomplete'
      ? begin(order, company, after.last4)
      : paymentStateOf(after);
  };
  if (payment.amountCents === null) await save(db, set);
  else await record({ db, notify }, { id: payment.orderId }, cause, pay);
  return toTestPayment(await findPayment(db, { clientSecret }));
}

function toTestPayment(payment: TestPaymentRow | undefined): TestPayment | Response {
  if (!payment) return refuse(404, 'Payment not found');
  const { status, refusal, amountCents } = payment;
  if (status === 'succeeded' && amountCents === 0) return { status: 'saved' };
  return refusal ? { status, message: refusal } : { status };
}

export function paymentStateOf({ status, refusal }: Decision): PaymentState {
  if (status === 'canceled') return { abandoned: true };
  if (status === 'requires_payment_method') return { attempt: refusal ? 'failed' : null };
  return { attempt: status === 'succeeded' ? null : status };
}
