/** An order: what a visitor may request, and why its plan ends. */
import * as z from 'zod/mini';
import { type Choice, LICENSE, USERS_ERROR } from '../catalogue/pricing.ts';
import { MAX_PO_NUMBER, MAX_POSTAL_CODE, MAX_USERS } from '../limits.ts';
import { emailField, optionalField, phoneField, singleLine } from '../platform/fields.ts';

/** The customer's own number for what they buy, such as 'PO-4711'. */
export const poNumberField = () =>
  optionalField(
    singleLine({ max: MAX_PO_NUMBER }).check(
      z.regex(
        /^[A-Za-z0-9 \-/._]*$/,
        'Please use letters from A to Z, digits, spaces, and - / . _ only',
      ),
    ),
  );

export const PAYMENT_METHODS = ['credit_card'] as const;

/** A US ZIP code of five or nine digits; read as '30060' or '30060-1234'. */
export const postalCodeField = () =>
  singleLine({ max: MAX_POSTAL_CODE }).check(
    // Any writing of the digits, also after the state.
    z.overwrite((typed) => typed.normalize('NFKC').replace(/^[a-z]{2}(?=\W*\d)|\W/gi, '')),
    z.regex(/^\d{5}(\d{4})?$/, 'The ZIP code must have 5 digits, such as 30060'),
    z.overwrite((digits) => digits.replace(/^\d{5}(?=\d)/, '$&-')),
  );

/** Requires 1 to MAX_USERS users for a Microsoft 365 option. */
export function usersFit<Body extends Choice>() {
  return z.refine<Body>(
    ({ ms365Option, ms365Users }) =>
      ms365Option === 'none' || (ms365Users >= 1 && ms365Users <= MAX_USERS),
    { path: ['ms365Users'], message: USERS_ERROR },
  );
}

export const titleField = () =>
  singleLine({ min: 2, max: 100, tooShort: 'Please enter your title' });

/** `amount`: the price that the visitor saw, in dollars, which is only compared. */
export const orderRequest = z
  .strictObject({
    planId: z.int().check(z.minimum(1, 'Please choose a plan'), z.maximum(2 ** 31 - 1)),
    name: singleLine({ min: 2, max: 100, tooShort: 'Name must be at least 2 characters' }),
    email: emailField(),
    phone: phoneField(),
    company: optionalField(singleLine({ max: 100 })),
    ms365Option: z._default(z.string().check(z.regex(LICENSE)), 'none'),
    /** Ignored without a Microsoft 365 option. */
    ms365Users: z._default(
      z.int(USERS_ERROR).check(z.minimum(0, USERS_ERROR), z.maximum(2 ** 31 - 1, USERS_ERROR)),
      0,
    ),
    includeCloudBackup: z._default(z.boolean(), false),
    amount: z.number(),
    /** Where sales tax is due; required when the site charges it. */
    postalCode: z.optional(postalCodeField()),
    /** The token of a quote, whose choice and prices apply. */
    quote: z.optional(z.string().check(z.maxLength(100))),
    /** The hash of the Safeguards addendum that the visitor saw, where the quote carries it. */
    addendum: z.optional(z.string().check(z.maxLength(64))),
    title: z.optional(titleField()),
    /** The buyer confirmed wanting a second subscription to the same plan. */
    another: z._default(z.boolean(), false),
    /** What the visitor saw to be due at once, where a quote has another first payment. */
    dueToday: z.optional(z.number().check(z.minimum(0), z.maximum(1e9))),
    paymentMethod: z._default(z.enum(PAYMENT_METHODS), 'credit_card'),
  })
  .check(usersFit());

export type OrderBody = z.input<typeof orderRequest>;
export type OrderRequest = z.infer<typeof orderRequest>;

/** Replaces the buyer's details when a person is erased. */
export const ERASED_BUYER = {
  name: 'Erased on request',
  email: '',
  phone: null,
  company: null,
} as const;

export function isErased({ email }: { email: string }): boolean {
  return email === ERASED_BUYER.email;
}

export const END_REASONS = ['price', 'provider', 'closing', 'service', 'other'] as const;
export const END_REASON_WORDS: Record<(typeof END_REASONS)[number], string> = {
  price: 'The price',
  provider: 'Another provider',
  closing: 'The business is closing or sold',
  service: 'The service',
  other: 'Something else',
};

/** 'The price: too dear for us'; '' when nothing was said. */
export function whyItEnds(order: { endReason: string | null; endWords: string | null }): string {
  const reason = END_REASONS.find((one) => one === order.endReason);
  return [reason && END_REASON_WORDS[reason], order.endWords].filter(Boolean).join(': ');
}

/** Named in a refusal when the order with this key can't be paid: a new key is needed. */
export const ORDER_KEY = 'Idempotency-Key';
