/** Asks either provider, from the browser, what became of the payment that a client secret names. */
import type { Provider, Retrieved } from '../orders/payment.ts';
import { retrieveTestPayment } from './test-gateway/test-payments.ts';

/** Rejects when the provider cannot be asked. */
export type Retrieve = (clientSecret: string) => Promise<Retrieved>;

export const retrievePayment: Record<Provider, Retrieve> = {
  test: retrieveTestPayment,
  stripe: async (secret) => (await import('./stripe/stripe-js.ts')).retrieveStripePayment(secret),
};
