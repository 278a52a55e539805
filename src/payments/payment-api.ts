/** What a browser needs to know about the payment provider. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { fallback } from '../platform/schema.ts';

/** Each has its folder here; the test gateway's is called `test-gateway`. */
const PROVIDERS = ['test', 'stripe'] as const;
export type Provider = (typeof PROVIDERS)[number];

const paymentConfig = z.object({
  provider: z.enum(PROVIDERS),
  /** The key with which the provider's scripts identify this site. */
  publishableKey: z.optional(z.string()),
  /** Set when sales tax is added on top. */
  tax: fallback(z.optional(z.literal(true)), undefined),
});

export type PaymentConfig = z.output<typeof paymentConfig>;

export const GET_PAYMENT_CONFIG = contract('GET /api/payment-config', { answer: paymentConfig });
