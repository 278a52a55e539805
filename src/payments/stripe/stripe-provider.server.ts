/** Stripe, as the rest of the site sees it. */
import type { PaymentProvider } from '../provider.server.ts';
import { checkStripe } from './stripe-check.server.ts';
import { API_URL, stripeClient } from './stripe-client.server.ts';
import { stripeReconciliation } from './stripe-events.server.ts';
import { stripeGateway } from './stripe-gateway.server.ts';
import type { StripeSettings } from './stripe-settings.server.ts';
import { stripeWebhook } from './stripe-webhook.server.ts';
import { CONNECTIONS, SCRIPTS } from './stripe-without-keys.server.ts';

export function stripeProvider(settings: StripeSettings): PaymentProvider {
  const { live, apiUrl, publishableKey, tax, webhookSecret } = settings;
  return {
    chargesRealMoney: live,
    cspSources: {
      sources: {
        ...CONNECTIONS,
        'script-src': SCRIPTS,
        'img-src': 'https://*.stripe.com',
        // The checkout's script creates this policy, which allows Stripe's script URLs alone.
        'trusted-types': 'default',
      },
      frames: 'https://js.stripe.com',
    },
    apiUrl: apiUrl ?? API_URL,
    check: (report, publicUrl) => checkStripe(settings, report, publicUrl),
    start(site) {
      const stripe = stripeClient(settings, site.faults);
      const gateway = stripeGateway(stripe, settings, site);
      const context = { ...site, stripe, gateway };
      return {
        gateway,
        config: { provider: 'stripe', publishableKey, ...(tax && { tax }) },
        calls: [stripeWebhook(context, webhookSecret)],
        intervals: [stripeReconciliation(context)],
      };
    },
  };
}
