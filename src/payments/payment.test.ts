/** What a payment is called by both providers, and which requests the test gateway takes. */
import { describe, expect, test } from 'vitest';
import { PAYMENT_STATUSES, wasStarted } from '../orders/payment.ts';
import {
  takesTax,
  testAnswerRequest,
  testConfirmRequest,
  testRetrieveRequest,
} from './payment-shapes.ts';
import { TEST_CARDS } from './test-gateway/test-cards.ts';

test('a payment has the statuses that Stripe names', () => {
  expect(PAYMENT_STATUSES).toEqual([
    'requires_payment_method',
    'requires_action',
    'processing',
    'succeeded',
    'canceled',
  ]);
});

test('only Stripe takes tax, and only when it is switched on', () => {
  expect(takesTax({ provider: 'test' })).toBe(false);
  expect(takesTax({ provider: 'stripe', publishableKey: 'pk' })).toBe(false);
  expect(takesTax({ provider: 'stripe', publishableKey: 'pk', tax: true })).toBe(true);
});

test('a payment was started when either of its ids is known', () => {
  expect(wasStarted({ paymentId: null, subscriptionId: null })).toBe(false);
  expect(wasStarted({ paymentId: 'pi', subscriptionId: null })).toBe(true);
  expect(wasStarted({ paymentId: null, subscriptionId: 'sub' })).toBe(true);
});

test('four test cards do not simply succeed', () => {
  const others = Object.entries(TEST_CARDS).filter(([, token]) => token !== 'succeeds');
  expect(Object.fromEntries(others)).toEqual({
    '4000000000000002': 'declined',
    '4000000000000341': 'fails_later',
    '4000000000009995': 'insufficient_funds',
    '4000002500003155': 'asks',
  });
});

describe('the test gateway is asked', () => {
  const clientSecret = 'test_payment_7_secret_a-B';
  const takes = (schema: { safeParse(body: object): { success: boolean } }, body: object) =>
    schema.safeParse(body).success;

  test('to confirm a payment with a token', () => {
    expect(takes(testConfirmRequest, { clientSecret, token: 'asks' })).toBe(true);
    expect(takes(testConfirmRequest, { clientSecret, token: '4242424242424242' })).toBe(false);
    expect(takes(testConfirmRequest, { clientSecret })).toBe(false);
    expect(takes(testConfirmRequest, { token: 'asks' })).toBe(false);
  });

  test('to answer as the bank', () => {
    expect(takes(testAnswerRequest, { clientSecret, approve: false })).toBe(true);
    expect(takes(testAnswerRequest, { clientSecret })).toBe(false);
    expect(takes(testAnswerRequest, { approve: true })).toBe(false);
  });

  test.each([
    ['a', true],
    ['a'.repeat(200), true],
    ['a'.repeat(201), false],
    ['', false],
    [' a', false],
    ['a ', false],
  ])('by the secret %j: %s', (secret, taken) => {
    expect(takes(testRetrieveRequest, { clientSecret: secret })).toBe(taken);
  });

  test('by no other name than its secret', () => {
    expect(takes(testRetrieveRequest, {})).toBe(false);
    expect(takes(testRetrieveRequest, { clientSecret, orderId: 7 })).toBe(false);
  });
});
