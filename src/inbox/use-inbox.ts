/** The inbox's calls, as the screen uses them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError, fetchCall } from '../platform/old/fetch-call.ts';
import { anything } from '../platform/old/read.ts';
import { showToast } from '../ui/toast/toast.ts';
import {
  COUNT_INBOX,
  type ConversationView,
  GET_CONTACT,
  GET_CONVERSATION,
  INBOX_PAGE,
  type InboxFilter,
  type InboxList,
  isNarrowed,
  LIST_CONTACTS,
  LIST_CONVERSATIONS,
  MARK_CONTACT,
  MARK_CONVERSATION,
  type Mark,
  readConversations,
  readCounts,
  readSubmission,
  readSubmissions,
  readThread,
  type SubmissionView,
  WHOLE_LIST,
  writeFilter,
} from './inbox.ts';

const INBOX = ['inbox'];

export interface Rows<Row> {
  status: 'loading' | 'failed' | 'loaded';
  rows: readonly Row[];
  /** Whether they still are those of the page or search before. */
  outdated: boolean;
}

const WORDS = {
  contacts: {
    error: 'Failed to fetch contacts',
    toast: 'Failed to load contact submissions. Please try again.',
  },
  conversations: {
    error: 'Failed to fetch conversations',
    toast: 'Failed to load chat conversations. Please try again.',
  },
};

/** One message or conversation, as far as it is known. */
export interface Found<Thing> {
  thing: Thing | undefined;
  isError: boolean;
}

const MARKERS = { contacts: MARK_CONTACT, conversations: MARK_CONVERSATION };
interface RowOf {
  contacts: SubmissionView;
  conversations: ConversationView;
}
interface FetchOptions {
  query?: URLSearchParams;
  signal?: AbortSignal;
}
const FETCH: { [List in InboxList]: (options: FetchOptions) => Promise<readonly RowOf[List][]> } = {
  contacts: (options) => fetchCall(LIST_CONTACTS, readSubmissions, options),
  conversations: (options) => fetchCall(LIST_CONVERSATIONS, readConversations, options),
};

/** The plain call gives contact messages whole: as long as nothing is narrowed down, its pages are cut here. */
function isWhole(list: InboxList, filter: InboxFilter): boolean {
  const unnarrowed = !isNarrowed({ ...filter, page: 1 });
  return list === 'contacts' && unnarrowed && filter.page * INBOX_PAGE <= WHOLE_LIST;
}

function useList<List extends InboxList>(list: List, filter: InboxFilter) {
  const query = writeFilter(filter);
  query.set('page', String(filter.page));
  const options: FetchOptions = isWhole(list, filter) ? {} : { query };
  return useQuery({
    queryKey: [...INBOX, list, options.query?.toString() ?? ''],
    queryFn: ({ signal }) => fetchRows(list, { ...options, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

export function fetchRows<List extends InboxList>(
  list: List,
  options: FetchOptions = {},
): Promise<readonly RowOf[List][]> {
  return FETCH[list](options).catch((error) => {
    if (isSignedOut(error)) throw error;
    throw new Error(WORDS[list].error, { cause: error });
  });
}

/** One page of a list. Should it fail, the list is empty and a toast says so, each time. */
export function useRows<List extends InboxList>(
  list: List,
  filter: InboxFilter,
): Rows<RowOf[List]> {
  const { data, status, error, errorUpdateCount, isPlaceholderData } = useList(list, filter);
  const signedOut = isSignedOut(error);
  useEffect(() => {
    if (errorUpdateCount === 0 || signedOut) return;
    showToast({
      title: 'Error',
      description: WORDS[list].toast,
      variant: 'destructive',
    });
  }, [list, errorUpdateCount, signedOut]);
  if (status === 'error') return { status: 'failed', rows: [], outdated: false };
  const from = isWhole(list, filter) ? (filter.page - 1) * INBOX_PAGE : 0;
  const rows = data?.slice(from, from + INBOX_PAGE) ?? [];
  return { status: data ? 'loaded' : 'loading', rows, outdated: isPlaceholderData };
}

/** A session that has ended is the frame's matter. */
function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
}

/** Of both lists, by mark. */
export function useCounts(filter: InboxFilter) {
  const query = writeFilter({ ...filter, mark: '', page: 1 });
  return useQuery({
    queryKey: [...INBOX, 'counts', query.toString()],
    queryFn: ({ signal }) => fetchCall(COUNT_INBOX, readCounts, { query, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

/** How many there are at least, as far as what has been loaded tells. */
export function useMinimumCount(list: InboxList, filter: InboxFilter): number {
  const rows = useList(list, filter).data?.length ?? 0;
  if (isWhole(list, filter)) return rows;
  return (filter.page - 1) * INBOX_PAGE + rows + (rows === INBOX_PAGE ? 1 : 0);
}

/** A contact message: its row tells all of it. One that is in no row is fetched. */
export function useSubmission(id: number, filter: InboxFilter) {
  const row = useList('contacts', filter).data?.find((each) => each.id === id);
  const { data, isError } = useQuery({
    queryKey: [...INBOX, 'contacts', id],
    queryFn: ({ signal }) => fetchCall(GET_CONTACT, readSubmission, { params: { id }, signal }),
    enabled: row === undefined,
    initialData: row,
    refetchOnMount: 'always',
  });
  const thing = row ?? data;
  return { thing, isError: isError && thing === undefined };
}

export function useThread(id: number) {
  const { data: thing, isError } = useQuery({
    queryKey: [...INBOX, 'conversations', id],
    queryFn: ({ signal }) => fetchCall(GET_CONVERSATION, readThread, { params: { id }, signal }),
    refetchOnMount: 'always',
  });
  return { thing, isError };
}

/** Marks a message or conversation; lists and counts follow. */
export function useMark(list: InboxList, id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mark: Mark) =>
      fetchCall(MARKERS[list], anything, { params: { id }, body: { mark } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: INBOX }),
    onError: () =>
      showToast({
        title: 'Error',
        description: 'Couldn’t save the change. Please try again.',
        variant: 'destructive',
      }),
  });
}
