/** Starts the payment provider: Stripe when its keys are set, otherwise the built-in test gateway. */
import type { Notify } from '../notifications/outbox.server.ts';
import type { OrderDeps } from '../orders/follow-payment.server.ts';
import { type Gateway, providerUnavailable } from '../orders/gateway.server.ts';
import type { Env } from '../platform/config/env.server.ts';
import type { StripeEnv } from '../platform/config/stripe-env.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { type Interval, logFailure } from '../platform/interval.server.ts';
import { logEvent } from '../platform/log.server.ts';
import { demoCredentials } from '../staff/account-store.server.ts';
import { GET_PAYMENT_CONFIG, type PaymentConfig, STRIPE_WEBHOOK } from './payment-api.ts';
import { stripeClient } from './stripe/stripe-client.server.ts';
import {
  receiveEvent,
  stripeEventRetries,
  stripeReconciliation,
  verifyEvent,
} from './stripe/stripe-events.server.ts';
import { stripeGateway } from './stripe/stripe-gateway.server.ts';
import {
  notifyUnlessClockAhead,
  testBilling,
  testClockCalls,
} from './test-gateway/test-billing.server.ts';
import { testGateway } from './test-gateway/test-gateway.server.ts';
import { type TestPaymentDeps, testPaymentCalls } from './test-gateway/test-payments.server.ts';

type StartDeps = Omit<OrderDeps, 'gateway'> & TestPaymentDeps;

export interface Payments {
  gateway: Gateway;
  /** What the browser needs to know about the provider. */
  config: PaymentConfig;
  calls: readonly Call[];
  /** Stripe: catches up on missed webhooks and undecided orders. Test gateway: bills what is due. */
  intervals: readonly Interval[];
  /** For notifications that are due by the gateway's `now()`. Sends nothing while a demo's clock is ahead. */
  notifyWhenDue: Notify;
}

export function startPayments(
  { stripe, admin }: Pick<Env, 'stripe' | 'admin'>,
  deps: StartDeps,
): Payments {
  return stripe ? stripePayments(stripe, deps) : testPayments(admin, deps);
}

function stripePayments(env: StripeEnv, { db, notify, looks }: StartDeps): Payments {
  const { publishableKey, tax, webhookSecret } = env;
  const stripe = stripeClient(env);
  const gateway = stripeGateway(stripe, env, db);
  const deps = { stripe, gateway, db, notify, looks };
  const config = { provider: 'stripe', publishableKey, ...(tax && { tax }) } as const;
  const receive = async (body: string, signature: string) => {
    const event = verifyEvent(stripe, webhookSecret, body, signature);
    if (event === 'forged') return refuse(400, 'The signature is not valid');
    if (event === 'not-an-event') {
      logEvent('error', 'stripe-event-not-understood');
      return { received: true as const };
    }
    // Stripe sends again what is not acknowledged.
    const about = { eventId: event.id };
    const outcome = await logFailure('stripe-event-failed', about, () => receiveEvent(deps, event));
    return outcome === 'processed' ? { received: true as const } : providerUnavailable();
  };
  const calls = [configCall(config), webhookCall(receive)];
  return {
    gateway,
    config,
    calls,
    intervals: [stripeReconciliation(deps), stripeEventRetries(deps)],
    notifyWhenDue: notify,
  };
}

function testPayments(admin: Env['admin'], deps: TestPaymentDeps): Payments {
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
    intervals: [testBilling(deps)],
    notifyWhenDue: notifyUnlessClockAhead(notify),
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
