/** The browser's side of the test gateway: tokens go out, never a card number. */
import type { Retrieved } from '../../orders/order.ts';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import { CONFIRM_TEST_PAYMENT, RETRIEVE_TEST_PAYMENT, type TestPayment } from '../payment-api.ts';
import type { TestToken } from './test-cards.ts';

export function confirmTestPayment(clientSecret: string, token: TestToken, last4: string) {
  return orUnknown(fetchCall(CONFIRM_TEST_PAYMENT, { body: { clientSecret, token, last4 } }));
}

export async function retrieveTestPayment(clientSecret: string): Promise<Retrieved> {
  return (await orUnknown(fetchCall(RETRIEVE_TEST_PAYMENT, { body: { clientSecret } }))).status;
}

/** 'unknown': the gateway has no payment with this secret, or it is not the form of one. */
async function orUnknown(
  answer: Promise<TestPayment>,
): Promise<TestPayment | { status: 'unknown'; message?: undefined }> {
  try {
    return await answer;
  } catch (error) {
    const isUnknown = error instanceof CallError && (error.status === 404 || error.status === 400);
    if (isUnknown) return { status: 'unknown' };
    throw error;
  }
}
