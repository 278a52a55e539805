/** Stripe's client, and how its errors are logged and classified. */
import Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import { COULD_NOT, type NotDone } from '../../billing/outcome.server.ts';
import type { Faults } from '../../notifications/faults.server.ts';
import { deadline, untilDeadline } from '../../platform/deadline.server.ts';
import { logEvent } from '../../platform/log.server.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import type { StripeSettings } from './stripe-settings.server.ts';

export const CURRENCY = 'usd';
export const API_URL = 'https://api.stripe.com';

/** `faults`: where what Stripe answers to all of it is kept. */
export function stripeClient({ secretKey, apiUrl }: StripeSettings, faults?: Faults): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl ?? API_URL);
  return new Stripe(secretKey, {
    // Of one attempt; a person waits for all of them only until the deadline of the request.
    timeout: 8_000,
    maxNetworkRetries: 2,
    httpClient: Stripe.createFetchHttpClient(faults ? withFaults(faults) : fetchUntilDeadline),
    telemetry: false,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
  });
}

/** What is fetched for a person ends with the deadline, and so do its repetitions. */
const fetchUntilDeadline: typeof fetch = (url, init) => {
  const ends = [init?.signal, deadline()?.signal].filter((signal) => signal != null);
  return fetch(url, { ...init, signal: AbortSignal.any(ends) });
};

/** What every call says of the key, and of Stripe itself. */
function withFaults(faults: Faults): typeof fetch {
  return async (url, init) => {
    const { pathname } = new URL(url instanceof Request ? url.url : url);
    const part = `${init?.method ?? 'GET'} ${pathname.split('/')[2] ?? ''}`;
    try {
      const response = await fetchUntilDeadline(url, init);
      const { status } = response;
      if (status === 401) await faults.failed('stripe', 'it refuses the key (401)', { sure: true });
      else if (status >= 500) await faults.failed('stripe', `it answers ${status}`);
      else await faults.works('stripe');
      if (status === 403)
        await faults.failed('stripe-permission', 'is refused (403)', { sure: true, part });
      else if (response.ok) await faults.works('stripe-permission', part);
      return response;
    } catch (error) {
      await faults.failed('stripe', 'there is no connection');
      throw error;
    }
  };
}

/** Logs an error from Stripe, without client secrets, and returns it. Rethrows a bug. */
export function stripeFailure(error: unknown, during: string): Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, param, statusCode, requestId } = error;
  const message = error.message.replace(/_secret_\w+/g, '_secret_…');
  const about = { during, type, code, param, statusCode, requestId, message };
  logEvent('warn', 'stripe-request-failed', about);
  return error;
}

/** Whether retrying the same request would fail again. */
export function isFinal({ statusCode = 500 }: Stripe.errors.StripeError): boolean {
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429 && statusCode !== 409;
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code;
}

/** What Stripe no longer has, such as a customer whom staff have deleted there. */
export function ifMissing<const Instead>(instead: Instead) {
  return (error: unknown): Instead => {
    if (hasCode(error, 'resource_missing')) return instead;
    throw error;
  };
}

export function isUnknownPlace(error: unknown): boolean {
  return hasCode(error, 'customer_tax_location_invalid');
}

export const NOT_PRORATED = { proration_behavior: 'none' } as const;

/**
 * The next invoice after a change of these items. Where it does not know the customer's place,
 * Stripe bills without tax, but previews none.
 */
export async function previewItems(
  stripe: Stripe,
  subscription: string,
  items: Stripe.SubscriptionUpdateParams.Item[],
  how: Omit<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails, 'items'>,
  invoice_items: Stripe.InvoiceCreatePreviewParams.InvoiceItem[] = [],
): Promise<Stripe.Invoice> {
  const asked = {
    subscription,
    ...(items.length > 0 && { subscription_details: { items, ...how } }),
    ...(invoice_items.length > 0 && { invoice_items }),
    expand: ['total_discount_amounts.discount.source.coupon'],
  };
  try {
    return await stripe.invoices.createPreview(asked);
  } catch (error) {
    if (!isUnknownPlace(error)) throw error;
    return stripe.invoices.createPreview({ ...asked, ...NOT_TAXED });
  }
}

const NOT_TAXED = { automatic_tax: { enabled: false } };

/** It then refuses changes as well, unless they switch its tax off, as the next bill does. */
export async function updateSubscription(
  stripe: Stripe,
  id: string,
  change: Stripe.SubscriptionUpdateParams,
  { idempotencyKey: key }: Stripe.RequestOptions = {},
): Promise<Stripe.Response<Stripe.Subscription>> {
  const update = (to: Stripe.SubscriptionUpdateParams, idempotencyKey = key) =>
    stripe.subscriptions.update(id, to, idempotencyKey ? { idempotencyKey } : {});
  try {
    return await update(change);
  } catch (error) {
    if (!isUnknownPlace(error)) throw error;
    return update({ ...change, ...NOT_TAXED }, key && `${key}-not-taxed`);
  }
}

/** How many keys one thing may use up at once; then one more each minute. */
const MAX_ATTEMPTS = 2;

/**
 * Makes something for an order under one key. Stripe keeps a failure under its key for a day, also
 * of its own, so when it comes back, or the order has changed since, the next key is used. From the
 * second `attempt` on, `make` must look first for what the failed one may have made.
 */
export async function makeOnce<Made>(
  { id, createdAt }: Pick<Order, 'id' | 'createdAt'>,
  what: string,
  make: (options: Stripe.RequestOptions, attempt: number) => Promise<Made>,
): Promise<Made> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt > MAX_ATTEMPTS;
    const number = isLast ? `at-${Math.floor(Date.now() / MINUTE_MS)}` : attempt;
    const idempotencyKey = `order-${id}-${createdAt}-${what}-${number}`;
    try {
      return await make({ idempotencyKey }, attempt);
    } catch (error) {
      const { headers } = error instanceof Stripe.errors.StripeError ? error : {};
      const isUsed = headers?.['idempotent-replayed'] === 'true' || isKeyConflict(error);
      if (isLast || !isUsed) throw error;
    }
  }
}

/** The key was used before for something else. */
export function isKeyConflict(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 400;
}

/**
 * Calls Stripe for a person. A final error becomes a refusal with `words`, not Stripe's message.
 */
export async function callStripe<const Done>(
  during: string,
  act: () => Promise<Done>,
  words = (_failure: Stripe.errors.StripeError) => COULD_NOT,
): Promise<Done | NotDone> {
  const called = act().catch((error: unknown) => {
    const failure = stripeFailure(error, during);
    return isFinal(failure) ? { refused: words(failure) } : ('unavailable' as const);
  });
  return untilDeadline(called, 'unavailable');
}

/** Awaits Stripe's answer; any error from Stripe becomes 'unavailable'. */
export async function orUnavailable<Answer>(
  during: string,
  answer: Promise<Answer>,
): Promise<Answer | 'unavailable'> {
  const called = answer.catch((error: unknown) => {
    stripeFailure(error, during);
    return 'unavailable' as const;
  });
  return untilDeadline(called, 'unavailable');
}

/** Stripe's references are ids, or whole objects when expanded. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}
