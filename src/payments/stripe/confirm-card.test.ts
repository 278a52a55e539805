/** What a customer reads for each answer of Stripe.js. The journeys pay with the common ones. */
import type { StripeCardNumberElement } from '@stripe/stripe-js';
import { expect, test, vi } from 'vitest';
import { confirmCard } from './confirm-card.ts';

const BILLING = {
  name: 'Pat Buyer',
  email: 'pat@example.com',
  phone: null,
  company: null,
  postalCode: '30301',
};
const card = {} as StripeCardNumberElement;

/** Confirms a card against a Stripe.js that returns these answers in turn. */
async function confirm(secret: string, ...answers: object[]) {
  const authenticating: boolean[] = [];
  const answer = vi.fn();
  for (const each of answers) answer.mockResolvedValueOnce(each);
  const outcome = await confirmCard(secret, {
    stripe: { confirmCardPayment: answer, confirmCardSetup: answer, handleNextAction: answer },
    card,
    billing: BILLING,
    unreachable: 'Allow api.stripe.com',
    onAuthenticating: (open) => authenticating.push(open),
  }).catch((error: Error) => error.message);
  return { outcome, sent: answer.mock.lastCall?.[1], authenticating };
}

test.each([
  ['pi_1_secret_x', 'paymentIntent', 'payment_intent', 'payment'],
  ['seti_1_secret_x', 'setupIntent', 'setup_intent', 'card'],
] as const)(
  'a customer who confirms %s reads why the card was not accepted, and only that',
  async (secret, intent, kind, what) => {
    const needsAction = { [intent]: { status: 'requires_action' } };
    const refused = (message: string) => ({ kind: 'refused', message });
    const failed = (error: object, status = 'requires_payment_method') => ({
      error: { ...error, [kind]: { status } },
    });
    const notConfirmed = refused(
      `Your bank did not confirm the ${what}. Please try again or use another card.`,
    );
    const good = await confirm(secret, { [intent]: { status: 'succeeded' } });
    expect(good).toMatchObject({ outcome: { kind: 'decided' }, authenticating: [] });
    // A card that would be entered again could be charged twice.
    const slow = await confirm(secret, { [intent]: { status: 'processing' } });
    expect(slow.outcome).toEqual({ kind: 'decided' });
    const { name, email } = BILLING;
    const address = { country: 'US', postal_code: '30301' };
    expect(good.sent).toEqual({
      payment_method: { card, billing_details: { name, email, address } },
    });
    const declined = failed({ type: 'card_error', message: 'Your card was declined.' });
    expect((await confirm(secret, declined)).outcome).toEqual(refused('Your card was declined.'));
    const approved = await confirm(secret, needsAction, { [intent]: { status: 'succeeded' } });
    expect(approved).toMatchObject({ outcome: { kind: 'decided' }, authenticating: [true, false] });
    const rejected = failed({
      type: 'invalid_request_error',
      code: `${kind}_authentication_failure`,
    });
    expect((await confirm(secret, needsAction, rejected)).outcome).toEqual(notConfirmed);
    const late = { type: 'invalid_request_error', code: `${kind}_unexpected_state` };
    expect((await confirm(secret, failed(late, 'succeeded'))).outcome).toEqual({ kind: 'decided' });
    expect((await confirm(secret, failed(late, 'canceled'))).outcome).toEqual({ kind: 'expired' });
  },
);

test('a connection lost during 3-D Secure is reported as a fault, not as a declined card', async () => {
  const needsAction = { paymentIntent: { status: 'requires_action' } };
  const broken = await confirm('pi_1_secret_x', needsAction, {
    error: { type: 'api_connection_error' },
  });
  expect(broken).toMatchObject({ outcome: 'api_connection_error', authenticating: [true, false] });
});
