/** What Stripe tells of what happened there. */
import Stripe from 'stripe';
import type { StandInEvent } from './fake-stripe/events.ts';
import type { StripeShop } from './stripe-shop.ts';

/** What happens at Stripe while `act` runs; nothing of it is delivered. */
export async function eventsDuring(
  { fake }: StripeShop,
  act: () => unknown,
): Promise<StandInEvent[]> {
  const before = fake.events.length;
  await act();
  return fake.events.slice(before);
}

/** How many events wait until Stripe can be asked about them. */
export async function eventsWaiting({ app }: StripeShop): Promise<number> {
  const { db } = app.database;
  const waiting = await db
    .selectFrom('stripeEvents')
    .select('id')
    .where('settled', '=', 0)
    .execute();
  return waiting.length;
}

interface Posting {
  secret?: string;
  /** Unix seconds at which the signature claims to have been made. */
  timestamp?: number;
  /** Replaces the whole header; null sends none. */
  header?: string | null;
}

/** Posts a body to the webhook as Stripe does, signed unless told otherwise. */
export async function postEvent(
  { webhook, fake }: StripeShop,
  body: object | string,
  { secret = fake.webhookSecret, timestamp, header }: Posting = {},
): Promise<number> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const signature =
    header === undefined
      ? signing.webhooks.generateTestHeaderString({
          payload,
          secret,
          ...(timestamp === undefined ? {} : { timestamp }),
        })
      : header;
  const { status } = await fetch(webhook, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(signature === null ? {} : { 'Stripe-Signature': signature }),
    },
    body: payload,
  });
  return status;
}

const signing = new Stripe('sk_test_signing_only');
