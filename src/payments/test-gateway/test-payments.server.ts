/**
 * Test payments, and cards that are to replace another: each is confirmed, approved or refused by a browser that has its
 * secret.
 */
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { StartedAtProvider } from '../../orders/gateway.server.ts';
import { isOver, type PaymentStatus } from '../../orders/order.ts';
import { lockOrder, type Order } from '../../orders/order-store.server.ts';
import type { Db, Row } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { newToken } from '../../platform/http/cookies.server.ts';
import { cents } from '../../platform/money.ts';
import {
  ANSWER_TEST_PAYMENT,
  CONFIRM_TEST_PAYMENT,
  RETRIEVE_TEST_PAYMENT,
  type TestPayment,
} from '../payment-api.ts';
import { endingOf, type TestToken } from './test-cards.ts';
import { insertSubscription, testNow } from './test-subscription.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testPayments: TestPaymentTable;
  }
}

interface TestPaymentTable {
  id: string;
  clientSecret: string;
  orderId: number;
  /** Null for a card that is to replace another: nothing is paid with it. */
  amountCents: number | null;
  status: PaymentStatus;
  /** Why the last card was refused, in words for its holder. */
  refusal: string | null;
  /** Of the card that was entered last. */
  last4: string | null;
}

type Payment = Row<'testPayments'>;

const paymentIdOf = (orderId: number) => `test_payment_${orderId}`;

/** Gives the one that is there already when it was inserted before. */
export async function insertPayment(
  db: Db,
  { id: orderId, amountCents }: Order,
): Promise<StartedAtProvider> {
  const paymentId = paymentIdOf(orderId);
  const { clientSecret } = await db
    .insertInto('testPayments')
    .values({ ...newPayment(paymentId), orderId, amountCents })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ id: paymentId }))
    .returning('clientSecret')
    .executeTakeFirstOrThrow();
  const due = cents(amountCents);
  return { paymentId, clientSecret, customerId: null, subscriptionId: null, due };
}

/** A card that is to replace the one of the order's subscription; gives its secret. */
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

/** What the browser asks of the built-in provider, which decides by a card's token. */
export function testPaymentCalls(deps: FollowDeps): Call[] {
  return [
    call(CONFIRM_TEST_PAYMENT, {
      access: 'anyone',
      handle: ({ body: { clientSecret, token, last4 = endingOf(token) } }) =>
        settle(deps, clientSecret, {
          set: { ...AFTER[token], last4 },
          from: ['requires_payment_method', 'requires_action'],
          cause: `test card: ${token.replace('_', ' ')}`,
        }),
    }),
    call(ANSWER_TEST_PAYMENT, {
      access: 'anyone',
      handle: ({ body: { clientSecret, approve } }) =>
        settle(deps, clientSecret, {
          set: approve
            ? SUCCEEDED
            : refused('The payment was not approved. Please try again or use'),
          from: ['requires_action'],
          cause: approve ? 'confirmation approved' : 'confirmation refused',
        }),
    }),
    call(RETRIEVE_TEST_PAYMENT, {
      access: 'anyone',
      handle: async ({ body: { clientSecret } }) =>
        view(await findPayment(deps.db, { clientSecret })),
    }),
  ];
}

type Decision = Pick<Payment, 'status' | 'refusal'>;

const SUCCEEDED: Decision = { status: 'succeeded', refusal: null };
const AFTER: Record<TestToken, Decision> = {
  succeeds: SUCCEEDED,
  fails_later: SUCCEEDED,
  asks: { status: 'requires_action', refusal: null },
  declined: refused('Your card was declined. Please try'),
  insufficient_funds: refused('Your card has insufficient funds. Please try'),
};

function refused(words: string): Decision {
  return { status: 'requires_payment_method', refusal: `${words} another card.` };
}

interface Settlement {
  set: Decision & Partial<Pick<Payment, 'last4'>>;
  /** The statuses from which it is possible. */
  from: readonly PaymentStatus[];
  cause: string;
}

/** Stores what became of it, and lets the order follow where it is a payment. */
async function settle(
  { db, notify }: FollowDeps,
  clientSecret: string,
  { set, from, cause }: Settlement,
): Promise<TestPayment | Response> {
  const found = await findPayment(db, { clientSecret });
  if (!found) return view(found);
  const { orderId } = found;
  const isPayment = found.amountCents !== null;
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    // An order that was abandoned in the meantime, such as for another payer of its quote, takes no payment.
    const isLate = isPayment && isOver(order.status);
    const after = await trx
      .updateTable('testPayments')
      .set(isLate ? { status: 'canceled', refusal: null } : set)
      .where('id', '=', found.id)
      .where('status', 'in', from)
      .returningAll()
      .executeTakeFirst();
    if (!after || !isPayment || isLate) return;
    const invoices =
      after.status === 'succeeded'
        ? await insertSubscription(trx, order, await testNow(trx), after.last4 ?? '')
        : [];
    await followPayment({ db: trx, notify }, orderId, { ...stateOf(after), invoices }, cause);
  });
  return view(await findPayment(db, { clientSecret }));
}

function view(found: Payment | undefined): TestPayment | Response {
  if (!found) return refuse(404, 'Payment not found');
  const { status, refusal } = found;
  return refusal ? { status, message: refusal } : { status };
}

/** As orders understand it; a payment that was never begun is unpaid. */
export function stateOf(found: Decision | undefined) {
  return {
    status: found?.status ?? ('requires_payment_method' as const),
    refused: Boolean(found?.refusal),
  };
}
