/** The provider that takes the payments: Stripe when its keys are set, else the built-in test gateway. */
import type { FollowDeps } from '../orders/follow-payment.server.ts';
import type { Gateway } from '../orders/gateway.server.ts';
import type { Env } from '../platform/config/env.server.ts';
import { type Call, oldCall } from '../platform/http/call.server.ts';
import type { Interval } from '../platform/interval.server.ts';
import { GET_PAYMENT_CONFIG } from './payment-contracts.ts';
import { type PaymentConfig, paymentConfig } from './payment-shapes.ts';
import { stripeWebhook } from './stripe/stripe-events.server.ts';
import { testBilling } from './test-gateway/test-billing.server.ts';
import { testClockCalls } from './test-gateway/test-clock-calls.server.ts';
import { testGateway } from './test-gateway/test-gateway.server.ts';
import { testPaymentCalls } from './test-gateway/test-payment-calls.server.ts';

/** A provider at work. */
interface Payments {
  gateway: Gateway;
  /** What the browser needs to know of the provider. */
  config: PaymentConfig;
  calls: readonly Call[];
  /** Asks Stripe again and again what no webhook has told; the test gateway bills what is due. */
  reconciling: Interval;
}

export async function startPayments(
  { stripe }: Pick<Env, 'stripe'>,
  deps: FollowDeps,
): Promise<Payments> {
  const payments = stripe
    ? (await import('./stripe/start-stripe.server.ts')).startStripe(stripe, deps)
    : startTestGateway(deps);
  const config = oldCall(GET_PAYMENT_CONFIG, {
    access: 'anyone',
    answer: paymentConfig,
    handle: () => payments.config,
  });
  return { ...payments, calls: [...payments.calls, config] };
}

function startTestGateway(deps: FollowDeps): Payments {
  return {
    gateway: testGateway(deps),
    config: { provider: 'test' },
    calls: [...testPaymentCalls(deps), ...testClockCalls(deps), stripeWebhook(null)],
    reconciling: testBilling(deps),
  };
}
