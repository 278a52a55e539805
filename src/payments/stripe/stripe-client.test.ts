/** Stripe's library as the site uses it: where it asks, and what is logged of a failure. */
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { logged } from '../../../tests/support/logged.ts';
import { orUnavailable, stripeClient } from './stripe-client.server.ts';

test.each([
  [null, 'api.stripe.com', 'https', '443'],
  ['http://localhost:12111', 'localhost', 'http', '12111'],
])('with the address %j it asks %s', (apiUrl, host, protocol, port) => {
  const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' };
  const stripe = stripeClient({ ...keys, live: false, tax: false, apiUrl });
  expect([stripe.getApiField('host'), stripe.getApiField('protocol')]).toEqual([host, protocol]);
  expect(String(stripe.getApiField('port'))).toBe(port);
});

test('a failure that Stripe declares is logged without secrets; a bug of ours is thrown on', async () => {
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
  expect(lines).toMatchObject([{ event: 'stripe-failed', during: 'look', message }]);
  const bug = orUnavailable('look', Promise.reject(new TypeError('ours')));
  await expect(bug).rejects.toThrow('ours');
});
