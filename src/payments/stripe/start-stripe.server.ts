/** Everything that takes payments through Stripe. Only a site with Stripe's keys loads this and Stripe's library. */
import type { FollowDeps } from '../../orders/follow-payment.server.ts';
import type { StripeEnv } from '../../platform/config/env.server.ts';
import { logEvent } from '../../platform/log.server.ts';
import type { PaymentConfig } from '../payment-shapes.ts';
import { reconciling } from './reconcile.server.ts';
import { signedEvent, stripeClient } from './stripe-client.server.ts';
import { receiveEvent, stripeWebhook } from './stripe-events.server.ts';
import { stripeGateway } from './stripe-gateway.server.ts';

export function startStripe(env: StripeEnv, { db, notify }: FollowDeps) {
  const stripe = stripeClient(env);
  const gateway = stripeGateway(stripe, env, db);
  const deps = { stripe, db, notify, gateway };
  const webhook = stripeWebhook(async (body, signature) => {
    const event = signedEvent(stripe, env.webhookSecrets, body, signature);
    if (event === 'unreadable') logEvent('warn', 'stripe-event-unreadable', { bytes: body.length });
    else if (event) await receiveEvent(deps, event, true);
    return event !== undefined;
  });
  const config: PaymentConfig = {
    provider: 'stripe',
    publishableKey: env.publishableKey,
    ...(env.tax ? { tax: true } : {}),
  };
  return { gateway, config, calls: [webhook], reconciling: reconciling(deps) };
}
