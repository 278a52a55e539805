/** Stripe's own library, aimed at the host that the environment names, and how its failures are read. */
import Stripe from 'stripe';
import type { NotDone } from '../../orders/gateway.server.ts';
import type { StripeEnv } from '../../platform/config/env.server.ts';
import { logEvent } from '../../platform/log.server.ts';

export const CURRENCY = 'usd';

export function stripeClient({ secretKey, apiUrl }: StripeEnv): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl ?? 'https://api.stripe.com');
  return new Stripe(secretKey, {
    // With the library's pauses between them, 25 seconds for one call.
    timeout: 8_000,
    maxNetworkRetries: 2,
    telemetry: false,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
  });
}

/** Logs a failure that Stripe declares; anything else is a bug of ours and thrown on. */
export function stripeFailure(error: unknown, during: string): Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, param, statusCode, requestId } = error;
  const message = error.message.replace(/_secret_\w+/g, '_secret_…');
  logEvent('warn', 'stripe-failed', { during, type, code, param, statusCode, requestId, message });
  return error;
}

/** Whether Stripe has decided against it: the same request would get the same answer. */
export function isFinal({ statusCode = 500 }: Stripe.errors.StripeError): boolean {
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429 && statusCode !== 409;
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code;
}

const COULD_NOT = 'We couldn’t make this change. Please contact us.';

/** A call on a person's behalf. Customers read our words for a refusal, and Stripe's go to the log; staff read `words`. */
export async function callStripe<const Done>(
  during: string,
  act: () => Promise<Done>,
  words = (_failure: Stripe.errors.StripeError) => COULD_NOT,
): Promise<Done | NotDone> {
  try {
    return await act();
  } catch (error) {
    const failure = stripeFailure(error, during);
    return isFinal(failure) ? { refused: words(failure) } : 'unavailable';
  }
}

/** Stripe's answer, or 'unavailable' when it declares any failure. */
export async function orUnavailable<Answer>(
  during: string,
  answer: Promise<Answer>,
): Promise<Answer | 'unavailable'> {
  try {
    return await answer;
  } catch (error) {
    stripeFailure(error, during);
    return 'unavailable';
  }
}

/** A reference is an id, or the object when it was expanded. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}
