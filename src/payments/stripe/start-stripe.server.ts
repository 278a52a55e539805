/** Everything that takes payments through Stripe. Only a site with Stripe's keys loads this and Stripe's library. */
import type { FollowDeps } from '../../orders/follow-payment.server.ts';
import type { StripeEnv } from '../../platform/config/env.server.ts';
import { logEvent } from '../../platform/log.server.ts';
import { reconciling } from './reconcile.server.ts';
import { stripeClient } from './stripe-client.server.ts';
import { noteUnreadable, receiveEvent, signedEvent } from './stripe-events.server.ts';
import { stripeGateway } from './stripe-gateway.server.ts';

export function startStripe(env: StripeEnv, { db, notify }: FollowDeps) {
  const stripe = stripeClient(env);
  const gateway = stripeGateway(stripe, env, db);
  const deps = { stripe, db, notify, gateway };
  return {
    gateway,
    reconciling: reconciling(deps),
    /** Whether the signature of a webhook's body is valid; then the event has been stored. */
    async receive(body: string, signature: string): Promise<boolean> {
      const event = signedEvent(stripe, env.webhookSecrets, body, signature);
      if (event === undefined) return false;
      if (event !== 'unreadable') await receiveEvent(deps, event);
      else {
        logEvent('warn', 'stripe-event-unreadable', { bytes: body.length });
        await noteUnreadable(db, `${body.length} bytes that are no event`);
      }
      return true;
    },
  };
}
