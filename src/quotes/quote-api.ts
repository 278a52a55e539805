/** The calls about quotes: for visitors, for a quote's link, and for staff. */
import * as z from 'zod/mini';
import { paymentField } from '../billing/invoice.ts';
import { features } from '../catalogue/catalogue.ts';
import { price } from '../catalogue/pricing.ts';
import {
  MAX_DISCOUNT_PERCENT,
  MAX_DUE_DAYS,
  MAX_ONCE,
  MAX_ONCE_LINES,
  MAX_QUOTE_DAYS,
  MAX_QUOTE_NOTE,
  MIN_DUE_DAYS,
} from '../limits.ts';
import {
  orderRequest,
  poNumberField,
  postalCodeField,
  titleField,
  usersFit,
} from '../orders/order.ts';
import { addendumToday, tokenRequest } from '../orders/order-api.ts';
import { contract } from '../platform/contract.ts';
import { multiLine, optionalField, singleLine } from '../platform/fields.ts';
import { listFilter } from '../platform/list-query.ts';
import { withCommas } from '../platform/money.ts';
import {
  count,
  dollars,
  exactDollars,
  fallback,
  list,
  rowId,
  text,
  textOrNull,
  timestamp,
  withDefault,
} from '../platform/schema.ts';
import { QUOTE_STATES } from './quote.ts';

const { planId, name, email, company, ms365Option, ms365Users, includeCloudBackup } =
  orderRequest.shape;
/** In the order of the form: the first error takes the focus. */
const choiceAndCustomer = z.strictObject({
  name,
  email,
  company,
  planId,
  ms365Option,
  ms365Users,
  includeCloudBackup,
  note: optionalField(multiLine({ max: MAX_QUOTE_NOTE })),
});

export const quoteRequest = choiceAndCustomer.check(usersFit());
export type QuoteRequest = z.output<typeof quoteRequest>;

const WRONG_PERCENT = `Please enter a whole number from 1 to ${MAX_DISCOUNT_PERCENT}`;
export const WRONG_DOLLARS =
  'Please enter an amount such as 125.50 that leaves at least $1.00 of the plan';

export const WRONG_START = 'Please choose a day';
const WRONG_ONCE = `Please enter an amount from 0.01 to ${withCommas(MAX_ONCE)}`;
const WRONG_DUE = `Please enter a whole number from ${MIN_DUE_DAYS} to ${MAX_DUE_DAYS}`;
const WRONG_DAYS = `Please enter a whole number from 1 to ${MAX_QUOTE_DAYS}`;

const reason = singleLine({ min: 2, max: 200, tooShort: 'Please say why there is a discount' });
const discount = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('percent'),
    value: z
      .int(WRONG_PERCENT)
      .check(z.minimum(1, WRONG_PERCENT), z.maximum(MAX_DISCOUNT_PERCENT, WRONG_PERCENT)),
    reason,
  }),
  z.strictObject({
    kind: z.literal('dollars'),
    value: z.number().check(z.minimum(0.01, WRONG_DOLLARS), z.maximum(10_000_000, WRONG_DOLLARS)),
    reason,
  }),
]);

export const staffQuoteRequest = z
  .extend(choiceAndCustomer, {
    discount: z.nullable(discount),
    /** What is charged once, on acceptance; null of a line that was cleared. */
    once: z._default(
      z.pipe(
        z
          .array(
            z.nullable(
              z.strictObject({
                label: singleLine({ min: 2, max: 100, tooShort: 'Please say what it is for' }),
                amount: exactDollars({ min: 0.01, max: MAX_ONCE }, WRONG_ONCE),
              }),
            ),
          )
          .check(z.maxLength(MAX_ONCE_LINES)),
        z.transform((lines) => lines.filter((line) => line !== null)),
      ),
      [],
    ),
    /** The company's day on which the plan starts; null for the day of acceptance. */
    startsOn: z._default(z.nullable(z.iso.date(WRONG_START)), null),
    /** How many days an invoice may be paid in; null when the quote is paid by card. */
    dueDays: z._default(
      z.nullable(
        z.int().check(z.minimum(MIN_DUE_DAYS, WRONG_DUE), z.maximum(MAX_DUE_DAYS, WRONG_DUE)),
      ),
      null,
    ),
    /** Whether the Safeguards addendum is accepted with it. */
    addendum: z._default(z.boolean(), false),
    /** Counted from today. */
    days: z.int().check(z.minimum(1, WRONG_DAYS), z.maximum(MAX_QUOTE_DAYS, WRONG_DAYS)),
    send: z.boolean(),
    /** The `changedAt` that the form was opened with: no colleague's change is overwritten. */
    changedAt: z.optional(z.int().check(z.minimum(0))),
  })
  .check(usersFit());
export type StaffQuoteRequest = z.output<typeof staffQuoteRequest>;
/** Whole, as the form sends it; `changedAt` is beside it where a quote is changed. */
export type StaffQuoteBody = Omit<Required<z.input<typeof staffQuoteRequest>>, 'changedAt'>;

const timestampOrNull = fallback(z.nullable(timestamp), null);
const flag = fallback(z.boolean(), false);

/** A quote as anyone with its link sees it. Choice and price have no fallback. */
export const quoteView = z.object({
  reference: text,
  /** Null if this version of the page does not know the state. */
  state: fallback(z.nullable(z.enum(QUOTE_STATES)), null),
  name: text,
  company: textOrNull,
  note: textOrNull,
  /** Whether a visitor wrote name, company and note. */
  byVisitor: flag,
  planId: rowId,
  planName: text,
  /** What the plan includes today, for as long as the quote can be accepted. */
  features,
  ms365Option: fallback(z.string(), 'none'),
  ms365Users: fallback(count, 0),
  includeCloudBackup: flag,
  price,
  /** A month before tax. */
  amount: dollars,
  discount: fallback(
    z.nullable(
      z.object({ amount: dollars, percent: fallback(z.nullable(count), null), reason: text }),
    ),
    null,
  ),
  createdAt: fallback(timestamp, ''),
  expiresAt: fallback(timestamp, ''),
  acceptedAt: timestampOrNull,
  /** Null when none is left to come. */
  reminders: fallback(z.nullable(z.boolean()), null),
  payment: paymentField,
  dueDays: fallback(z.nullable(count), null),
  /** What is accepted with the quote, where that needs no card. */
  termsOfService: addendumToday,
  /** Accepted with the quote; null for a quote without it. */
  addendum: addendumToday,
  changedAt: fallback(count, 0),
  /** The colleague's name, as customers read it. */
  preparedBy: textOrNull,
});
export type QuoteView = z.output<typeof quoteView>;
export type QuoteJson = z.input<typeof quoteView>;

const quoteRow = z.extend(quoteView, {
  id: rowId,
  email: text,
  /** The member of staff; null if a visitor made it. */
  madeBy: textOrNull,
  withdrawnAt: timestampOrNull,
  lastOpenedAt: timestampOrNull,
  opened: fallback(count, 0),
  /** The newest order placed with it. */
  orderId: fallback(z.nullable(rowId), null),
  acceptedBy: textOrNull,
  /** Only for one quote, not in the list. */
  source: withDefault(z.nullable(z.string()), null),
});
export type QuoteRow = z.output<typeof quoteRow>;
export type QuoteRowJson = z.input<typeof quoteRow>;

/** The link has no fallback: a saved quote is useless without it. */
const savedQuote = z.object({
  reference: text,
  url: z.string(),
  amount: fallback(z.nullable(dollars), null),
  expiresAt: fallback(timestamp, ''),
  /** Whether its link is on the way by email. */
  emailed: fallback(z.boolean(), false),
});
export type SavedQuote = z.output<typeof savedQuote>;

export const SAVE_QUOTE = contract('POST /api/quotes', { body: quoteRequest, answer: savedQuote });
/** Reads the quote behind a link. `viewed`: a person has it in front of them, which is counted. */
export const OPEN_QUOTE = contract('POST /api/quote', {
  body: z.extend(tokenRequest, { viewed: z._default(z.boolean(), false) }),
  answer: quoteView,
});
export const SET_REMINDERS = contract('POST /api/quote/reminders', {
  body: z.extend(tokenRequest, { wanted: z.boolean() }),
  answer: quoteView,
});

/** From `terms` on: what the customer saw, so that nothing else is accepted. */
export const acceptRequest = z.extend(tokenRequest, {
  name,
  title: titleField(),
  poNumber: poNumberField(),
  /** Required where sales tax is charged. */
  postalCode: z.optional(postalCodeField()),
  terms: z.string().check(z.maxLength(64)),
  addendum: orderRequest.shape.addendum,
  changedAt: count,
  /** Its start day may pass meanwhile. A page of release 1.1.14 says nothing. */
  dueToday: orderRequest.shape.dueToday,
});

export type AcceptRequest = z.output<typeof acceptRequest>;

/** Accepts a quote that is paid by invoice. However often and by whom, there is one order. */
export const ACCEPT_QUOTE = contract('POST /api/quote/accept', {
  body: acceptRequest,
  /** `page`: the customer's own, for the browser that accepted. */
  answer: z.object({ orderId: rowId, reference: text, page: textOrNull }),
});

/** The query is that of QUOTE_FILTER. */
export const LIST_QUOTES = contract('GET /api/admin/quotes', {
  answer: z.object({
    quotes: list(quoteRow),
    total: fallback(count, 0),
    /** The number in each state, whatever state is requested. */
    counts: fallback(z.partialRecord(z.enum(QUOTE_STATES), count), {}),
  }),
});
/** A CSV file; takes the same query. */
export const DOWNLOAD_QUOTES = contract('GET /api/admin/quotes/download');
export const MAKE_QUOTE = contract('POST /api/admin/quotes', {
  body: staffQuoteRequest,
  answer: quoteRow,
});
export const GET_QUOTE = contract('GET /api/admin/quotes/:id', { answer: quoteRow });
export const CHANGE_QUOTE = contract('POST /api/admin/quotes/:id', {
  body: staffQuoteRequest,
  answer: quoteRow,
});
export const WITHDRAW_QUOTE = contract('POST /api/admin/quotes/:id/withdraw', { answer: quoteRow });
/** Creates another link; earlier ones keep working. */
export const LINK_QUOTE = contract('POST /api/admin/quotes/:id/link', {
  answer: z.object({ url: z.string() }),
});

const knownPerson = z.object({
  name: text,
  email: z.string(),
  company: textOrNull,
  /** The last that came of them. */
  at: fallback(timestamp, ''),
});
export type KnownPerson = z.output<typeof knownPerson>;
export type KnownPersonJson = z.input<typeof knownPerson>;

/** People whose name, company or address has the words of `find`; without it, the newest. */
export const FIND_PEOPLE = contract('GET /api/admin/customers', {
  answer: z.object({ people: list(knownPerson) }),
});

export const QUOTE_FILTER = listFilter('state', QUOTE_STATES);
