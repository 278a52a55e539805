/** A test payment is confirmed, approved or refused, and looked at, by a browser that has its secret. */
import type { FollowDeps } from '../../orders/follow-payment.server.ts';
import { type Call, oldCall } from '../../platform/http/call.server.ts';
import {
  ANSWER_TEST_PAYMENT,
  CONFIRM_TEST_PAYMENT,
  RETRIEVE_TEST_PAYMENT,
} from '../payment-contracts.ts';
import {
  testAnswerRequest,
  testConfirmRequest,
  testPayment,
  testRetrieveRequest,
} from '../payment-shapes.ts';
import {
  PAYABLE,
  retrieveTestPayment,
  type Stored,
  settleTestPayment,
} from './settle-test-payment.server.ts';
import { type TestToken, testCard } from './test-cards.ts';

const AFTER_TOKEN: Record<TestToken, Stored> = {
  succeeds: 'succeeded',
  declined: 'declined',
  insufficient_funds: 'insufficient_funds',
  asks: 'requires_action',
  fails_later: 'succeeded',
};

/** What the browser asks of the built-in provider, which decides by a card's token. */
export function testPaymentCalls(deps: FollowDeps): Call[] {
  return [
    oldCall(CONFIRM_TEST_PAYMENT, {
      access: 'anyone',
      body: testConfirmRequest,
      answer: testPayment,
      handle: ({ body: { clientSecret, token, last4 } }) =>
        settleTestPayment(deps, clientSecret, {
          from: PAYABLE,
          to: AFTER_TOKEN[token],
          cause: `test card: ${token.replace('_', ' ')}`,
          card: testCard(token, last4),
        }),
    }),
    oldCall(ANSWER_TEST_PAYMENT, {
      access: 'anyone',
      body: testAnswerRequest,
      answer: testPayment,
      handle: ({ body: { clientSecret, approve } }) =>
        settleTestPayment(deps, clientSecret, {
          from: ['requires_action'],
          to: approve ? 'succeeded' : 'refused',
          cause: approve ? 'confirmation approved' : 'confirmation refused',
          card: testCard('asks', undefined),
        }),
    }),
    oldCall(RETRIEVE_TEST_PAYMENT, {
      access: 'anyone',
      body: testRetrieveRequest,
      answer: testPayment,
      handle: ({ body: { clientSecret } }) => retrieveTestPayment(deps.db, clientSecret),
    }),
  ];
}
