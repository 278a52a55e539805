/** The browser's side of the test gateway: tokens go out, never a card number. */
import { PAYMENT_STATUSES, type Retrieved } from '../../orders/payment.ts';
import { CallError, fetchCall } from '../../platform/old/fetch-call.ts';
import { fields, oneOf, or, text } from '../../platform/old/read.ts';
import {
  ANSWER_TEST_PAYMENT,
  CONFIRM_TEST_PAYMENT,
  RETRIEVE_TEST_PAYMENT,
} from '../payment-contracts.ts';
import type { TestPayment } from '../payment-shapes.ts';
import { TEST_CARDS, type TestToken } from './test-cards.ts';

/** The token of a known test number, typed with or without spaces. */
export function testToken(cardNumber: string): TestToken | undefined {
  return Object.entries(TEST_CARDS).find(([number]) => number === cardNumber)?.[1];
}

export function confirmTestPayment(
  clientSecret: string,
  token: TestToken,
  last4?: string,
): Promise<TestPayment | 'unknown'> {
  const body = { clientSecret, token, ...(last4 && { last4 }) };
  return known(fetchCall(CONFIRM_TEST_PAYMENT, readPayment, { body }));
}

export function answerTestPayment(clientSecret: string, approve: boolean): Promise<TestPayment> {
  return fetchCall(ANSWER_TEST_PAYMENT, readPayment, { body: { clientSecret, approve } });
}

export async function retrieveTestPayment(clientSecret: string): Promise<Retrieved> {
  const found = await known(
    fetchCall(RETRIEVE_TEST_PAYMENT, readPayment, { body: { clientSecret } }),
  );
  return found === 'unknown' ? found : found.status;
}

/** The gateway has no payment with this secret, or it is none. */
async function known(asked: Promise<TestPayment>): Promise<TestPayment | 'unknown'> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CallError && (error.status === 404 || error.status === 400))
      return 'unknown';
    throw error;
  }
}

const readPayment = fields<TestPayment>({
  status: oneOf(PAYMENT_STATUSES),
  message: or(text, ''),
});
