/** The list of quotes that staff see: what may be asked for. */
import { readPage, readWords } from '../../platform/list-query.ts';
import { QUOTE_STATES, type QuoteState } from '../quote-states.ts';

export const QUOTES_PAGE = 50;

/** What the list is narrowed down to; the query parameters of its call and of the screen's address. */
export interface QuoteFilter {
  /** Words to be found in name, company, address or plan, or the quote's number. */
  words: string;
  state: QuoteState | '';
  /** Counts from 1. */
  page: number;
}

/** Reads a filter from query parameters; what makes no sense counts as not given. */
export function readQuoteFilter(query: URLSearchParams): QuoteFilter {
  return {
    words: readWords(query),
    state: QUOTE_STATES.find((state) => state === query.get('state')) ?? '',
    page: readPage(query),
  };
}

/** The parameters of a filter, without those that narrow nothing. */
export function writeQuoteFilter({ words, state, page }: QuoteFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (words) query.set('find', words);
  if (state) query.set('state', state);
  if (page > 1) query.set('page', String(page));
  return query;
}
