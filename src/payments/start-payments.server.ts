/** Chooses the payment provider by its keys, otherwise the built-in test gateway. */
import { call } from '../platform/http/call.server.ts';
import { GET_PAYMENT_CONFIG } from './payment-api.ts';
import type { PaymentProvider, Payments } from './provider.server.ts';
import type { StripeSettings } from './stripe/stripe-settings.server.ts';
import { CONNECTIONS, unconfiguredStripeWebhook } from './stripe/stripe-without-keys.server.ts';
import { TEST_PROVIDER } from './test-gateway/test-gateway.server.ts';

export async function paymentProvider({
  stripe,
}: {
  stripe: StripeSettings | null;
}): Promise<PaymentProvider> {
  if (stripe) return (await import('./stripe/stripe-provider.server.ts')).stripeProvider(stripe);
  // As the specification says, every checkout names Stripe's origins, without its scripts.
  return { ...TEST_PROVIDER, cspSources: { sources: CONNECTIONS, frames: null } };
}

export function startPayments(
  provider: PaymentProvider,
  context: Parameters<PaymentProvider['start']>[0],
): Payments {
  const payments = provider.start(context);
  const { config } = payments;
  const getConfig = call(GET_PAYMENT_CONFIG, 'anyone', () => config);
  const others = config.provider === 'stripe' ? [] : [unconfiguredStripeWebhook];
  return { ...payments, calls: [getConfig, ...payments.calls, ...others] };
}
