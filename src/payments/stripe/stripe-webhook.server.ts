/** Stripe's webhook: verifies the signature over the raw body, and processes the event. */
import Stripe from 'stripe';
import * as z from 'zod/mini';
import { providerUnavailable } from '../../billing/outcome.server.ts';
import type { Faults } from '../../notifications/faults.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import type { Call } from '../../platform/http/call.server.ts';
import { logFailure } from '../../platform/interval.server.ts';
import { logEvent } from '../../platform/log.server.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import { orUnavailable } from './stripe-client.server.ts';
import { receiveEvent, type StripeEventContext } from './stripe-events.server.ts';
import { RECEIVED, webhookCall } from './stripe-without-keys.server.ts';

export function stripeWebhook(
  context: StripeEventContext & { faults: Faults },
  secret: string,
): Call {
  const { stripe, faults } = context;
  let checkedAt = Number.NEGATIVE_INFINITY;
  /** Anyone can send what is not signed; only Stripe knows the id of an event of its own. */
  async function reportRefused(body: string, header: string): Promise<void> {
    const id = /"id":\s*"(evt_\w+)"/.exec(body)?.[1];
    if (id === undefined || performance.now() < checkedAt + MINUTE_MS) return;
    checkedAt = performance.now();
    const event = await orUnavailable('refused-event', stripe.events.retrieve(id));
    if (event === 'unavailable') return;
    const sure = { sure: true };
    if (verifyEvent(stripe, secret, body, header, AT_ANY_TIME) !== 'forged')
      await faults.failed('clock', `Stripe signed ${id} at another time`, sure);
    else await faults.failed('stripe-webhook', `${id} has another signature`, sure);
  }

  return webhookCall(async (body, signature) => {
    const event = isFromTheFuture(signature)
      ? 'forged'
      : verifyEvent(stripe, secret, body, signature);
    if (event === 'forged') {
      void logFailure('stripe-event-failed', {}, () => reportRefused(body, signature));
      return refuse(400, 'The signature is not valid');
    }
    await faults.works('stripe-webhook');
    await faults.works('clock');
    if (event === 'not-an-event') {
      logEvent('error', 'stripe-event-parse-failed');
      return RECEIVED;
    }
    const about = { eventId: event.id };
    const outcome = await logFailure('stripe-event-failed', about, () =>
      receiveEvent(context, event),
    );
    // Stripe sends again what is not acknowledged.
    return outcome === 'processed' ? RECEIVED : providerUnavailable();
  });
}

const AT_ANY_TIME = 0;

/** A webhook's raw body. 'forged' unless signed in the last five minutes; else 'not-an-event'. */
function verifyEvent(
  stripe: Stripe,
  secret: string,
  body: string,
  header: string,
  tolerance?: typeof AT_ANY_TIME,
): Stripe.Event | 'forged' | 'not-an-event' {
  try {
    const event: unknown = stripe.webhooks.constructEvent(body, header, secret, tolerance);
    return isEvent(event) ? event : 'not-an-event';
  } catch (error) {
    return error instanceof Stripe.errors.StripeSignatureVerificationError
      ? 'forged'
      : 'not-an-event';
  }
}

/** Stripe's library refuses only old signatures. A header with an unclear time counts too. */
function isFromTheFuture(header: string): boolean {
  const times = header.split(',').filter((part) => part.split('=')[0] === 't');
  const [, seconds] = /^t=(\d+)$/.exec(times.join()) ?? [];
  return !(Number(seconds) <= Date.now() / 1000 + Stripe.webhooks.DEFAULT_TOLERANCE);
}

const reference = z.optional(z.nullable(z.union([z.string(), z.looseObject({ id: z.string() })])));

const eventSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.looseObject({
    object: z
      .looseObject({ customer: reference, charge: reference, payment_intent: reference })
      .check(z.refine(({ object, charge }) => object !== 'dispute' || Boolean(charge))),
  }),
});

function isEvent(value: unknown): value is Stripe.Event {
  return eventSchema.safeParse(value).success;
}
