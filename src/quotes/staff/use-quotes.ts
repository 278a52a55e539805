/** The staff's calls about quotes, as the screen uses them, and what it shows as the address says it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LIST_PLANS } from '../../catalogue/catalogue-api.ts';
import { fetchCall as fetchList } from '../../platform/fetch-call.ts';
import { fetchCall } from '../../platform/old/fetch-call.ts';
import { useListAddress } from '../../ui/records/use-list-address.ts';
import { GET_QUOTE, LIST_QUOTES } from '../quote-contracts.ts';
import { readQuoteList, readQuoteRow } from '../read-quote.ts';
import { type QuoteFilter, readQuoteFilter, writeQuoteFilter } from './quote-list.ts';

const QUOTES = ['quotes'];

export const useQuotesAddress = () => useListAddress(readQuoteFilter, writeQuoteFilter);

export function useQuotes(filter: QuoteFilter) {
  const query = writeQuoteFilter(filter);
  return useQuery({
    queryKey: [...QUOTES, 'list', query.toString()],
    queryFn: ({ signal }) => fetchCall(LIST_QUOTES, readQuoteList, { query, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

export function useQuoteRow(id: number) {
  return useQuery({
    queryKey: [...QUOTES, id],
    queryFn: ({ signal }) => fetchCall(GET_QUOTE, readQuoteRow, { params: { id }, signal }),
    refetchOnMount: 'always',
  });
}

/** What can be quoted. */
export function usePlans() {
  return useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => fetchList(LIST_PLANS, { signal }),
  });
}

/** Does something with a quote; list and detail follow. */
export function useQuoteAction<Given>() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (act: () => Promise<Given>) => act(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: QUOTES }),
  });
}
