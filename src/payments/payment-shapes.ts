/** What travels of a payment: the bodies and answers of its calls. */
import * as z from 'zod/mini';
import { PAYMENT_STATUSES } from '../orders/payment.ts';
import { count, moment, rowId } from '../platform/old/json-shapes.ts';
import { TEST_CARDS, TEST_ENDINGS } from './test-gateway/test-cards.ts';

/** Which provider takes the payments, and the key that its script needs; `tax` when sales tax comes on top. */
export const paymentConfig = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('test') }),
  z.strictObject({
    provider: z.literal('stripe'),
    publishableKey: z.string(),
    tax: z.optional(z.literal(true)),
  }),
]);

export type PaymentConfig = z.output<typeof paymentConfig>;

export function takesTax(config: PaymentConfig): boolean {
  return config.provider === 'stripe' && config.tax === true;
}

const clientSecret = () => z.string().check(z.regex(/^[\w-]{1,200}$/));

/** The secret names the payment and admits to it. */
export const testConfirmRequest = z.strictObject({
  clientSecret: clientSecret(),
  token: z.enum(Object.values(TEST_CARDS)),
  /** For the receipt; the number itself stays in the browser. */
  last4: z.optional(z.enum(TEST_ENDINGS)),
});

export const testAnswerRequest = z.strictObject({
  clientSecret: clientSecret(),
  approve: z.boolean(),
});

export const testRetrieveRequest = z.strictObject({ clientSecret: clientSecret() });

/** `message` says in words why a card was refused. */
export const testPayment = z.strictObject({
  status: z.enum(PAYMENT_STATUSES),
  message: z.optional(z.string()),
});

export type TestPayment = z.output<typeof testPayment>;

/** What time it is for the test gateway. */
export const testClock = z.strictObject({ now: moment });

/** A month from the time that was shown. */
export const moveClockRequest = z.strictObject({ now: moment });

export const movedClock = z.extend(testClock, {
  renewed: count,
  failed: count,
  ended: count,
  /** The first of them, in their order. */
  events: z.array(
    z.strictObject({ orderId: rowId, at: moment, what: z.enum(['renewed', 'failed', 'ended']) }),
  ),
});

export type MovedClock = z.output<typeof movedClock>;
