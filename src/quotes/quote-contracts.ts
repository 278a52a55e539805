/** Quotes: a visitor's own, the page that a link opens, and what staff do with them. */
import type { Contract } from '../platform/old/contract.ts';
import type { quoteRequest, staffQuoteRequest } from './quote.ts';
import type {
  madeQuote,
  quoteJson,
  quoteLink,
  quoteList,
  quoteRow,
  quoteTokenRequest,
  remindersRequest,
  savedQuote,
} from './quote-shapes.ts';

/** Answers 201. */
export const SAVE_QUOTE: Contract<typeof quoteRequest, typeof savedQuote> = 'POST /api/quotes';
/** What the address of a quote leads to; that it was opened is kept. */
export const OPEN_QUOTE: Contract<typeof quoteTokenRequest, typeof quoteJson> = 'POST /api/quote';
export const SET_REMINDERS: Contract<typeof remindersRequest, typeof quoteJson> =
  'POST /api/quote/reminders';
/** The query is a QuoteFilter. */
export const LIST_QUOTES: Contract<null, typeof quoteList> = 'GET /api/admin/quotes';
export const MAKE_QUOTE: Contract<typeof staffQuoteRequest, typeof madeQuote> =
  'POST /api/admin/quotes';
export const GET_QUOTE: Contract<null, typeof quoteRow> = 'GET /api/admin/quotes/:id';
export const CHANGE_QUOTE: Contract<typeof staffQuoteRequest, typeof madeQuote> =
  'POST /api/admin/quotes/:id';
export const WITHDRAW_QUOTE: Contract<null, typeof quoteRow> =
  'POST /api/admin/quotes/:id/withdraw';
/** A new link: those that were given before go on working. */
export const LINK_QUOTE: Contract<null, typeof quoteLink> = 'POST /api/admin/quotes/:id/link';
