/** Contracts of the test gateway: paying, and what staff make happen. */
import * as z from 'zod/mini';
import { decidedOn, staffOrder } from '../../orders/order-api.ts';
import { contract } from '../../platform/contract.ts';
import { fallback } from '../../platform/schema.ts';
import { PAYMENT_STATUSES } from '../provider-in-browser.ts';
import { TEST_LAST4, TEST_TOKENS } from './test-cards.ts';
import { HAPPENINGS } from './test-happenings.ts';

/** Identifies a test payment or a replacement card; anyone who has it may confirm it. */
const clientSecret = z.string().check(z.regex(/^[\w-]{1,200}$/));

/** `message` is the reason for a declined card, as the buyer reads it. */
const testPayment = z.object({
  status: z.enum([...PAYMENT_STATUSES, 'saved']),
  message: fallback(z.optional(z.string()), undefined),
});

export type TestPayment = z.output<typeof testPayment>;

export const CONFIRM_TEST_PAYMENT = contract('POST /api/test-payments/confirm', {
  body: z.strictObject({
    clientSecret,
    token: z.enum(TEST_TOKENS),
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

/** 404 for an order of another provider. */
export const MAKE_HAPPEN = contract('POST /api/admin/orders/:id/test', {
  body: z.strictObject({ happens: z.enum(HAPPENINGS), ...decidedOn }),
  answer: staffOrder,
});
