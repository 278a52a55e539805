/** The provider that takes the payments: Stripe when its keys are set, else the built-in test gateway. */
import type { Notify } from '../notifications/outbox.server.ts';
import type { FollowDeps } from '../orders/follow-payment.server.ts';
import type { Gateway } from '../orders/gateway.server.ts';
import type { Env } from '../platform/config/env.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Interval } from '../platform/interval.server.ts';
import { demoCredentials } from '../staff/account-store.server.ts';
import { GET_PAYMENT_CONFIG, type PaymentConfig, STRIPE_WEBHOOK } from './payment-api.ts';
import { testBilling } from './test-gateway/test-billing.server.ts';
import { notifyUnlessAhead } from './test-gateway/test-clock.server.ts';
import { testClockCalls } from './test-gateway/test-clock-calls.server.ts';
import { testGateway } from './test-gateway/test-gateway.server.ts';
import { testPaymentCalls } from './test-gateway/test-payments.server.ts';

export interface Payments {
  gateway: Gateway;
  /** What the browser needs to know of the provider. */
  config: PaymentConfig;
  calls: readonly Call[];
  /** Asks Stripe again and again what no webhook has told; the test gateway bills what is due. */
  reconciling: Interval;
  /** For what time brings by itself, by the gateway's `now()`: nobody is notified while a demo's clock is ahead. */
  notifyInTime: Notify;
}

export async function startPayments(
  { stripe, admin }: Pick<Env, 'stripe' | 'admin'>,
  deps: FollowDeps,
): Promise<Payments> {
  const { db, notify } = deps;
  if (stripe) {
    const { startStripe } = await import('./stripe/start-stripe.server.ts');
    const { receive, ...payments } = startStripe(stripe, deps);
    const { publishableKey, tax } = stripe;
    const config = { provider: 'stripe', publishableKey, ...(tax && { tax }) } as const;
    const calls = [configCall(config), webhookCall(receive)];
    return { ...payments, config, calls, notifyInTime: notify };
  }
  const isDemo = async () => (await demoCredentials(db, admin)) !== null;
  const config = { provider: 'test' } as const;
  return {
    gateway: testGateway(deps),
    config,
    calls: [
      configCall(config),
      webhookCall(null),
      ...testPaymentCalls(deps),
      ...(admin.demo ? testClockCalls(db, isDemo) : []),
    ],
    reconciling: testBilling(deps),
    notifyInTime: notifyUnlessAhead(notify),
  };
}

function configCall(config: PaymentConfig): Call {
  return call(GET_PAYMENT_CONFIG, { access: 'anyone', handle: () => config });
}

/** `receive` tells whether the signature was valid; it is null where Stripe is not configured. */
function webhookCall(
  receive: ((body: string, signature: string) => Promise<boolean>) | null,
): Call {
  return call(STRIPE_WEBHOOK, {
    access: 'anyone',
    limit: null,
    signed: true,
    handle: async ({ body, headers }) => {
      if (!receive) return refuse(503, 'Stripe is not configured');
      const valid = await receive(body, headers.get('stripe-signature') ?? '');
      return valid ? { received: true as const } : refuse(400, 'The signature is not valid');
    },
  });
}
