/** Staff see whether Stripe's events arrive, and have keys, webhook and mode checked when they ask for it. */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { answer } from '../platform/answer.server.ts';
import { type AnyCall, call } from '../platform/call.server.ts';
import type { StripeEnv } from '../platform/env.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import type { HealthCheck, PaymentHealth } from './payment-health.ts';
import { isLive, orAway } from './stripe-client.server.ts';
import { EVENT_TYPES } from './stripe-event.server.ts';
import { lastSigned, unsettledEvents } from './stripe-event-store.server.ts';

interface Connected {
  stripe: Stripe;
  env: StripeEnv;
  /** Where Stripe is to send its events. */
  webhookUrl: string;
}

/** `connected` null: the test gateway takes the payments. */
export function paymentHealthCalls(db: Kysely<Tables>, connected: Connected | null): AnyCall[] {
  return [
    call({
      method: 'GET',
      path: '/api/admin/payments',
      access: 'staff',
      answer: async () =>
        answer({
          provider: connected ? 'stripe' : 'test',
          mode: connected && isLive(connected.env.secretKey) ? 'live' : 'test',
          lastEvent: await lastSigned(db),
          waiting: (await unsettledEvents(db)).length,
        } satisfies PaymentHealth),
    }),
    call({
      method: 'POST',
      path: '/api/admin/payments/check',
      access: 'staff',
      answer: async () => answer(connected ? await check(connected) : [TEST_GATEWAY]),
    }),
  ];
}

const TEST_GATEWAY: HealthCheck = {
  what: 'Provider',
  ok: true,
  detail: 'The built-in test gateway: no real card is charged. Stripe takes over with three keys.',
};

async function check({ stripe, env, webhookUrl }: Connected): Promise<HealthCheck[]> {
  const live = isLive(env.secretKey);
  const [account, endpoints] = await Promise.all([
    orAway('check-keys', stripe.accounts.retrieveCurrent()),
    orAway('check-webhook', stripe.webhookEndpoints.list({ limit: 100 })),
  ]);
  const known = account !== 'away';
  return [
    {
      what: 'Secret key',
      ok: known,
      detail: known
        ? `Stripe account ${account.id}`
        : 'Stripe does not accept it or does not answer',
    },
    {
      what: 'Charges',
      ok: known && account.charges_enabled,
      detail:
        known && account.charges_enabled
          ? 'Switched on'
          : 'Stripe does not charge cards for this account yet',
    },
    {
      what: 'Mode',
      ok: live === isLive(env.publishableKey),
      detail:
        live === isLive(env.publishableKey)
          ? `Both keys are ${live ? 'live: real cards are charged' : 'test keys: no real card is charged'}`
          : 'One key is a live key and the other a test key',
    },
    webhookCheck(webhookUrl, endpoints === 'away' ? [] : endpoints.data),
  ];
}

function webhookCheck(url: string, endpoints: readonly Stripe.WebhookEndpoint[]): HealthCheck {
  const what = 'Webhook';
  const ours = endpoints.find((each) => each.url === url && each.status === 'enabled');
  if (!ours) {
    return { what, ok: false, detail: `Stripe has no enabled webhook endpoint for ${url}` };
  }
  const missing = EVENT_TYPES.filter(
    (type) =>
      !ours.enabled_events.includes('*') && !ours.enabled_events.some((each) => each === type),
  );
  return missing.length === 0
    ? { what, ok: true, detail: url }
    : { what, ok: false, detail: `These events are not switched on for it: ${missing.join(', ')}` };
}
