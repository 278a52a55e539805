/** Stripe's library as the site uses it: where it asks, and what is logged of a failure. */
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { logged } from '../../../tests/support/logged.ts';
import type { StripeEnv } from '../../platform/config/env.server.ts';
import { orUnavailable, stripeClient, stripeFailure } from './stripe-client.server.ts';

const ENV: StripeEnv = {
  secretKey: 'sk_test_1',
  publishableKey: 'pk_test_1',
  live: false,
  webhookSecret: 'whsec_1',
  apiUrl: null,
  tax: false,
};

const { StripeInvalidRequestError } = Stripe.errors;

describe('the client', () => {
  test.each([
    [null, 'api.stripe.com', 'https', '443'],
    ['http://localhost:12111', 'localhost', 'http', '12111'],
    ['https://stripe.example.com', 'stripe.example.com', 'https', '443'],
  ])('with the address %j asks %s', (apiUrl, host, protocol, port) => {
    const stripe = stripeClient({ ...ENV, apiUrl });
    expect([stripe.getApiField('host'), stripe.getApiField('protocol')]).toEqual([host, protocol]);
    expect(String(stripe.getApiField('port'))).toBe(port);
    // Nothing is told about the site besides.
    expect([stripe.getMaxNetworkRetries(), stripe.getTelemetryEnabled()]).toEqual([2, false]);
  });
});

describe('a failure', () => {
  const failure = new StripeInvalidRequestError({
    message: 'No such payment: pi_1_secret_abc123',
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: 'id',
    statusCode: 404,
    requestId: 'req_1',
  });

  test('that Stripe declares is logged without secrets', async () => {
    const lines = await logged(() => expect(stripeFailure(failure, 'look')).toBe(failure));
    expect(lines).toEqual([
      {
        at: expect.any(String),
        level: 'warn',
        event: 'stripe-failed',
        during: 'look',
        type: 'StripeInvalidRequestError',
        code: 'resource_missing',
        param: 'id',
        statusCode: 404,
        requestId: 'req_1',
        message: 'No such payment: pi_1_secret_…',
      },
    ]);
  });

  test('is unavailability for the caller, and an answer is returned', async () => {
    const lines = await logged(async () => {
      expect(await orUnavailable('look', Promise.reject(failure))).toBe('unavailable');
      expect(await orUnavailable('look', Promise.resolve(7))).toBe(7);
    });
    expect(lines).toMatchObject([{ during: 'look' }]);
  });

  test('of ours is thrown on', async () => {
    await expect(orUnavailable('look', Promise.reject(new TypeError('ours')))).rejects.toThrow(
      'ours',
    );
  });
});
