/** The calls about quotes: a visitor's own, the page that a link opens, and what staff do with them. */
import * as z from 'zod/mini';
import { MS365_OPTIONS } from '../catalogue/pricing.ts';
import { orderRequest, usersFit } from '../orders/order.ts';
import { orderLines, tokenRequest } from '../orders/order-api.ts';
import { contract } from '../platform/contract.ts';
import { multiLine, singleLine } from '../platform/fields.ts';
import { readPage, readSearch } from '../platform/list-query.ts';
import { count, dollars, fallback, list, moment, rowId, textOrNull } from '../platform/schema.ts';
import { MAX_PERCENT, MAX_QUOTE_DAYS, QUOTE_STATES, type QuoteState } from './quote.ts';

export const MAX_NOTE = 1000;

const { planId, name, email, company, ms365Option, ms365Users, includeCloudBackup } =
  orderRequest.shape;
const choiceAndCustomer = z.strictObject({
  planId,
  name,
  email,
  company,
  ms365Option,
  ms365Users,
  includeCloudBackup,
  /** '' counts as none. */
  note: z.pipe(
    z.nullish(multiLine({ max: MAX_NOTE })),
    z.transform((value) => value || null),
  ),
});

export const quoteRequest = choiceAndCustomer.check(usersFit());
export type QuoteRequest = z.output<typeof quoteRequest>;

export const WRONG_PERCENT = `Please enter a whole number from 1 to ${MAX_PERCENT}`;
export const WRONG_DOLLARS =
  'Please enter an amount such as 125.50 that leaves at least $1.00 of the plan';

export const staffQuoteRequest = z
  .extend(choiceAndCustomer, {
    discount: z.nullable(
      z.strictObject({
        kind: z.enum(['percent', 'dollars']),
        value: z
          .number()
          .check(z.minimum(0.01, WRONG_DOLLARS), z.maximum(10_000_000, WRONG_DOLLARS)),
        reason: singleLine({ min: 2, max: 200, tooShort: 'Please say why there is a discount' }),
      }),
    ),
    /** From today. */
    days: z.int().check(z.minimum(1), z.maximum(MAX_QUOTE_DAYS)),
    /** Whether the customer gets it by email. */
    send: z.boolean(),
    /** The `changedAt` of the quote as it was shown: a colleague's later change is not undone. */
    changedAt: z.optional(z.int().check(z.minimum(0))),
  })
  .check(usersFit());
export type StaffQuoteRequest = z.output<typeof staffQuoteRequest>;
export type StaffQuoteBody = z.input<typeof staffQuoteRequest>;

const text = fallback(z.string(), '');
const momentOrNull = fallback(z.nullable(moment), null);
const flag = fallback(z.boolean(), false);

/**
 * As anybody with its link sees it, without the address that it was sent to; amounts of a month. Without what was chosen
 * and its price it is no quote.
 */
export const quoteView = z.object({
  reference: text,
  /** Null for a state that this version of the page does not know. */
  state: fallback(z.nullable(z.enum(QUOTE_STATES)), null),
  name: text,
  company: textOrNull,
  note: textOrNull,
  /** Whether name, company and note are a visitor's words, not ours. */
  byVisitor: flag,
  planId: rowId,
  planName: text,
  ms365Option: z.enum(MS365_OPTIONS),
  ms365Users: fallback(count, 0),
  includeCloudBackup: flag,
  /** What is charged, the discount taken off the plan. */
  lines: orderLines,
  amount: dollars,
  discount: fallback(
    z.nullable(
      z.object({ amount: dollars, percent: fallback(z.nullable(count), null), reason: text }),
    ),
    null,
  ),
  createdAt: fallback(moment, ''),
  expiresAt: fallback(moment, ''),
  /** When it was paid. */
  acceptedAt: momentOrNull,
  /** Whether an email comes before it expires. */
  reminders: flag,
});
export type QuoteView = z.output<typeof quoteView>;
export type QuoteJson = z.input<typeof quoteView>;

const quoteRow = z.extend(quoteView, {
  id: rowId,
  email: text,
  /** Null for a visitor's own. */
  madeBy: textOrNull,
  /** Milliseconds. */
  changedAt: fallback(count, 0),
  withdrawnAt: momentOrNull,
  lastOpenedAt: momentOrNull,
  opened: fallback(count, 0),
  /** The newest order that came of it. */
  orderId: fallback(z.nullable(rowId), null),
});
export type QuoteRow = z.output<typeof quoteRow>;
export type QuoteRowJson = z.input<typeof quoteRow>;

/** Without its link a saved quote is of no use. */
const savedQuote = z.object({
  reference: text,
  url: z.string(),
  amount: fallback(z.nullable(dollars), null),
  expiresAt: fallback(moment, ''),
});
export type SavedQuote = z.output<typeof savedQuote>;

/** Answers 201. */
export const SAVE_QUOTE = contract('POST /api/quotes', { body: quoteRequest, answer: savedQuote });
/** What the address of a quote leads to; that it was opened is kept. */
export const OPEN_QUOTE = contract('POST /api/quote', { body: tokenRequest, answer: quoteView });
export const SET_REMINDERS = contract('POST /api/quote/reminders', {
  body: z.extend(tokenRequest, { wanted: z.boolean() }),
  answer: quoteView,
});

const quoteList = z.object({
  quotes: list(quoteRow),
  total: fallback(count, 0),
  /** How many there are in each state, whatever state is requested. */
  counts: fallback(z.partialRecord(z.enum(QUOTE_STATES), count), {}),
});
export type QuoteListJson = z.input<typeof quoteList>;

/** The query is a QuoteFilter. */
export const LIST_QUOTES = contract('GET /api/admin/quotes', { answer: quoteList });
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
/** A new link: earlier ones go on working. */
export const LINK_QUOTE = contract('POST /api/admin/quotes/:id/link', {
  answer: z.object({ url: z.string() }),
});

export const QUOTES_PAGE = 50;
/** Of the list and of each quote on staff's screens. */
export const QUOTES_KEY = ['quotes'];

/** What staff's list is narrowed down to, from the query of its call and of the screen's address. */
export function readQuoteFilter(query: URLSearchParams) {
  const state: QuoteState | '' = QUOTE_STATES.find((each) => each === query.get('state')) ?? '';
  return { words: readSearch(query), state, page: readPage(query) };
}
export type QuoteFilter = ReturnType<typeof readQuoteFilter>;

/** The parameters of a filter, without those that narrow nothing. */
export function writeQuoteFilter({ words, state, page }: QuoteFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (words) query.set('find', words);
  if (state) query.set('state', state);
  if (page > 1) query.set('page', String(page));
  return query;
}
