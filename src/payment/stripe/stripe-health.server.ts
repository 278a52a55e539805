/** Asks Stripe whether the keys, the mode and the webhook of this site fit together. */
import Stripe from 'stripe';
import type { StripeEnv } from '../../platform/env/env.server.ts';
import type { HealthCheck } from '../payment-health.ts';
import { EVENT_TYPES } from './events/stripe-event.server.ts';
import { orAway } from './stripe-client.server.ts';

interface Asked {
  stripe: Stripe;
  env: StripeEnv;
  /** Where Stripe is to send its events. */
  webhookUrl: string;
}

/** Each check in words: the keys, whether cards are charged, the mode, and the webhook. */
export async function checkStripe({ stripe, env, webhookUrl }: Asked): Promise<HealthCheck[]> {
  const [account, endpoints] = await Promise.all([
    orAway('check-keys', stripe.accounts.retrieveCurrent()),
    orAway('check-webhook', stripe.webhookEndpoints.list({ limit: 100 })),
  ]);
  const known = account !== 'away';
  const charging = known && account.charges_enabled;
  return [
    {
      what: 'Secret key',
      ok: known,
      detail: known ? `Stripe account ${account.id}` : 'Stripe rejected it or didn’t respond',
    },
    {
      what: 'Charges',
      ok: charging,
      detail: charging ? 'Turned on' : 'Stripe isn’t charging cards for this account yet',
    },
    {
      what: 'Mode',
      ok: true,
      detail: env.live ? 'Live keys: real cards are charged' : 'Test keys: no real card is charged',
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
  if (ours.api_version !== Stripe.API_VERSION) {
    const version = ours.api_version ?? 'the account’s default version';
    const detail = `Its events use ${version}, which may not say which order they belong to. Replace it with an endpoint on ${Stripe.API_VERSION}.`;
    return { what, ok: false, detail };
  }
  const enabled = new Set(ours.enabled_events);
  const missing = EVENT_TYPES.filter((type) => !enabled.has('*') && !enabled.has(type));
  return missing.length === 0
    ? { what, ok: true, detail: url }
    : { what, ok: false, detail: `These events are turned off for it: ${missing.join(', ')}` };
}
