/** Asks either provider, from the browser, what became of the payment that a client secret names. */
import type { PaymentStatus, Provider } from './payment.ts';
import { retrieveTestPayment } from './test-payments.ts';

type Retrieve = (clientSecret: string) => Promise<PaymentStatus>;

export const retrievePayment: Record<Provider, Retrieve> = {
  test: retrieveTestPayment,
  stripe: async (secret) => (await import('./stripe-js.ts')).retrieveStripePayment(secret),
};
