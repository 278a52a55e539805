/** Asks either provider, from the browser, what became of the payment that a client secret names. */
import type { PaymentStatus, Provider } from './payment.ts';
import { retrieveTestPayment } from './test-payments.ts';

/** 'unknown': the provider knows no payment with this secret. Rejects when it cannot be asked. */
export type Retrieve = (clientSecret: string) => Promise<PaymentStatus | 'unknown'>;

export const retrievePayment: Record<Provider, Retrieve> = {
  test: retrieveTestPayment,
  stripe: async (secret) => (await import('./stripe-js.ts')).retrieveStripePayment(secret),
};
