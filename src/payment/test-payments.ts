/** The browser's side of the test gateway: tokens go out, never a card number. */
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import { fields, oneOf, or, text } from '../platform/read.ts';
import {
  PAYMENT_STATUSES,
  type Retrieved,
  TEST_CARDS,
  type TestPaymentJson,
  type TestToken,
} from './payment.ts';

/** The token of a known test number, typed with or without spaces. */
export function testToken(cardNumber: string): TestToken | undefined {
  return Object.entries(TEST_CARDS).find(([number]) => number === cardNumber)?.[1];
}

export function confirmTestPayment(
  clientSecret: string,
  token: TestToken,
): Promise<TestPaymentJson | 'unknown'> {
  return known(post('confirm', { clientSecret, token }));
}

export function answerTestPayment(
  clientSecret: string,
  approve: boolean,
): Promise<TestPaymentJson> {
  return post('answer', { clientSecret, approve });
}

export async function retrieveTestPayment(clientSecret: string): Promise<Retrieved> {
  const found = await known(post('retrieve', { clientSecret }));
  return found === 'unknown' ? found : found.status;
}

/** The gateway has no payment with this secret, or it is none. */
async function known(asked: Promise<TestPaymentJson>): Promise<TestPaymentJson | 'unknown'> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CallError && (error.status === 404 || error.status === 400))
      return 'unknown';
    throw error;
  }
}

const readPayment = fields<TestPaymentJson>({
  status: oneOf(PAYMENT_STATUSES),
  message: or(text, ''),
});

function post(what: string, body: object): Promise<TestPaymentJson> {
  return fetchJson(`/api/test-payments/${what}`, readPayment, { method: 'POST', body });
}
