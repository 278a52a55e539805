/** What travels of a customer's own page: what runs, its payments, and what is asked of it. Amounts are dollars. */
import * as z from 'zod/mini';
import { LINE_KINDS } from '../catalogue/pricing.ts';
import { MAX_USERS, WRONG_USERS } from '../catalogue/user-count.ts';
import { emailField, multiLine } from '../platform/fields.ts';
import { isWholeCents } from '../platform/money.ts';
import { count, dollarAmount, moment, rowId } from '../platform/old/json-shapes.ts';
import { ORDER_STATUSES } from './order.ts';
import { tokenRequest } from './order-api.ts';

const orderLine = z.strictObject({
  kind: z.enum(LINE_KINDS),
  label: z.string(),
  unitPrice: dollarAmount,
  quantity: count,
  amount: dollarAmount,
});

/** As the buyer sees it; of a month. */
const ownOrder = z.strictObject({
  id: rowId,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  company: z.nullable(z.string()),
  planId: rowId,
  paymentMethod: z.string(),
  ms365Option: z.string(),
  ms365Users: count,
  includeCloudBackup: z.boolean(),
  status: z.enum(ORDER_STATUSES),
  amount: dollarAmount,
  /** Sales tax, on top of the amount. */
  tax: dollarAmount,
  paymentId: z.nullable(z.string()),
  createdAt: moment,
  /** The plan as it was called when it was bought, and what is charged for. */
  planName: z.string(),
  lines: z.array(orderLine),
  refunded: dollarAmount,
  /** When the subscription ends, once that has been decided. */
  endsAt: z.nullable(moment),
  /** The quote that it paid, such as 'Q-12'. */
  quote: z.nullable(z.string()),
  /** Where its buyer finds it at any time; null for everybody else. */
  page: z.nullable(z.string()),
});

const card = z.strictObject({
  brand: z.string(),
  last4: z.string(),
  expiryMonth: count,
  expiryYear: count,
});

const charge = z.strictObject({ total: dollarAmount, tax: dollarAmount });

const seats = z.strictObject({ users: count, backup: z.boolean() });

export const payment = z.strictObject({
  id: z.string(),
  number: z.nullable(z.string()),
  at: moment,
  periodStart: z.nullable(moment),
  periodEnd: z.nullable(moment),
  amount: dollarAmount,
  tax: dollarAmount,
  state: z.enum(['paid', 'open', 'waived']),
  /** The month's lines that it was made of; none of a bill from before they were kept. */
  lines: z.array(orderLine),
  /** What paid it. */
  brand: z.nullable(z.string()),
  last4: z.nullable(z.string()),
});

export const account = z.strictObject({
  order: ownOrder,
  /** What is charged each month; null when nothing is, or when the provider cannot be asked now. */
  running: z.nullable(
    z.strictObject({
      /** When the paid month is over. */
      periodEnd: moment,
      /** The next bill, with all differences; null where none will come. */
      next: z.nullable(charge),
      card: z.nullable(card),
    }),
  ),
  away: z.boolean(),
  /** This browser may change it; without, a link by email is needed. */
  mayChange: z.boolean(),
  /** What the backup of one user costs from now on, where there is none yet. */
  backupPrice: dollarAmount,
  billingAddress: z.nullable(z.string()),
  /** The newest first. */
  payments: z.array(payment),
});
export type AccountJson = z.output<typeof account>;

const token = tokenRequest.shape.token;
const users = z
  .int(WRONG_USERS)
  .check(z.minimum(1, WRONG_USERS), z.maximum(MAX_USERS, WRONG_USERS));

/** `from`: what the page showed when the change was entered. */
export const previewRequest = z.strictObject({ token, users, backup: z.boolean(), from: seats });

/** `at` and `next` are what the preview showed: its moment, and the next bill in all. */
export const changeRequest = z.extend(previewRequest, {
  at: moment,
  next: z.number().check(z.minimum(0), z.maximum(1e9), z.refine(isWholeCents)),
});

export const preview = z.strictObject({
  at: moment,
  /** A month from then on, before tax. */
  monthly: dollarAmount,
  /** For the rest of the month that is paid; negative when something is taken off the next bill. */
  difference: z.number(),
  next: z.extend(charge, { at: moment }),
});
export type PreviewJson = z.output<typeof preview>;

export type PreviewRequest = z.output<typeof previewRequest>;

export const accessRequest = z.strictObject({
  token,
  access: z.string().check(z.regex(/^[\w-]{1,100}$/)),
});
export type AccessRequest = z.output<typeof accessRequest>;

export const cardRequest = z.strictObject({
  token,
  clientSecret: z.string().check(z.regex(/^[\w-]{1,200}$/)),
});
export const cardEntry = z.strictObject({ clientSecret: z.string() });

const LONGEST_ADDRESS = 300;
const MOST_LINES = 6;
/** '' takes it away. */
export const addressRequest = z.strictObject({
  token,
  address: multiLine({ max: LONGEST_ADDRESS }).check(
    z.refine(
      (text) => text.split('\n').length <= MOST_LINES,
      `Please use at most ${MOST_LINES} lines`,
    ),
  ),
});

export const linksRequest = z.strictObject({ email: emailField() });
/** The same whether or not there are orders. */
export const linksAsked = z.strictObject({ asked: z.boolean() });
