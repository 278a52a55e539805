/**
 * Chooses the payment provider: the one whose keys are set, otherwise the built-in test gateway.
 */
import { call } from '../platform/http/call.server.ts';
import type { AdminSettings } from '../staff/account-store.server.ts';
import { GET_PAYMENT_CONFIG } from './payment-api.ts';
import type { PaymentProvider, Payments, ProviderContext } from './provider.server.ts';
import { CONNECTIONS, stripeProvider } from './stripe/stripe-provider.server.ts';
import type { StripeSettings } from './stripe/stripe-settings.server.ts';
import { unconfiguredStripeWebhook } from './stripe/stripe-webhook.server.ts';
import { testProvider } from './test-gateway/test-provider.server.ts';

interface ProviderSettings {
  stripe: StripeSettings | null;
  admin: AdminSettings;
}

export function paymentProvider({ stripe, admin }: ProviderSettings): PaymentProvider {
  if (stripe) return stripeProvider(stripe);
  // As the specification says, every checkout names Stripe's origins, without its scripts.
  return { ...testProvider(admin), cspSources: { sources: CONNECTIONS, frames: null } };
}

export function startPayments(settings: ProviderSettings, context: ProviderContext): Payments {
  const payments = paymentProvider(settings).start(context);
  const { config } = payments;
  return {
    ...payments,
    calls: [
      call(GET_PAYMENT_CONFIG, { access: 'anyone', handle: () => config }),
      ...payments.calls,
      ...(settings.stripe ? [] : [unconfiguredStripeWebhook]),
    ],
  };
}
