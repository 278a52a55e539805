/** The browser's side of the test gateway: tokens go out, never a card number. */
import type { Retrieved } from '../../orders/payment.ts';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import {
  ANSWER_TEST_PAYMENT,
  CONFIRM_TEST_PAYMENT,
  RETRIEVE_TEST_PAYMENT,
  type TestPayment,
} from '../payment-api.ts';
import { TEST_CARDS, type TestToken } from './test-cards.ts';

/** The token of a known test number, typed with or without spaces. */
export function testToken(cardNumber: string): TestToken | undefined {
  return Object.entries(TEST_CARDS).find(([number]) => number === cardNumber)?.[1];
}

export function confirmTestPayment(
  clientSecret: string,
  token: TestToken,
  last4: string,
): Promise<TestPayment | 'unknown'> {
  return orUnknown(fetchCall(CONFIRM_TEST_PAYMENT, { body: { clientSecret, token, last4 } }));
}

export function answerTestPayment(clientSecret: string, approve: boolean): Promise<TestPayment> {
  return fetchCall(ANSWER_TEST_PAYMENT, { body: { clientSecret, approve } });
}

export async function retrieveTestPayment(clientSecret: string): Promise<Retrieved> {
  const found = await orUnknown(fetchCall(RETRIEVE_TEST_PAYMENT, { body: { clientSecret } }));
  return found === 'unknown' ? found : found.status;
}

/** 'unknown': the gateway has no payment with this secret, or it is not the form of one. */
async function orUnknown(answer: Promise<TestPayment>): Promise<TestPayment | 'unknown'> {
  try {
    return await answer;
  } catch (error) {
    const isUnknown = error instanceof CallError && (error.status === 404 || error.status === 400);
    if (isUnknown) return 'unknown';
    throw error;
  }
}
