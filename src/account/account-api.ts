/** The calls of the customer's own page, which a receipt's link opens; amounts travel as dollars. */
import * as z from 'zod/mini';
import { MAX_USERS, WRONG_USERS } from '../catalogue/pricing.ts';
import { orderLines, orderView, tokenRequest } from '../orders/order-api.ts';
import { contract } from '../platform/contract.ts';
import { emailField, multiLine } from '../platform/fields.ts';
import { cents, isWholeCents } from '../platform/money.ts';
import { count, dollars, fallback, list, moment, textOrNull } from '../platform/schema.ts';

const charge = z.object({ total: dollars, tax: fallback(dollars, cents(0)) });

const payment = z.object({
  id: z.string(),
  number: textOrNull,
  at: moment,
  periodStart: fallback(z.nullable(moment), null),
  periodEnd: fallback(z.nullable(moment), null),
  amount: dollars,
  tax: fallback(dollars, cents(0)),
  state: z.enum(['paid', 'open', 'waived']),
  /** The price lines of the billed month; empty for bills from before they were stored. */
  lines: orderLines,
  /** The card that paid it, such as 'Visa' and '4242'. */
  brand: textOrNull,
  last4: textOrNull,
});
export type Payment = z.output<typeof payment>;

const running = z.object({
  /** When the paid month is over. */
  periodEnd: moment,
  /** The next bill, with all differences; null where none will come. */
  next: fallback(z.nullable(charge), null),
  card: fallback(
    z.nullable(
      z.object({ brand: z.string(), last4: z.string(), expiryMonth: count, expiryYear: count }),
    ),
    null,
  ),
});
export type Running = z.output<typeof running>;

const account = z.object({
  order: orderView,
  /** What is charged each month; null when nothing is, or when the provider cannot be reached. */
  running: fallback(z.nullable(running), null),
  billingUnavailable: fallback(z.boolean(), false),
  /** Whether this browser may change the plan; otherwise a link by email is needed. */
  mayChange: fallback(z.boolean(), false),
  /** What the backup of one user costs from now on, where there is none yet. */
  backupPrice: fallback(dollars, cents(0)),
  billingAddress: textOrNull,
  /** The newest first. */
  payments: fallback(list(payment), []),
});
export type Account = z.output<typeof account>;
export type AccountJson = z.input<typeof account>;

const preview = z.object({
  at: moment,
  /** A month from then on, before tax. */
  monthly: dollars,
  /** For the rest of the month that is paid; negative when something is taken off the next bill. */
  difference: z.pipe(
    z.number().check(z.minimum(-1e9), z.maximum(1e9)),
    z.transform((amount) => cents(Math.round(amount * 100))),
  ),
  next: z.extend(charge, { at: moment }),
});
export type Preview = z.output<typeof preview>;

const users = z
  .int(WRONG_USERS)
  .check(z.minimum(1, WRONG_USERS), z.maximum(MAX_USERS, WRONG_USERS));
/** `from`: what the page showed when the change was entered. */
const previewRequest = z.extend(tokenRequest, {
  users,
  backup: z.boolean(),
  from: z.strictObject({ users: count, backup: z.boolean() }),
});

const LONGEST_ADDRESS = 300;
const MOST_LINES = 6;
const address = multiLine({ max: LONGEST_ADDRESS }).check(
  z.refine(
    (text) => text.split('\n').length <= MOST_LINES,
    `Please use at most ${MOST_LINES} lines`,
  ),
);

export const GET_ACCOUNT = contract('POST /api/order-page', {
  body: tokenRequest,
  answer: account,
});
/** A link that came by email admits this browser to changes. */
export const OPEN_ACCESS_LINK = contract('POST /api/order-page/open', {
  body: z.extend(tokenRequest, { access: z.string().check(z.regex(/^[\w-]{1,100}$/)) }),
  answer: account,
});
export const PREVIEW_CHANGE = contract('POST /api/order-page/preview', {
  body: previewRequest,
  answer: preview,
});
/** `at` and `next` are what the preview showed: its moment, and the next bill in all. */
export const CHANGE_PLAN = contract('POST /api/order-page/change', {
  body: z.extend(previewRequest, {
    at: z.iso.datetime(),
    next: z.number().check(z.minimum(0), z.maximum(1e9), z.refine(isWholeCents)),
  }),
  answer: account,
});
/** Ends the plan with the month that is paid. */
export const CANCEL_PLAN = contract('POST /api/order-page/cancel', {
  body: tokenRequest,
  answer: account,
});
export const RESUME_PLAN = contract('POST /api/order-page/keep', {
  body: tokenRequest,
  answer: account,
});
export const START_CARD = contract('POST /api/order-page/card', {
  body: tokenRequest,
  answer: z.object({ clientSecret: z.string() }),
});
export const REPLACE_CARD = contract('POST /api/order-page/card/use', {
  body: z.extend(tokenRequest, { clientSecret: z.string().check(z.regex(/^[\w-]{1,200}$/)) }),
  answer: account,
});
/** '' removes the address. */
export const SET_ADDRESS = contract('POST /api/order-page/address', {
  body: z.extend(tokenRequest, { address }),
  answer: account,
});
/** Links to the orders of an email address go to that address; nothing is answered that says whether there are any. */
export const SEND_LINKS = contract('POST /api/order-page/links', {
  body: z.strictObject({ email: emailField() }),
  answer: z.null(),
});
