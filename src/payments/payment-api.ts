/** Contracts for the payment configuration, Stripe's webhook and the test gateway. */
import * as z from 'zod/mini';
import { PAYMENT_STATUSES } from '../orders/order.ts';
import { contract } from '../platform/contract.ts';
import { count, fallback, timestamp } from '../platform/schema.ts';
import { TEST_CARDS, TEST_LAST4 } from './test-gateway/test-cards.ts';

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

/** Identifies a test payment or a replacement card; anyone who has it may confirm it. */
const clientSecret = z.string().check(z.regex(/^[\w-]{1,200}$/));

/** `message` is the reason for a declined card, as the buyer reads it. */
const testPayment = z.object({
  status: z.enum(PAYMENT_STATUSES),
  message: fallback(z.optional(z.string()), undefined),
});

export type TestPayment = z.output<typeof testPayment>;

export const CONFIRM_TEST_PAYMENT = contract('POST /api/test-payments/confirm', {
  body: z.strictObject({
    clientSecret,
    token: z.enum(Object.values(TEST_CARDS)),
    /** For the receipt; the full number never leaves the browser. */
    last4: z.optional(z.enum(TEST_LAST4)),
  }),
  answer: testPayment,
});
export const ANSWER_TEST_PAYMENT = contract('POST /api/test-payments/answer', {
  body: z.strictObject({ clientSecret, approve: z.boolean() }),
  answer: testPayment,
});
export const RETRIEVE_TEST_PAYMENT = contract('POST /api/test-payments/retrieve', {
  body: z.strictObject({ clientSecret }),
  answer: testPayment,
});

const testClock = z.object({ now: timestamp });

/** 404 unless this is a demo on the test gateway. */
export const GET_TEST_CLOCK = contract('GET /api/admin/test-clock', { answer: testClock });

const movedClock = z.extend(testClock, {
  renewed: fallback(count, 0),
  failed: fallback(count, 0),
  ended: fallback(count, 0),
});

/** Moves the clock to one month after `now`, the time that the caller saw. */
export const MOVE_TEST_CLOCK = contract('POST /api/admin/test-clock/ahead', {
  body: z.strictObject({ now: timestamp }),
  answer: movedClock,
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
