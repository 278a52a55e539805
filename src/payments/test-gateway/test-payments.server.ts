/**
 * Test payments, and cards that are to replace another: each is confirmed, approved or refused by a browser that has its
 * secret.
 */
import type { Kysely } from 'kysely';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { PaymentState, StartedAtProvider } from '../../orders/gateway.server.ts';
import { isOver } from '../../orders/order.ts';
import { lockOrder } from '../../orders/order-store.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
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
import { type TestCard, type TestToken, testCard } from './test-cards.ts';
import { testNow } from './test-clock.server.ts';
import { insertSubscription } from './test-subscription.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testPayments: TestPaymentTable;
  }
}

/** A payment's status, or why its last card was refused. */
type StoredStatus =
  | 'new'
  | 'succeeded'
  | 'requires_action'
  | 'declined'
  | 'insufficient_funds'
  | 'refused'
  | 'canceled';

interface TestPaymentTable {
  id: string;
  clientSecret: string;
  orderId: number;
  /** Null for a card that is to replace another: nothing is paid with it. */
  amountCents: number | null;
  status: StoredStatus;
  /** The card that was entered last. */
  token: TestToken | null;
  last4: string | null;
  createdAt: number;
}

type Db = Kysely<Tables>;
type Payment = Row<'testPayments'>;

const paymentIdOf = (orderId: number) => `test_payment_${orderId}`;

/** Gives the one that is there already when it was inserted before. */
export async function insertPayment(
  db: Db,
  { id: orderId, amountCents }: Row<'orders'>,
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
  return { id, clientSecret, status: 'new', createdAt: Date.now() } as const;
}

export async function findPayment(db: Db, orderId: number): Promise<Payment | undefined> {
  return db
    .selectFrom('testPayments')
    .selectAll()
    .where('id', '=', paymentIdOf(orderId))
    .executeTakeFirst();
}

export async function findBySecret(db: Db, clientSecret: string): Promise<Payment | undefined> {
  return db
    .selectFrom('testPayments')
    .selectAll()
    .where('clientSecret', '=', clientSecret)
    .executeTakeFirst();
}

export async function cancelPayment(trx: Db, orderId: number): Promise<'canceled' | 'succeeded'> {
  await lockOrder(trx, orderId);
  await trx
    .updateTable('testPayments')
    .set({ status: 'canceled' })
    .where('id', '=', paymentIdOf(orderId))
    .where('status', '!=', 'succeeded')
    .execute();
  return (await findPayment(trx, orderId))?.status === 'succeeded' ? 'succeeded' : 'canceled';
}

/** What the browser asks of the built-in provider, which decides by a card's token. */
export function testPaymentCalls(deps: FollowDeps): Call[] {
  return [
    call(CONFIRM_TEST_PAYMENT, {
      access: 'anyone',
      handle: ({ body: { clientSecret, token, last4 } }) =>
        settle(deps, clientSecret, {
          from: PAYABLE,
          to: STATUS_AFTER[token],
          cause: `test card: ${token.replace('_', ' ')}`,
          card: testCard(token, last4),
        }),
    }),
    call(ANSWER_TEST_PAYMENT, {
      access: 'anyone',
      handle: ({ body: { clientSecret, approve } }) =>
        settle(deps, clientSecret, {
          from: ['requires_action'],
          to: approve ? 'succeeded' : 'refused',
          cause: approve ? 'confirmation approved' : 'confirmation refused',
          card: testCard('asks', undefined),
        }),
    }),
    call(RETRIEVE_TEST_PAYMENT, {
      access: 'anyone',
      handle: async ({ body: { clientSecret } }) => view(await findBySecret(deps.db, clientSecret)),
    }),
  ];
}

const STATUS_AFTER: Record<TestToken, StoredStatus> = {
  succeeds: 'succeeded',
  declined: 'declined',
  insufficient_funds: 'insufficient_funds',
  asks: 'requires_action',
  fails_later: 'succeeded',
};

const PAYABLE: readonly StoredStatus[] = [
  'new',
  'declined',
  'insufficient_funds',
  'refused',
  'requires_action',
];

interface Settlement {
  from: readonly StoredStatus[];
  to: StoredStatus;
  card: TestCard;
  cause: string;
}

/** Stores the new status if the present one is in `from`, and lets the order follow. */
async function settle(
  { db, notify }: FollowDeps,
  clientSecret: string,
  { from, to, card, cause }: Settlement,
): Promise<TestPayment | Response> {
  const found = await findBySecret(db, clientSecret);
  if (!found) return view(found);
  const { id, orderId } = found;
  const isPayment = found.amountCents !== null;
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    // An order that was abandoned in the meantime, such as for another payer of its quote, takes no payment.
    const status = isPayment && isOver(order.status) ? 'canceled' : to;
    const updated = await trx
      .updateTable('testPayments')
      .set({ status, ...card })
      .where('id', '=', id)
      .where('status', 'in', from)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n || !isPayment || status === 'canceled') return;
    const startedAt = await testNow(trx);
    const invoices =
      to === 'succeeded' ? await insertSubscription(trx, { order, startedAt, card }) : [];
    await followPayment({ db: trx, notify }, orderId, { ...stateOf(to), invoices }, cause);
  });
  return view(await findBySecret(db, clientSecret));
}

function view(found: Payment | undefined): TestPayment | Response {
  if (!found) return refuse(404, 'Payment not found');
  const { status } = stateOf(found.status);
  const message = REFUSALS[found.status];
  return message ? { status, message } : { status };
}

const REFUSALS: Partial<Record<StoredStatus, string>> = {
  declined: 'Your card was declined. Please try another card.',
  insufficient_funds: 'Your card has insufficient funds. Please try another card.',
  refused: 'The payment was not approved. Please try again or use another card.',
};

/** A stored status as orders understand it. */
export function stateOf(stored: StoredStatus): PaymentState {
  if (stored === 'succeeded' || stored === 'requires_action' || stored === 'canceled')
    return { status: stored, refused: false };
  return { status: 'requires_payment_method', refused: stored !== 'new' };
}
