/** Everything that takes payments through Stripe. Only a site with Stripe's keys loads this and Stripe's library. */
import type { FollowDeps } from '../../orders/follow-payment.server.ts';
import { addressOf } from '../../platform/contract.ts';
import type { StripeEnv } from '../../platform/env/env.server.ts';
import { paymentHealthCalls } from '../payment-health.server.ts';
import type { PaymentConfig } from '../payment-shapes.ts';
import { STRIPE_WEBHOOK, stripeWebhook } from './events/received-events.server.ts';
import { reconciling } from './events/reconcile-payments.server.ts';
import { settleEvent } from './events/settle-stripe-event.server.ts';
import { signedEvent, stripeClient } from './stripe-client.server.ts';
import { stripeGateway } from './stripe-gateway.server.ts';
import { checkStripe } from './stripe-health.server.ts';

export function startStripe(env: StripeEnv, { db, notify }: FollowDeps, publicUrl: string) {
  const stripe = stripeClient(env);
  const gateway = stripeGateway(stripe, env, db);
  const deps = { stripe, db, notify, gateway };
  const webhook = stripeWebhook(async (body, signature) => {
    const event = signedEvent(stripe, env.webhookSecrets, body, signature);
    if (event) await settleEvent(deps, event, true);
    return event !== undefined;
  });
  const health = paymentHealthCalls(db, {
    live: env.live,
    check: () => checkStripe({ stripe, env, webhookUrl: publicUrl + addressOf(STRIPE_WEBHOOK) }),
  });
  const config: PaymentConfig = {
    provider: 'stripe',
    publishableKey: env.publishableKey,
    ...(env.tax ? { tax: true } : {}),
  };
  return { gateway, config, calls: [webhook, ...health], reconciling: reconciling(deps) };
}
