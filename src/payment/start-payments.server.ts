/** The provider that takes the payments: Stripe when its keys are set, else the built-in test gateway. */
import type { FollowDeps } from '../orders/follow-payment.server.ts';
import type { Env } from '../platform/env/env.server.ts';
import { call } from '../platform/http/call.server.ts';
import { GET_PAYMENT_CONFIG } from './payment-contracts.ts';
import { paymentHealthCalls } from './payment-health.server.ts';
import { paymentConfig } from './payment-shapes.ts';
import type { Payments } from './payments.server.ts';
import { stripeWebhook } from './stripe/events/stripe-webhook.server.ts';
import { testBilling } from './test-gateway/test-billing.server.ts';
import { testClockCalls } from './test-gateway/test-clock-calls.server.ts';
import { testGateway } from './test-gateway/test-gateway.server.ts';
import { testPaymentCalls } from './test-gateway/test-payment-calls.server.ts';

export async function startPayments(
  env: Pick<Env, 'stripe'>,
  deps: FollowDeps,
  publicUrl: string,
): Promise<Payments> {
  const payments = await startProvider(env, deps, publicUrl);
  const config = call(GET_PAYMENT_CONFIG, {
    access: 'anyone',
    answer: paymentConfig,
    handle: () => payments.config,
  });
  return { ...payments, calls: [...payments.calls, config] };
}

async function startProvider(
  env: Pick<Env, 'stripe'>,
  deps: FollowDeps,
  publicUrl: string,
): Promise<Payments> {
  if (env.stripe) {
    const { startStripe } = await import('./stripe/start-stripe.server.ts');
    return startStripe(env.stripe, deps, publicUrl);
  }
  return {
    gateway: testGateway(deps),
    config: { provider: 'test' },
    calls: [
      ...testPaymentCalls(deps),
      ...testClockCalls(deps),
      stripeWebhook(null),
      ...paymentHealthCalls(deps.db, null),
    ],
    reconciling: testBilling(deps),
  };
}
