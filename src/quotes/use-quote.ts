/** The quote behind a link, as its page and the checkout fetch it. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { OPEN_QUOTE, type QuoteView } from './quote-api.ts';

/** One document shows one quote. */
export const QUOTE = ['quote'];

export type QuoteQuery = UseQueryResult<QuoteView>;

/**
 * `token` is called in the browser alone. `drawn` is what the server has put into the document; the browser asks all the
 * same, which counts as an opening.
 */
export function useQuote(token: () => string, drawn: QuoteView | null = null): QuoteQuery {
  return useQuery({
    queryKey: QUOTE,
    queryFn: ({ signal }) => fetchCall(OPEN_QUOTE, { body: { token: token() }, signal }),
    initialData: drawn ?? undefined,
    refetchOnMount: 'always',
  });
}

/** The link leads to no quote. */
export function isUnknown(error: unknown): boolean {
  return error instanceof CallError && error.status < 429;
}

/** Of a state that this version does not know the server decides. */
export function isPayable({ state }: QuoteView): boolean {
  return state === 'open' || state === null;
}
