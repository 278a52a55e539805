/** What a customer reads of a card, by what Stripe.js answers; journeys pay with the real outcomes. */
import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js';
import { expect, test } from 'vitest';
import { confirmCard } from './stripe-card-fields.tsx';

const BILLING = {
  name: 'Pat Buyer',
  email: 'pat@example.com',
  phone: null,
  company: null,
  postalCode: '30301',
};
const card = {} as StripeCardNumberElement;

/** Confirms at a Stripe.js that gives these answers, in this order; `asked` is what the page was told of the bank. */
async function confirm(secret: string, ...answers: object[]) {
  const sent: unknown[] = [];
  const asked: boolean[] = [];
  const answer = async (_secret: unknown, data?: unknown) => {
    sent.push(data);
    return answers.shift();
  };
  const stripe = { confirmCardPayment: answer, confirmCardSetup: answer, handleNextAction: answer };
  const outcome = await confirmCard(secret, {
    stripe: stripe as unknown as Stripe,
    card,
    billing: BILLING,
    onAsking: (asking) => asked.push(asking),
  }).catch((error: Error) => error.message);
  return { outcome, sent, asked };
}

test.each([
  ['pi_1_secret_x', 'paymentIntent', 'payment_intent', 'payment'],
  ['seti_1_secret_x', 'setupIntent', 'setup_intent', 'card'],
] as const)('every outcome of %s', async (secret, intent, kind, what) => {
  const asks = { [intent]: { status: 'requires_action' } };
  const refused = (message: string) => ({ kind: 'refused', message });
  const failed = (error: object, status = 'requires_payment_method') => ({
    error: { ...error, [kind]: { status } },
  });
  const notConfirmed = refused(
    `Your bank did not confirm the ${what}. Please try again or use another card.`,
  );
  const good = await confirm(secret, { [intent]: { status: 'succeeded' } });
  expect(good).toMatchObject({ outcome: { kind: 'decided' }, asked: [] });
  const { name, email } = BILLING;
  const address = { country: 'US', postal_code: '30301' };
  expect(good.sent[0]).toEqual({
    payment_method: { card, billing_details: { name, email, address } },
  });
  const declined = failed({ type: 'card_error', message: 'Your card was declined.' });
  expect((await confirm(secret, declined)).outcome).toEqual(refused('Your card was declined.'));
  const yes = await confirm(secret, asks, { [intent]: { status: 'succeeded' } });
  expect(yes).toMatchObject({ outcome: { kind: 'decided' }, asked: [true, false] });
  const no = failed({ type: 'invalid_request_error', code: `${kind}_authentication_failure` });
  expect((await confirm(secret, asks, no)).outcome).toEqual(notConfirmed);
  const late = { type: 'invalid_request_error', code: `${kind}_unexpected_state` };
  expect((await confirm(secret, failed(late, 'succeeded'))).outcome).toEqual({ kind: 'decided' });
  expect((await confirm(secret, failed(late, 'canceled'))).outcome).toEqual({ kind: 'expired' });
});

test('a connection that breaks while the bank asks is a fault, not the card’s', async () => {
  const asks = { paymentIntent: { status: 'requires_action' } };
  const broken = await confirm('pi_1_secret_x', asks, { error: { type: 'api_connection_error' } });
  expect(broken).toMatchObject({ outcome: 'api_connection_error', asked: [true, false] });
});
