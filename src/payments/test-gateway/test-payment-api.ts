/** Contracts of the test gateway: paying, and its clock. */
import * as z from 'zod/mini';
import { PAYMENT_STATUSES } from '../../orders/order.ts';
import { contract } from '../../platform/contract.ts';
import { count, fallback, timestamp } from '../../platform/schema.ts';
import { TEST_CARDS, TEST_LAST4 } from './test-cards.ts';

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

/** 404 unless this is a demo on the test gateway. */
export const SETTLE_TEST_INVOICE = contract('POST /api/admin/test-invoices/:id', {
  body: z.strictObject({ how: z.enum(['paid', 'returned']), version: count }),
  answer: z.object({ done: z.boolean() }),
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
