/** The inbox's calls, as the screen makes them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isSignedOut } from '../platform/browser/query-client.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { showToast } from '../ui/toast/toast.ts';
import {
  COUNT_INBOX,
  type Conversation,
  GET_CONTACT,
  GET_CONVERSATION,
  type InboxFilter,
  type InboxList,
  LIST_CONTACTS,
  LIST_CONVERSATIONS,
  MARK_CONTACT,
  MARK_CONVERSATION,
  type Mark,
  type Submission,
  writeFilter,
} from './inbox-api.ts';

const INBOX = ['inbox'];

/** A line of either list. */
export interface InboxRow {
  id: number;
  reference: string;
  at: string;
  name: string;
  email: string;
  mark: Mark | null;
  text: string;
  /** The contact message, all of it. */
  submission?: Submission;
  /** How many a conversation has. */
  messages?: number;
}

interface ListOptions {
  query?: URLSearchParams;
  signal?: AbortSignal;
}

/** Throws 'Failed to fetch contacts', or what says that the session has ended. */
export function fetchContacts(options: ListOptions = {}): Promise<Submission[]> {
  return fetchCall(LIST_CONTACTS, options).catch((error: unknown) => {
    if (isSignedOut(error)) throw error;
    throw new Error('Failed to fetch contacts', { cause: error });
  });
}

const LISTS = {
  contacts: {
    fetchRows: async (options: ListOptions) => (await fetchContacts(options)).map(submissionRow),
    failure: 'Failed to load contact submissions. Please try again.',
  },
  conversations: {
    fetchRows: async (options: ListOptions) =>
      (await fetchCall(LIST_CONVERSATIONS, options)).map(conversationRow),
    failure: 'Failed to load chat conversations. Please try again.',
  },
};

/** A list that nothing narrows needs no counts, and more than its first page may come. */
export function useRows(list: InboxList, filter: InboxFilter) {
  const { fetchRows, failure } = LISTS[list];
  const query = writeFilter(filter);
  if (query.size > 0) query.set('page', String(filter.page));
  return useQuery({
    queryKey: [...INBOX, list, query.toString()],
    queryFn: ({ signal }) => fetchRows({ query, signal }),
    refetchOnMount: 'always',
    placeholderData: (rows, last) => (last?.queryKey[1] === list ? rows : undefined),
    meta: { failure },
  });
}

function submissionRow(submission: Submission): InboxRow {
  return { ...submission, at: submission.createdAt, text: submission.message, submission };
}

function conversationRow({ lastAt, lastMessage, ...row }: Conversation): InboxRow {
  return {
    ...row,
    at: lastAt,
    name: row.name ?? 'Not provided',
    email: row.email ?? 'Not provided',
    text: lastMessage,
  };
}

/** Of both lists, by mark. */
export function useCounts(filter: InboxFilter) {
  const query = writeFilter({ ...filter, mark: '', page: 1 });
  return useQuery({
    queryKey: [...INBOX, 'counts', query.toString()],
    queryFn: ({ signal }) => fetchCall(COUNT_INBOX, { query, signal }),
    refetchOnMount: 'always',
    placeholderData: (counts) => counts,
  });
}

/** A contact message: its row tells all of it. One that is in no row is fetched. */
export function useSubmission(id: number, row: Submission | undefined) {
  const { data, isError } = useQuery({
    queryKey: [...INBOX, 'contacts', id],
    queryFn: ({ signal }) => fetchCall(GET_CONTACT, { params: { id }, signal }),
    enabled: row === undefined,
    refetchOnMount: 'always',
  });
  return row ? { data: row, isError: false } : { data, isError };
}

export function useThread(id: number) {
  return useQuery({
    queryKey: [...INBOX, 'conversations', id],
    queryFn: ({ signal }) => fetchCall(GET_CONVERSATION, { params: { id }, signal }),
    refetchOnMount: 'always',
  });
}

/** Marks a message or conversation; lists and counts follow. */
export function useMark(list: InboxList, id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mark: Mark): Promise<unknown> => {
      const options = { params: { id }, body: { mark } };
      return list === 'contacts'
        ? fetchCall(MARK_CONTACT, options)
        : fetchCall(MARK_CONVERSATION, options);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: INBOX }),
    onError: () =>
      showToast({
        title: 'Error',
        description: 'Couldn’t save the change. Please try again.',
        variant: 'destructive',
      }),
  });
}
