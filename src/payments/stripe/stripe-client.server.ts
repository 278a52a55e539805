/** Stripe's own library, aimed at the host that the environment names, and how its failures are read. */
import Stripe from 'stripe';
import * as z from 'zod/mini';
import type { StripeEnv } from '../../platform/config/env.server.ts';
import { logEvent } from '../../platform/log.server.ts';
import { COULD_NOT } from './stripe-words.ts';

export const CURRENCY = 'usd';

const TOLERANCE_SECONDS = 300;

export function stripeClient({ secretKey, apiUrl }: StripeEnv): Stripe {
  const options = {
    // With the pauses between them, 25 seconds in all.
    timeout: 8_000,
    maxNetworkRetries: 2,
    telemetry: false,
  };
  if (!apiUrl) return new Stripe(secretKey, options);
  const { hostname, port, protocol } = new URL(apiUrl);
  return new Stripe(secretKey, {
    ...options,
    host: hostname,
    ...(protocol === 'http:' ? { protocol: 'http' } : {}),
    ...(port ? { port: Number(port) } : {}),
  });
}

/** A failure that Stripe declares; anything else is a bug of ours and thrown on. */
export function stripeFailure(error: unknown, during: string): Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, param, statusCode, requestId, message } = error;
  logEvent('warn', 'stripe-failed', {
    during,
    type,
    code,
    param,
    statusCode,
    requestId,
    message: message.replace(/_secret_\w+/g, '_secret_…'),
  });
  return error;
}

/** Stripe has decided against it: the same request would get the same answer. */
export function isFinal({ statusCode = 500 }: Stripe.errors.StripeError): boolean {
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429 && statusCode !== 409;
}

/** Stripe knows nothing, or nothing any more, by this id: deleted, or another mode's or account's. */
export function isMissing(error: unknown, id: string): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    error.code === 'resource_missing' &&
    error.message.includes(id)
  );
}

export interface Refused {
  refused: string;
}

/** A call on somebody's behalf. A customer reads our words and Stripe's go to the log; staff read `inWords`. */
export async function callStripe<const Done>(
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

/** Gives what Stripe answers, or 'away' when it declares a failure. */
export async function orAway<Answer>(
  during: string,
  asked: Promise<Answer>,
): Promise<Answer | 'away'> {
  try {
    return await asked;
  } catch (error) {
    stripeFailure(error, during);
    return 'away';
  }
}

/**
 * The event in a webhook's raw body; undefined unless one of the secrets signed it, of which there are two while it is being
 * rotated. 'unreadable': it is signed, and no event.
 */
export function signedEvent(
  stripe: Stripe,
  secrets: readonly string[],
  body: string,
  signature: string,
): Stripe.Event | 'unreadable' | undefined {
  // The library refuses what is too old alone.
  const signedAt = Number(/(?:^|,)t=(\d+)(?:,|$)/.exec(signature)?.[1]);
  if (!(signedAt <= Date.now() / 1000 + TOLERANCE_SECONDS)) return undefined;
  for (const secret of secrets) {
    try {
      const event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
      return isEvent(event) ? event : 'unreadable';
    } catch (error) {
      if (error instanceof SyntaxError) return 'unreadable';
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  return undefined;
}

const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ object: z.looseObject({}) }),
});

function isEvent(value: unknown): boolean {
  return eventSchema.safeParse(value).success;
}
