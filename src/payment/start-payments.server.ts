/** The provider that takes the payments: Stripe when its keys are set, else the built-in test gateway. */
import type { Kysely } from 'kysely';
import type { Env } from '../platform/env.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import type { Gateway, OrderBook } from './gateway.server.ts';
import { paymentHealthCalls } from './payment-health.server.ts';
import { type Reconciling, startReconciling } from './reconcile-payments.server.ts';
import { isLive, stripeClient } from './stripe-client.server.ts';
import { stripeGateway } from './stripe-gateway.server.ts';
import { stripeWebhook, WEBHOOK_PATH } from './stripe-webhook.server.ts';
import { testGateway } from './test-gateway.server.ts';

interface Payments {
  gateway: Gateway;
  /** Asks Stripe again and again what no webhook has told. */
  reconciling: Reconciling | null;
}

export function startPayments(
  env: Pick<Env, 'stripe'>,
  db: Kysely<Tables>,
  book: OrderBook,
  publicUrl: string,
): Payments {
  if (!env.stripe) {
    const gateway = testGateway(db, book.follow);
    return {
      gateway: {
        ...gateway,
        calls: [...gateway.calls, stripeWebhook(null), ...paymentHealthCalls(db, null)],
      },
      reconciling: null,
    };
  }
  const { secretKey, webhookSecrets } = env.stripe;
  const stripe = stripeClient(env.stripe);
  const gateway = stripeGateway(stripe, db, env.stripe);
  const ground = { stripe, db, gateway, book, live: isLive(secretKey) };
  const webhook = stripeWebhook({ ...ground, secrets: webhookSecrets });
  const health = paymentHealthCalls(db, {
    stripe,
    env: env.stripe,
    webhookUrl: publicUrl + WEBHOOK_PATH,
  });
  return {
    gateway: { ...gateway, calls: [webhook, ...health] },
    reconciling: startReconciling(ground),
  };
}
