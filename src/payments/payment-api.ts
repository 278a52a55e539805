/** The payment configuration, Stripe's webhook, and what the payment form needs from a provider's card fields. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { fallback } from '../platform/schema.ts';

/** The provider and its publishable key; `tax` is set when sales tax is added on top. */
const paymentConfig = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('test') }),
  z.object({
    provider: z.literal('stripe'),
    publishableKey: z.string(),
    tax: fallback(z.optional(z.literal(true)), undefined),
  }),
]);

export type PaymentConfig = z.output<typeof paymentConfig>;

export function takesTax(config: PaymentConfig): boolean {
  return config.provider === 'stripe' && config.tax === true;
}

export const GET_PAYMENT_CONFIG = contract('GET /api/payment-config', { answer: paymentConfig });

/** The body stays text: Stripe signs the raw bytes, and nothing is parsed before the signature is verified. */
export const STRIPE_WEBHOOK = contract('POST /api/stripe/webhook', {
  body: z.string(),
  answer: z.strictObject({ received: z.literal(true) }),
});

/** The result of an attempt to pay, as the browser sees it. */
export type PaymentOutcome =
  /** The payment succeeded or is still processing; the return page finds out which. */
  | { kind: 'decided' }
  /** Declined, with a reason for the customer; another card may work. */
  | { kind: 'refused'; message: string }
  /** The provider has closed the payment because it was unpaid for too long; a new one is needed. */
  | { kind: 'expired' };

/** What the payment form needs from a provider's card fields. */
export interface CardEntry {
  /** Returns whether all fields are valid; otherwise shows the errors and focuses the first faulty field. */
  check(): boolean;
  confirm(clientSecret: string, billing: Billing): Promise<PaymentOutcome>;
}

export interface Billing {
  name: string;
  email: string;
  phone: string | null;
  /** The company that the plan is for. */
  company: string | null;
  /** Required when sales tax is added. */
  postalCode: string | null;
}
