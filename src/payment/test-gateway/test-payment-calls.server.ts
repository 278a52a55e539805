/** A test payment is confirmed, approved or refused, and looked at, by a browser that has its secret. */
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import { isOver } from '../../orders/order.ts';
import { lockOrder } from '../../orders/order-billing-store.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import {
  ANSWER_TEST_PAYMENT,
  CONFIRM_TEST_PAYMENT,
  RETRIEVE_TEST_PAYMENT,
} from '../payment-contracts.ts';
import {
  type TestPayment,
  testAnswerRequest,
  testConfirmRequest,
  testPayment,
  testRetrieveRequest,
} from '../payment-shapes.ts';
import { beginSubscription } from './bill-test-subscription.server.ts';
import { findCardEntry, isCardSecret, keepCardEntry } from './test-card-store.server.ts';
import { type TestCard, type TestToken, testCard } from './test-cards.ts';
import { stateOf } from './test-gateway.server.ts';

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
  fails_later: 'succeeded',
};

/** What the browser asks of the built-in provider, which decides by a card's token. */
export function testPaymentCalls({ db, notify }: FollowDeps): Call[] {
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
    card: TestCard,
  ): Promise<TestPayment | Response> {
    if (isCardSecret(clientSecret)) return enterCard(clientSecret, from, to, card);
    const found = await find(clientSecret);
    if (!found) return refuse(404, 'Payment not found');
    const over = await db.transaction().execute(async (trx) => {
      const order = await lockOrder(trx, found.orderId);
      // It was given up meanwhile, such as for another that pays the same quote.
      if (isOver(order.status) && found.status !== 'succeeded') return true;
      const result = await trx
        .updateTable('testPayments')
        .set({ status: to })
        .where('id', '=', found.id)
        .where('status', 'in', from)
        .executeTakeFirst();
      if (result.numUpdatedRows === 0n) return false;
      // Nobody pays in steps: the month begins with the payment.
      const invoices = to === 'succeeded' ? await beginSubscription(trx, order, card) : [];
      await followPayment({ db: trx, notify }, order.id, { ...stateOf(to), invoices }, cause);
      return false;
    });
    if (over) return { status: 'canceled' };
    return toJson((await find(clientSecret))?.status ?? found.status);
  }

  /** A card alone is kept; nothing is paid with it yet. */
  async function enterCard(
    clientSecret: string,
    from: Stored[],
    to: Stored,
    card: TestCard,
  ): Promise<TestPayment | Response> {
    const found = await findCardEntry(db, clientSecret);
    if (!found) return refuse(404, 'Payment not found');
    // Until it is in use, another card may take its place.
    const open = from === payable ? [...payable, 'succeeded'] : from;
    if (open.some((each) => each === found.status)) await keepCardEntry(db, clientSecret, to, card);
    return toJson((await findCardEntry(db, clientSecret))?.status ?? found.status);
  }

  const payable: Stored[] = ['new', 'declined', 'insufficient_funds', 'refused', 'requires_action'];
  return [
    call(CONFIRM_TEST_PAYMENT, {
      access: 'anyone',
      body: testConfirmRequest,
      answer: testPayment,
      handle: ({ body: { clientSecret, token, last4 } }) =>
        become(
          clientSecret,
          payable,
          AFTER_TOKEN[token],
          `test card: ${token.replace('_', ' ')}`,
          testCard(token, last4),
        ),
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
          testCard('asks', undefined),
        ),
    }),
    call(RETRIEVE_TEST_PAYMENT, {
      access: 'anyone',
      body: testRetrieveRequest,
      answer: testPayment,
      handle: async ({ body: { clientSecret } }) => {
        const found = isCardSecret(clientSecret)
          ? await findCardEntry(db, clientSecret)
          : await find(clientSecret);
        return found ? toJson(found.status) : refuse(404, 'Payment not found');
      },
    }),
  ];
}

function toJson(stored: string): TestPayment {
  const { status } = stateOf(stored);
  const message = Object.entries(REFUSALS).find(([name]) => name === stored)?.[1];
  return message ? { status, message } : { status };
}
