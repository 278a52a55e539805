/** Everything that takes payments through Stripe. Only a site with Stripe's keys loads this and Stripe's library. */

import type { Kysely } from 'kysely';
import { addressOf } from '../platform/contract.ts';
import type { StripeEnv } from '../platform/env.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import type { OrderBook } from './gateway.server.ts';
import { paymentHealthCalls } from './payment-health.server.ts';
import { reconciling } from './reconcile-payments.server.ts';
import { settleEvent } from './settle-stripe-event.server.ts';
import { signedEvent, stripeClient } from './stripe-client.server.ts';
import { stripeGateway } from './stripe-gateway.server.ts';
import { checkStripe } from './stripe-health.server.ts';
import { STRIPE_WEBHOOK, stripeWebhook } from './stripe-webhook.server.ts';

export function startStripe(
  env: StripeEnv,
  db: Kysely<Tables>,
  book: OrderBook,
  publicUrl: string,
) {
  const stripe = stripeClient(env);
  const gateway = stripeGateway(stripe, env, book);
  const deps = { stripe, db, gateway, book, live: env.live };
  const webhook = stripeWebhook(async (body, signature) => {
    const event = signedEvent(stripe, env.webhookSecrets, body, signature);
    if (event) await settleEvent(deps, event, true);
    return event !== undefined;
  });
  const health = paymentHealthCalls(db, {
    live: env.live,
    check: () => checkStripe({ stripe, env, webhookUrl: publicUrl + addressOf(STRIPE_WEBHOOK) }),
  });
  return {
    gateway: { ...gateway, calls: [webhook, ...health] },
    reconciling: reconciling(deps),
  };
}
