/** The inbox's calls, as the screen uses them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import { showToast } from '../ui/toast.ts';
import { INBOX_PAGE, type InboxCounts, type InboxFilter, type Mark, writeFilter } from './inbox.ts';
import type { InboxList } from './inbox-address.ts';

export const INBOX = ['inbox'];

export interface Rows<Row> {
  status: 'loading' | 'failed' | 'loaded';
  rows: readonly Row[];
  /** Whether they still are those of the page or search before. */
  outdated: boolean;
}

function usePage<Row>(list: InboxList, filter: InboxFilter) {
  const query = writeFilter(filter);
  query.set('page', String(filter.page));
  const url = `/api/admin/${list}?${query}`;
  return useQuery<readonly Row[]>({
    queryKey: [...INBOX, list, url],
    queryFn: ({ signal }) => fetchJson(url, { signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

const NOT_LOADED = {
  contacts: 'Failed to load contact submissions. Please try again.',
  conversations: 'Failed to load chat conversations. Please try again.',
};

/** One page of a list. Should it fail, the list is empty and a toast says so, each time. */
export function useRows<Row>(list: InboxList, filter: InboxFilter): Rows<Row> {
  const { data, status, error, errorUpdateCount, isPlaceholderData } = usePage<Row>(list, filter);
  const signedOut = error instanceof CallError && error.status === 401;
  useEffect(() => {
    if (errorUpdateCount === 0 || signedOut) return;
    showToast({
      title: 'Error',
      description: NOT_LOADED[list],
      variant: 'destructive',
    });
  }, [list, errorUpdateCount, signedOut]);
  if (status === 'error') return { status: 'failed', rows: [], outdated: false };
  return { status: data ? 'loaded' : 'loading', rows: data ?? [], outdated: isPlaceholderData };
}

/** Of both lists, by mark. */
export function useCounts(filter: InboxFilter) {
  const query = writeFilter({ ...filter, mark: '', page: 1 });
  const url = `/api/admin/inbox/counts${query.size > 0 ? `?${query}` : ''}`;
  return useQuery<InboxCounts>({
    queryKey: [...INBOX, 'counts', url],
    queryFn: ({ signal }) => fetchJson(url, { signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

/** How many there are at least, as far as the page that is shown tells. */
export function useLeast(list: InboxList, filter: InboxFilter): number {
  const rows = usePage(list, filter).data?.length ?? 0;
  return (filter.page - 1) * INBOX_PAGE + rows + (rows === INBOX_PAGE ? 1 : 0);
}

/** One message or conversation, whole. */
export function useOne<Thing>(list: InboxList, id: number) {
  return useQuery<Thing>({
    queryKey: [...INBOX, list, id],
    queryFn: ({ signal }) => fetchJson(`/api/admin/${list}/${id}`, { signal }),
    refetchOnMount: 'always',
  });
}

/** Marks a message or conversation; lists and counts follow. */
export function useMark(list: InboxList, id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mark: Mark) =>
      fetchJson(`/api/admin/${list}/${id}/mark`, { method: 'POST', body: { mark } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: INBOX }),
    onError: () =>
      showToast({
        title: 'Error',
        description: 'The mark was not saved. Please try again.',
        variant: 'destructive',
      }),
  });
}
