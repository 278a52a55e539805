/** The calls of staff about quotes, as their screens use them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchCall } from '../platform/fetch-call.ts';
import { GET_QUOTE, LIST_QUOTES, type QuoteFilter, writeQuoteFilter } from './quote-api.ts';

const QUOTES = ['quotes'];

export function useQuotes(filter: QuoteFilter) {
  const query = writeQuoteFilter(filter);
  return useQuery({
    queryKey: [...QUOTES, 'list', query.toString()],
    queryFn: ({ signal }) => fetchCall(LIST_QUOTES, { query, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

export function useQuoteRow(id: number) {
  return useQuery({
    queryKey: [...QUOTES, id],
    queryFn: ({ signal }) => fetchCall(GET_QUOTE, { params: { id }, signal }),
    refetchOnMount: 'always',
  });
}

/** Does something with a quote; list and detail follow. */
export function useQuoteAction<Given, Answer>(act: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: QUOTES }),
  });
}
