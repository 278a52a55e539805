import type { Provider } from './payment-api.ts';
import type { ProviderInBrowser } from './provider-in-browser.ts';

/** Loaded late. The small fields of the test gateway are in card-fields.tsx as well. */
const FOLDERS: Record<Provider, () => Promise<ProviderInBrowser>> = {
  test: async () => (await import('./test-gateway/test-card-fields.tsx')).TEST_IN_BROWSER,
  stripe: async () => (await import('./stripe/stripe-card-fields.tsx')).STRIPE_IN_BROWSER,
};

export function loadProvider(provider: Provider): Promise<ProviderInBrowser> {
  return FOLDERS[provider]();
}
