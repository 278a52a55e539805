/** The inbox's calls, as the screen uses them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import { showToast } from '../ui/toast.ts';
import { INBOX_PAGE, type InboxCounts, type InboxFilter, type Mark, writeFilter } from './inbox.ts';
import type { InboxList } from './inbox-address.ts';

const INBOX = ['inbox'];

export interface Rows<Row> {
  status: 'loading' | 'failed' | 'loaded';
  rows: readonly Row[];
  /** Whether they still are those of the page or search before. */
  outdated: boolean;
}

const WORDS = {
  contacts: {
    thrown: 'Failed to fetch contacts',
    told: 'Failed to load contact submissions. Please try again.',
  },
  conversations: {
    thrown: 'Failed to fetch conversations',
    told: 'Failed to load chat conversations. Please try again.',
  },
};

/** One page of a list. While nothing narrows it the call has no query and answers the whole list, of which it is the beginning. */
export async function fetchPage<Row>(
  list: InboxList,
  filter: InboxFilter,
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  const query = writeFilter(filter);
  if (query.size > 0) query.set('page', String(filter.page));
  const url = `/api/admin/${list}${query.size > 0 ? `?${query}` : ''}`;
  const rows = await fetchJson<readonly Row[]>(url, signal && { signal }).catch((error) => {
    if (isSignedOut(error)) throw error;
    throw new Error(WORDS[list].thrown, { cause: error });
  });
  return rows.slice(0, INBOX_PAGE);
}

function usePage<Row>(list: InboxList, filter: InboxFilter) {
  return useQuery<readonly Row[]>({
    queryKey: [...INBOX, list, filter],
    queryFn: ({ signal }) => fetchPage(list, filter, signal),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

/** One page of a list. Should it fail, the list is empty and a toast says so, each time. */
export function useRows<Row>(list: InboxList, filter: InboxFilter): Rows<Row> {
  const { data, status, error, errorUpdateCount, isPlaceholderData } = usePage<Row>(list, filter);
  const signedOut = isSignedOut(error);
  useEffect(() => {
    if (errorUpdateCount === 0 || signedOut) return;
    showToast({
      title: 'Error',
      description: WORDS[list].told,
      variant: 'destructive',
    });
  }, [list, errorUpdateCount, signedOut]);
  if (status === 'error') return { status: 'failed', rows: [], outdated: false };
  return { status: data ? 'loaded' : 'loading', rows: data ?? [], outdated: isPlaceholderData };
}

/** A session that has ended is the frame's matter. */
function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
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
