/** How a call to Stripe on a customer's behalf ends: in an answer, in words for people, or later. */
import Stripe from 'stripe';
import { isFinal, stripeFailure } from '../stripe-client.server.ts';
import { COULD_NOT } from '../stripe-words.ts';

export interface Refused {
  refused: string;
}

/** A customer reads our words and Stripe's go to the log; staff read `inWords`. */
export async function told<const Done>(
  during: string,
  act: () => Promise<Done>,
  inWords = (_failure: Stripe.errors.StripeError) => COULD_NOT,
): Promise<Done | Refused | 'away'> {
  try {
    return await act();
  } catch (error) {
    const failure = stripeFailure(error, during);
    return isFinal(failure) ? { refused: inWords(failure) } : 'away';
  }
}

const MOST_ROUNDS = 3;

/**
 * Another round goes by another idempotency key: Stripe repeats to one for a day what it has answered, a failure too.
 * Each round looks first whether the one before was done all the same.
 */
export async function inRounds<Done>(
  act: (round: number) => Promise<Done>,
  beforeNext: (error: unknown) => void = () => {},
): Promise<Done> {
  for (let round = 1; ; round += 1) {
    try {
      return await act(round);
    } catch (error) {
      if (round === MOST_ROUNDS || !mayDiffer(error)) throw error;
      beforeNext(error);
    }
  }
}

/** A price may have been archived since it was looked up; and what is repeated says nothing of now. */
function mayDiffer(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return error.statusCode === 400;
  return (
    error instanceof Stripe.errors.StripeAPIError &&
    error.headers?.['idempotent-replayed'] === 'true'
  );
}
