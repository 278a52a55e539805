/** Stripe's own library, aimed at the host that the environment names, as patient as a visitor is. */
import Stripe from 'stripe';
import type { StripeEnv } from '../../platform/env/env.server.ts';
import { logEvent } from '../../platform/log.server.ts';
import { patientFetch } from './patient-fetch.server.ts';

export const CURRENCY = 'usd';

const TOLERANCE_SECONDS = 300;

export function stripeClient({ secretKey, apiUrl }: StripeEnv): Stripe {
  const options = {
    // Deadlines and further tries are its business.
    httpClient: Stripe.createFetchHttpClient(patientFetch),
    maxNetworkRetries: 0,
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

/** Nothing was decided: the very same request may be sent again. */
export function isPassing(error: Stripe.errors.StripeError): boolean {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error.statusCode === 409
  );
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

/** The event in a webhook's raw body, when one of the secrets signed it: one, or two while it is being rotated. */
export function signedEvent(
  stripe: Stripe,
  secrets: readonly string[],
  body: string,
  signature: string,
): Stripe.Event | undefined {
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return undefined;
}

/** A signed body that is not JSON is none of Stripe's events either. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError
  );
}
