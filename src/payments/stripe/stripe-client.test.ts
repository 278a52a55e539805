/** The host that Stripe's client calls, and what is logged when a call fails. */
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { logged } from '../../../tests/support/logged.ts';
import { callStripe, orUnavailable, stripeClient } from './stripe-client.server.ts';

test('without STRIPE_API_URL the client calls Stripe itself, by TLS', () => {
  const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' };
  const stripe = stripeClient({ ...keys, live: false, tax: false, apiUrl: null });
  const target = (['protocol', 'host', 'port'] as const).map((field) => stripe.getApiField(field));
  expect(target).toEqual(['https', 'api.stripe.com', 443]);
});

test('an error from Stripe is logged without client secrets, and a bug of ours is rethrown', async () => {
  const failure = new Stripe.errors.StripeInvalidRequestError({
    message: 'No such payment: pi_1_secret_abc123',
    type: 'invalid_request_error',
    code: 'resource_missing',
    statusCode: 404,
  });
  const lines = await logged(async () => {
    expect(await orUnavailable('look', Promise.reject(failure))).toBe('unavailable');
  });
  const message = 'No such payment: pi_1_secret_…';
  expect(lines).toMatchObject([{ event: 'stripe-request-failed', during: 'look', message }]);
  const bug = orUnavailable('look', Promise.reject(new TypeError('ours')));
  await expect(bug).rejects.toThrow('ours');
});

test('a customer can try again while Stripe is busy or down, and is asked to contact us once it refuses', async () => {
  const answers: unknown[] = [];
  await logged(async () => {
    for (const statusCode of [409, 429, 500, 404]) {
      const failure = new Stripe.errors.StripeAPIError({ type: 'api_error', statusCode });
      answers.push(await callStripe('change', () => Promise.reject(failure)));
    }
  });
  const refused = { refused: 'We couldn’t make this change. Please contact us.' };
  expect(answers).toEqual(['unavailable', 'unavailable', 'unavailable', refused]);
});
