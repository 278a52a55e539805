/** The provider that takes the payments: Stripe when its keys are set, else the built-in test gateway. */

import type { Kysely } from 'kysely';
import { call } from '../platform/call.server.ts';
import type { Env } from '../platform/env.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import type { Gateway, OrderBook } from './gateway.server.ts';
import { GET_PAYMENT_CONFIG } from './payment-contracts.ts';
import { paymentHealthCalls } from './payment-health.server.ts';
import { paymentConfig } from './payment-shapes.ts';
import type { Reconciling } from './reconcile-payments.server.ts';
import { stripeWebhook } from './stripe-webhook.server.ts';
import { testGateway } from './test-gateway.server.ts';

interface Payments {
  gateway: Gateway;
  /** Asks Stripe again and again what no webhook has told. */
  reconciling: Reconciling | null;
}

export async function startPayments(...deps: Parameters<typeof startProvider>): Promise<Payments> {
  const { gateway, reconciling } = await startProvider(...deps);
  const config = call(GET_PAYMENT_CONFIG, {
    access: 'anyone',
    answer: paymentConfig,
    handle: () => gateway.config,
  });
  return { gateway: { ...gateway, calls: [...gateway.calls, config] }, reconciling };
}

async function startProvider(
  env: Pick<Env, 'stripe'>,
  db: Kysely<Tables>,
  book: OrderBook,
  publicUrl: string,
): Promise<Payments> {
  if (env.stripe) {
    const { startStripe } = await import('./start-stripe.server.ts');
    return startStripe(env.stripe, db, book, publicUrl);
  }
  const gateway = testGateway(db, book.follow);
  const calls = [...gateway.calls, stripeWebhook(null), ...paymentHealthCalls(db, null)];
  return { gateway: { ...gateway, calls }, reconciling: null };
}
