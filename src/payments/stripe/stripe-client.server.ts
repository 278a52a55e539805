/** Stripe's client, configured from the environment, and how its errors are logged and classified. */
import Stripe from 'stripe';
import type { NotDone } from '../../orders/gateway.server.ts';
import type { StripeEnv } from '../../platform/config/env.server.ts';
import { logEvent } from '../../platform/log.server.ts';

export const CURRENCY = 'usd';

export function stripeClient({ secretKey, apiUrl }: StripeEnv): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl ?? 'https://api.stripe.com');
  return new Stripe(secretKey, {
    // Three attempts and the pauses between them: 25 seconds at most.
    timeout: 8_000,
    maxNetworkRetries: 2,
    telemetry: false,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
  });
}

/** Logs an error from Stripe, without client secrets, and returns it. Anything else is a bug and is rethrown. */
export function stripeFailure(error: unknown, during: string): Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, param, statusCode, requestId } = error;
  const message = error.message.replace(/_secret_\w+/g, '_secret_…');
  logEvent('warn', 'stripe-failed', { during, type, code, param, statusCode, requestId, message });
  return error;
}

/** Whether retrying the same request would fail again. */
export function isFinal({ statusCode = 500 }: Stripe.errors.StripeError): boolean {
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429 && statusCode !== 409;
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code;
}

const COULD_NOT = 'We couldn’t make this change. Please contact us.';

/**
 * Calls Stripe for a person. A final error becomes a refusal with the text of `words`: by default one that tells customers nothing
 * of Stripe's message, which is only logged.
 */
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

/** Awaits Stripe's answer; any error from Stripe becomes 'unavailable'. */
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

/** Stripe's references are ids, or whole objects when expanded. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}
