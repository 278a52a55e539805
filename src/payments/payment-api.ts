/** How payments are configured, and the test gateway's own calls. */

import * as z from 'zod/mini';
import { PAYMENT_STATUSES } from '../orders/order.ts';
import { contract } from '../platform/contract.ts';
import { count, fallback, moment } from '../platform/schema.ts';
import { TEST_CARDS, TEST_ENDINGS } from './test-gateway/test-cards.ts';

/** Which provider takes the payments, and the key that its script needs; `tax` when sales tax comes on top. */
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

/** Read as text: it is checked and parsed only after its signature. */
export const STRIPE_WEBHOOK = contract('POST /api/stripe/webhook', {
  body: z.string(),
  answer: z.strictObject({ received: z.literal(true) }),
});

/** Names a test payment, or a card that replaces another, and admits to it. */
const clientSecret = z.string().check(z.regex(/^[\w-]{1,200}$/));

/** `message` says in words why a card was refused. */
const testPayment = z.object({
  status: z.enum(PAYMENT_STATUSES),
  message: fallback(z.optional(z.string()), undefined),
});

export type TestPayment = z.output<typeof testPayment>;

export const CONFIRM_TEST_PAYMENT = contract('POST /api/test-payments/confirm', {
  body: z.strictObject({
    clientSecret,
    token: z.enum(Object.values(TEST_CARDS)),
    /** For the receipt; the number itself stays in the browser. */
    last4: z.optional(z.enum(TEST_ENDINGS)),
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

const testClock = z.object({ now: moment });

/** There only while the test gateway takes the payments of a demo. */
export const GET_TEST_CLOCK = contract('GET /api/admin/test-clock', { answer: testClock });

const movedClock = z.extend(testClock, {
  renewed: fallback(count, 0),
  failed: fallback(count, 0),
  ended: fallback(count, 0),
});

/** Moves the time a month ahead of the one that was shown. */
export const MOVE_TEST_CLOCK = contract('POST /api/admin/test-clock/ahead', {
  body: z.strictObject({ now: moment }),
  answer: movedClock,
});

/** How an attempt to pay ended in the browser, whichever provider's fields were used. */
export type PaymentOutcome =
  /** The provider has decided or is deciding; the return address tells which. */
  | { kind: 'decided' }
  /** Turned down, with the reason in words for the customer; another card may do. */
  | { kind: 'refused'; message: string }
  /** It was unpaid for so long that the provider has closed the payment; a new one is needed. */
  | { kind: 'expired' };

/** What the payment form needs of a provider's card fields. */
export interface CardEntry {
  /** Whether everything is filled in; shows what is missing at the fields and moves focus there if not. */
  check(): boolean;
  confirm(clientSecret: string, billing: Billing): Promise<PaymentOutcome>;
}

export interface Billing {
  name: string;
  email: string;
  phone: string | null;
  /** For whom it is bought. */
  company: string | null;
  /** Required when sales tax comes on top. */
  postalCode: string | null;
}
