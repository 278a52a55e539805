/** The provider that takes the payments: Stripe when its keys are set, else the built-in test gateway. */
import type { Notify } from '../notifications/outbox.server.ts';
import type { FollowDeps } from '../orders/follow-payment.server.ts';
import type { Gateway } from '../orders/gateway.server.ts';
import type { Env, StripeEnv } from '../platform/config/env.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Interval } from '../platform/interval.server.ts';
import { demoCredentials } from '../staff/account-store.server.ts';
import { GET_PAYMENT_CONFIG, type PaymentConfig, STRIPE_WEBHOOK } from './payment-api.ts';
import { stripeClient } from './stripe/stripe-client.server.ts';
import { receiveEvent, reconciling, signedEvent } from './stripe/stripe-events.server.ts';
import { stripeGateway } from './stripe/stripe-gateway.server.ts';
import { testGateway } from './test-gateway/test-gateway.server.ts';
import { testPaymentCalls } from './test-gateway/test-payments.server.ts';
import {
  notifyUnlessAhead,
  testBilling,
  testClockCalls,
} from './test-gateway/test-subscription.server.ts';

export interface Payments {
  gateway: Gateway;
  /** What the browser needs to know of the provider. */
  config: PaymentConfig;
  calls: readonly Call[];
  /** Retrieves from Stripe what no webhook has brought; the test gateway bills what is due. */
  reconciling: Interval;
  /** For what time brings by itself, by the gateway's `now()`: no one is notified while a demo's clock is ahead. */
  notifyInTime: Notify;
}

export function startPayments(
  { stripe, admin }: Pick<Env, 'stripe' | 'admin'>,
  deps: FollowDeps,
): Payments {
  return stripe ? stripePayments(stripe, deps) : testPayments(admin, deps);
}

function stripePayments(env: StripeEnv, { db, notify }: FollowDeps): Payments {
  const { publishableKey, tax, webhookSecret } = env;
  const stripe = stripeClient(env);
  const gateway = stripeGateway(stripe, env, db);
  const deps = { stripe, gateway, db, notify };
  const config = { provider: 'stripe', publishableKey, ...(tax && { tax }) } as const;
  const receive = async (body: string, signature: string) => {
    const event = signedEvent(stripe, webhookSecret, body, signature);
    if (!event) return refuse(400, 'The signature is not valid');
    await receiveEvent(deps, event);
    return { received: true as const };
  };
  const calls = [configCall(config), webhookCall(receive)];
  return { gateway, config, calls, reconciling: reconciling(deps), notifyInTime: notify };
}

function testPayments(admin: Env['admin'], deps: FollowDeps): Payments {
  const { db, notify } = deps;
  const config = { provider: 'test' } as const;
  const isDemo = async () => (await demoCredentials(db, admin)) !== null;
  return {
    gateway: testGateway(deps),
    config,
    calls: [
      configCall(config),
      webhookCall(() => refuse(503, 'Stripe is not configured')),
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

type Received = Response | { received: true };

function webhookCall(
  receive: (body: string, signature: string) => Received | Promise<Received>,
): Call {
  return call(STRIPE_WEBHOOK, {
    access: 'anyone',
    limit: null,
    signed: true,
    handle: ({ body, headers }) => receive(body, headers.get('stripe-signature') ?? ''),
  });
}
