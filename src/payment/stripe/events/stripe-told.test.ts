/** What is made of Stripe's errors on a customer's behalf. */
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { logged } from '../../../../tests/support/logged.ts';
import { inRounds, told } from './stripe-told.server.ts';

const { StripeAPIError, StripeCardError, StripeInvalidRequestError, StripeRateLimitError } =
  Stripe.errors;
const made = (
  Kind: new (raw: { type: 'api_error'; message: string; statusCode: number }) => Error,
  statusCode: number,
  headers: Record<string, string> | null = {},
) => Object.assign(new Kind({ type: 'api_error', message: 'no', statusCode }), { headers });
const REPLAYED = { 'idempotent-replayed': 'true' };

/** The rounds that were begun, with what each was told of the one before. */
async function rounds(errors: readonly Error[]) {
  const begun: unknown[] = [];
  const outcome = await inRounds(
    async (round) => {
      begun.push(round);
      const error = errors[round - 1];
      if (error) throw error;
      return 'done';
    },
    (error) => begun.push(error),
  ).catch((error: unknown) => error);
  return { begun, outcome };
}

describe('another round', () => {
  test.each([
    ['a request that does not fit any more', made(StripeInvalidRequestError, 400)],
    ['a failure that is only repeated', made(StripeAPIError, 500, REPLAYED)],
  ])('follows %s', async (_what, error) => {
    expect(await rounds([error])).toEqual({ begun: [1, error, 2], outcome: 'done' });
  });

  test.each([
    ['what is not there', made(StripeInvalidRequestError, 404)],
    ['a failure of now', made(StripeAPIError, 500)],
    ['a failure of which no more is known', made(StripeAPIError, 500, null)],
    ['a card that was refused', made(StripeCardError, 402, REPLAYED)],
    ['too many requests', made(StripeRateLimitError, 429, REPLAYED)],
    ['a bug of ours', new TypeError('ours')],
  ])('does not follow %s', async (_what, error) => {
    expect(await rounds([error])).toEqual({ begun: [1], outcome: error });
  });

  test('is tried twice at most', async () => {
    const error = made(StripeInvalidRequestError, 400);
    const { begun, outcome } = await rounds([error, error, error]);
    expect(begun).toEqual([1, error, 2, error, 3]);
    expect(outcome).toBe(error);
  });
});

describe('a customer is told', () => {
  test.each([
    [made(StripeInvalidRequestError, 400), { refused: expect.stringContaining('contact us') }],
    [made(StripeInvalidRequestError, 404), { refused: expect.stringContaining('contact us') }],
    [made(StripeAPIError, 500), 'away'],
    [made(StripeRateLimitError, 429), 'away'],
    [made(StripeAPIError, 409), 'away'],
  ])('of %s', async (error, outcome) => {
    const lines = await logged(async () => {
      expect(await told('a-change', () => Promise.reject(error))).toEqual(outcome);
    });
    expect(lines).toMatchObject([{ event: 'stripe-failed', during: 'a-change' }]);
  });

  test('nothing of a bug of ours, which is thrown on', async () => {
    const bug = told('a-change', () => Promise.reject(new TypeError('ours')));
    await expect(bug).rejects.toThrow('ours');
  });
});
