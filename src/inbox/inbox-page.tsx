/** /admin: the inbox of contact messages and chat conversations, below the deliveries that failed. */

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Mark } from '../contact/contact.ts';
import { LIST_PAGE_SIZE } from '../limits.ts';
import { OutboxSection, useOutbox } from '../notifications/outbox-section.tsx';
import { isSignedOut, useReload } from '../platform/browser/query-client.ts';
import { callUrl } from '../platform/contract.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { countOf } from '../platform/list-query.ts';
import { STAFF_PAGES } from '../routes.ts';
import { AdminPageLayout } from '../ui/admin-page-layout.tsx';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink, RefreshButton } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { ListAndDetail, useListParams } from '../ui/records/list-and-detail.tsx';
import type { Column } from '../ui/records/record-table.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import {
  COUNT_INBOX,
  type Conversation,
  DOWNLOAD_MESSAGES,
  type InboxFilter,
  LIST_CONTACTS,
  LIST_CONVERSATIONS,
  MARK_LABELS,
  readFilter,
  type Submission,
  writeFilter,
} from './inbox-api.ts';
import { InboxFilters } from './inbox-filters.tsx';
import { ConversationDetail, ServiceBadge, SubmissionDetail } from './message-detail.tsx';

const LISTS = {
  contacts: {
    label: 'Contact messages',
    heading: 'All Submissions',
    about: 'Service',
    fetchRows: async (options: ListOptions) => (await fetchContacts(options)).map(submissionRow),
    failure: 'Failed to load contact submissions. Please try again.',
    // The specification's words (decision 090); shown when the list could not be fetched.
    notice: (
      <Notice kind="warning">
        This is a preview with sample data: the endpoint is not yet available.
      </Notice>
    ),
    empty:
      'No submissions found. When customers submit the contact form, their submissions will appear here.',
  },
  conversations: {
    label: 'Chat conversations',
    heading: 'All Conversations',
    about: 'Last message',
    fetchRows: async (options: ListOptions) =>
      (await fetchCall(LIST_CONVERSATIONS, options)).map(conversationRow),
    failure: 'Failed to load chat conversations. Please try again.',
    notice: <Notice kind="error">Couldn’t load the conversations.</Notice>,
    empty:
      'No conversations found. When visitors write in the chat, their messages will appear here.',
  },
};

/** The list waits this long for the outbox above it, which would push it down. */
const OUTBOX_WAIT_MS = 2000;

export default function InboxPage() {
  const listParams = useListParams(readFilter, writeFilter);
  const { params, setParams } = listParams;
  const { open, ...filter } = params;
  const { list } = filter;
  const { heading, about, notice, empty } = LISTS[list];
  const { data: rows, isError, isPlaceholderData } = useRows(filter);
  const { data: counts } = useCounts(filter);
  const outbox = useOutbox();
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), OUTBOX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const { busy, reload } = useReload();
  const onClose = () => setParams({ open: null }, { replace: true });
  return (
    <AdminPageLayout
      heading={STAFF_PAGES.inbox.title}
      actions={
        <>
          <ButtonLink href={STAFF_PAGES.logs.path} variant="quiet" size="small">
            View Access Logs
          </ButtonLink>
          <ButtonLink href={callUrl(DOWNLOAD_MESSAGES)} variant="quiet" size="small" download>
            Export CSV
          </ButtonLink>
          <RefreshButton busy={busy} onClick={reload} />
        </>
      }
    >
      <FailureBoundary>
        <OutboxSection />
      </FailureBoundary>
      {(waited || !outbox.isPending) && (
        <ListAndDetail
          heading={heading}
          listParams={{
            ...listParams,
            isFiltered: writeFilter({ ...filter, list: 'contacts' }).size > 0,
            clearParams: () =>
              setParams({ ...readFilter(new URLSearchParams()), list, open: null }),
          }}
          filters={
            <>
              <SegmentedControl
                label="List"
                value={list}
                segments={[
                  { value: 'contacts', label: LISTS.contacts.label },
                  { value: 'conversations', label: LISTS.conversations.label },
                ]}
                onChange={(value) => setParams({ list: value, open: null, mark: '', page: 1 })}
              />
              <InboxFilters
                filter={filter}
                counts={counts}
                onChange={(change) =>
                  setParams({ open: null, page: 1, ...change }, { replace: true })
                }
              />
            </>
          }
          notice={isError && notice}
          columns={columns(about)}
          items={isError ? [] : (rows?.slice(0, LIST_PAGE_SIZE) ?? null)}
          outdated={isPlaceholderData}
          noMatches="No messages match your search and filters."
          empty={empty}
          pageSize={LIST_PAGE_SIZE}
          total={counts ? countOf(counts, filter.mark) : 0}
          detail={(id) =>
            list === 'contacts' ? (
              <SubmissionDetail
                id={id}
                onClose={onClose}
                row={rows?.find((row) => row.id === id)?.submission}
              />
            ) : (
              <ConversationDetail id={id} onClose={onClose} />
            )
          }
        />
      )}
    </AdminPageLayout>
  );
}

/** A row of either list. */
interface InboxRow {
  id: number;
  reference: string;
  at: string;
  name: string;
  email: string;
  mark: Mark | null;
  text: string;
  /** Missing for a conversation. */
  submission?: Submission;
  /** The number of messages in a conversation. */
  messages?: number;
}

interface ListOptions {
  query?: URLSearchParams;
  signal?: AbortSignal;
}

/** Throws 'Failed to fetch contacts', or a CallError if the session has ended. */
export function fetchContacts(options: ListOptions = {}): Promise<Submission[]> {
  return fetchCall(LIST_CONTACTS, options).catch((error: unknown) => {
    if (isSignedOut(error)) throw error;
    throw new Error('Failed to fetch contacts', { cause: error });
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

function useRows(filter: InboxFilter) {
  const { list } = filter;
  const query = writeFilter(filter);
  // Without parameters the server returns all contacts, as the specification says (decision 090).
  if (query.size > 0) query.set('page', String(filter.page));
  return useQuery({
    queryKey: ['inbox', list, query.toString()],
    queryFn: ({ signal }) => LISTS[list].fetchRows({ query, signal }),
    placeholderData: (rows, last) => (last?.queryKey[1] === list ? rows : undefined),
    meta: { failure: LISTS[list].failure },
  });
}

function useCounts(filter: InboxFilter) {
  const query = writeFilter({ ...filter, mark: '', page: 1 });
  return useQuery({
    queryKey: ['inbox', 'counts', query.toString()],
    queryFn: ({ signal }) => fetchCall(COUNT_INBOX, { query, signal }),
    placeholderData: (counts) => counts,
  });
}

/** Cells truncate, so that a row stays one line on a desktop whatever a visitor writes. */
function columns(aboutHeading: string): Column<InboxRow>[] {
  return [
    {
      heading: 'Date',
      width: 'w-44',
      className: 'truncate text-xs max-lg:order-4 max-lg:col-span-2',
      cell: ({ at, reference }) => (
        <>
          <LocalTime at={at} /> <span className="ml-1 text-muted tabular-nums">{reference}</span>
        </>
      ),
    },
    {
      heading: 'Name',
      width: 'w-[20%]',
      className: 'truncate max-lg:order-1 max-lg:self-center',
      labelsRow: true,
      cell: Name,
    },
    {
      heading: 'Email',
      width: 'w-[22%]',
      className: 'truncate max-lg:order-3',
      cell: ({ email }) => <bdi>{email}</bdi>,
    },
    { heading: aboutHeading, className: 'truncate max-lg:order-3 max-lg:col-span-2', cell: About },
  ];
}

function Name({ mark, name }: InboxRow) {
  return (
    <>
      {mark === 'new' && (
        <>
          <span className="mr-2 inline-block size-2 rounded-full bg-primary align-middle" />
          <span className="sr-only">{`${MARK_LABELS.new} `}</span>
        </>
      )}
      {mark === 'spam' && (
        <span className="mr-2">
          <Badge tone="danger">{MARK_LABELS.spam}</Badge>
        </span>
      )}
      <bdi className={mark === 'new' ? 'font-semibold text-ink' : 'text-ink'}>{name}</bdi>
    </>
  );
}

function About({ submission, messages = 1, text }: InboxRow) {
  if (!submission)
    return (
      <>
        {messages > 1 && <span>{`(${messages}) `}</span>}
        <bdi className="text-muted">{text}</bdi>
      </>
    );
  return (
    <span className="flex items-center gap-2">
      <span className="flex max-w-1/2 shrink-0 panes:in-data-panes:max-w-full">
        <ServiceBadge service={submission.service} />
      </span>
      <bdi className="min-w-0 truncate text-muted panes:in-data-panes:hidden">{text}</bdi>
    </span>
  );
}
