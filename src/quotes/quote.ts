/** A quote: a choice and its prices, held for some days. What may be asked for, and where one stands. */
import * as z from 'zod/mini';
import { type Choice, MS365_OPTIONS, type Price } from '../catalogue/pricing.ts';
import { MAX_USERS, WRONG_USERS } from '../catalogue/user-count.ts';
import { companyField, orderRequest } from '../orders/order.ts';
import { emailField, multiLine, singleLine } from '../platform/fields.ts';
import { type Cents, cents } from '../platform/money.ts';
import type { QuoteState } from './quote-states.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long prices are held where nobody says otherwise. */
export const QUOTE_DAYS = 30;
export const MAX_QUOTE_DAYS = 365;

export function daysFrom(time: number, days: number): number {
  return time + days * DAY_MS;
}

/** A quote that was paid stays accepted, also after its last day. Times in milliseconds. */
export function quoteState(
  quote: { withdrawnAt: number | null; expiresAt: number; acceptedAt: number | null },
  now: number,
): QuoteState {
  if (quote.acceptedAt !== null) return 'accepted';
  if (quote.withdrawnAt !== null) return 'withdrawn';
  return quote.expiresAt <= now ? 'expired' : 'open';
}

/** Days before its end on which a customer is reminded of a quote, in the order in which they come. */
export const REMINDERS = [7, 1] as const;

/** How many reminders are due by now; `endsAt` and `now` in milliseconds. */
export function remindersDue(endsAt: number, now: number): number {
  return REMINDERS.filter((days) => endsAt <= daysFrom(now, days)).length;
}

/** Those that make no sense for a quote that is made now: it ends as soon as they would come, or a day later. */
export function remindersPast(endsAt: number, now: number): number {
  return remindersDue(endsAt, daysFrom(now, 1));
}

export const MAX_NOTE = 1000;

/** '' counts as none. */
function noteField() {
  return z.pipe(
    z.nullish(multiLine({ max: MAX_NOTE })),
    z.transform((value) => value || null),
  );
}

/** What is chosen, and for whom. */
const asked = z.strictObject({
  planId: orderRequest.shape.planId,
  ms365Option: z._default(z.enum(MS365_OPTIONS), 'none'),
  /** Taken as 0 without an option. */
  ms365Users: orderRequest.shape.ms365Users,
  includeCloudBackup: z._default(z.boolean(), false),
  name: singleLine({ min: 2, max: 100, tooShort: 'Name must be at least 2 characters' }),
  email: emailField(),
  company: companyField(),
  note: noteField(),
});

/** `Asked` as it is read. */
function usersFit<Asked extends Choice>() {
  return z.refine<Asked>(
    ({ ms365Option, ms365Users }) =>
      ms365Option === 'none' || (ms365Users >= 1 && ms365Users <= MAX_USERS),
    { path: ['ms365Users'], message: WRONG_USERS },
  );
}

/** A visitor's. */
export const quoteRequest = asked.check(usersFit());
export type QuoteRequest = z.output<typeof quoteRequest>;

export const MAX_PERCENT = 90;
/** Of the plan's price this much is left at least: a month that costs nothing takes no card. */
const LEAST_PLAN_PRICE = cents(100);

export const WRONG_PERCENT = `Please enter a whole number from 1 to ${MAX_PERCENT}`;
export const WRONG_DOLLARS =
  'Please enter an amount such as 125.50 that leaves at least $1.00 of the plan';
export const NO_REASON = 'Please say why there is a discount';

/** Off the plan's own price, every month. The licenses are not ours to lower. */
const discount = z.strictObject({
  kind: z.enum(['percent', 'dollars']),
  /** Percent as a whole number, or dollars. */
  value: z.number().check(z.minimum(0.01, WRONG_DOLLARS), z.maximum(10_000_000, WRONG_DOLLARS)),
  reason: singleLine({ min: 2, max: 200, tooShort: NO_REASON }),
});
export type Discount = z.output<typeof discount>;

/** One that staff make or change. */
export const staffQuoteRequest = z
  .extend(asked, {
    discount: z.nullable(discount),
    /** From today. */
    days: z.int().check(z.minimum(1), z.maximum(MAX_QUOTE_DAYS)),
    /** Whether the customer gets it by email. */
    send: z.boolean(),
    /** When the quote that was changed had last been changed, in milliseconds: somebody else's change is not undone. */
    changedAt: z.optional(z.int().check(z.minimum(0))),
  })
  .check(usersFit());
export type StaffQuoteRequest = z.output<typeof staffQuoteRequest>;
export type StaffQuoteBody = z.input<typeof staffQuoteRequest>;

/** What comes off the plan's price each month; undefined for a discount that cannot be given. */
export function discountOf(planPrice: Cents, { kind, value }: Discount): Cents | undefined {
  const off = Math.round(kind === 'percent' ? (planPrice * value) / 100 : value * 100);
  const fits =
    kind === 'dollars' || (Number.isInteger(value) && value >= 1 && value <= MAX_PERCENT);
  return fits && off > 0 && planPrice - off >= LEAST_PLAN_PRICE ? cents(off) : undefined;
}

/** The price with so much off the plan's line. */
export function discounted({ lines, total }: Price, off: Cents): Price {
  return {
    lines: lines.map((line) =>
      line.kind === 'plan'
        ? { ...line, unitPrice: cents(line.unitPrice - off), amount: cents(line.amount - off) }
        : line,
    ),
    total: cents(total - off),
  };
}
