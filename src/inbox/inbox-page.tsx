/** /admin: the inbox of contact messages and chats, below the deliveries that failed. */

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LIST_PAGE_SIZE, MAX_LISTED } from '../limits.ts';
import { OutboxSection } from '../notifications/outbox-section.tsx';
import { isSignedOut } from '../platform/browser/query-client.ts';
import { callUrl } from '../platform/contract.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { countOf } from '../platform/list-query.ts';
import { STAFF_PAGES } from '../routes.ts';
import { draftedThreads, forgetKeptDraft, forgetOldDrafts } from '../staff/drafts.ts';
import { useUsername } from '../staff/login.tsx';
import type { ThreadStatus } from '../threads/thread.ts';
import { AdminPageLayout, RefreshButton } from '../ui/admin-page-layout.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { DownloadLink } from '../ui/download-link.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { ListAndDetail, useListParams } from '../ui/records/list-and-detail.tsx';
import { OPENS } from '../ui/records/record-table.tsx';
import {
  BOTH_KINDS,
  DOWNLOAD_MESSAGES,
  GET_THREAD,
  INBOX_FILTER,
  type InboxFilter,
  LIST_THREADS,
  type Thread,
} from './inbox-api.ts';
import { INBOX_COLUMNS } from './inbox-columns.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { SaleFound, ShowNews, Undelivered } from './inbox-news.tsx';
import { LIST, LOADED_AT, NO_FILTER, threadQuery, useCounts, useFresh } from './inbox-queries.ts';
import { ThreadDetail } from './thread-detail.tsx';

export default function InboxPage() {
  const listParams = useInboxParams();
  const { params, setParams } = listParams;
  const { open, ...filter } = params;
  const {
    data: rows,
    isError,
    isPlaceholderData,
  } = useQuery({
    ...listOf(filter),
    placeholderData: keepPreviousData,
  });
  const { data: found } = useCounts(filter);
  const counts = found?.counts;
  const unread = (counts?.new ?? 0) + (counts?.waiting ?? 0);
  const next = useNext(listParams, rows);
  const { fresh, showNews } = useLeadToNews(listParams, rows, unread);
  useErasedDrafts();
  return (
    <AdminPageLayout
      heading={STAFF_PAGES.inbox.title}
      tools={
        <InboxFilters
          filter={filter}
          counts={counts}
          onChange={(change) => setParams({ open: null, page: 1, ...change }, { replace: true })}
        />
      }
      actions={
        <>
          <ButtonLink href={STAFF_PAGES.logs.path} variant="quiet" size="small">
            View Access Logs
          </ButtonLink>
          <DownloadLink href={callUrl(DOWNLOAD_MESSAGES)} ready={Boolean(rows?.length)}>
            Export CSV
          </DownloadLink>
          <RefreshButton />
        </>
      }
    >
      {filter.undelivered && (
        <FailureBoundary>
          <OutboxSection />
        </FailureBoundary>
      )}
      <ListAndDetail
        heading="All Submissions"
        listParams={listParams}
        news={
          <>
            {found?.sale && <SaleFound sale={found.sale} />}
            <Undelivered
              failed={found?.failed ?? 0}
              trying={found?.trying ?? 0}
              shown={filter.undelivered}
              onShow={() =>
                setParams({ ...NO_FILTER, open: null, undelivered: !filter.undelivered })
              }
            />
            <ShowNews onShow={showNews} />
          </>
        }
        notice={
          isError && (
            // The specification's words (decision 090).
            <Notice kind="warning">
              This is a preview with sample data: the endpoint is not yet available.
            </Notice>
          )
        }
        columns={INBOX_COLUMNS}
        isNew={({ id }) => fresh.includes(id)}
        items={isError ? [] : (rows?.slice(0, LIST_PAGE_SIZE) ?? null)}
        outdated={isPlaceholderData}
        noMatches={
          filter.undelivered
            ? 'Every answer has left.'
            : 'No messages match your search and filters.'
        }
        empty="No submissions found. When customers submit the contact form, their submissions will appear here."
        total={counts ? Math.min(countOf<ThreadStatus>(counts, filter.status), MAX_LISTED) : 0}
        threads
        detail={(id) => (
          <ThreadDetail
            id={id}
            row={rows?.find((row) => row.id === id)}
            answering={id === next.answering}
            onClose={() => {
              next.setAnswering(null);
              setParams({ open: null }, { replace: true });
            }}
            onNext={unread > 0 ? next.openNext : undefined}
          />
        )}
      />
    </AdminPageLayout>
  );
}

const useInboxParams = () => useListParams(INBOX_FILTER.read, INBOX_FILTER.write);

type InboxParams = ReturnType<typeof useInboxParams>;

/** Leads to the thread that has waited longest; on another page, once this one is done. */
function useNext({ params, setParams }: InboxParams, rows: Thread[] | undefined) {
  const { open, ...filter } = params;
  const queryClient = useQueryClient();
  /** The thread that a link or 'Next' has led to: it is there to be answered. */
  const [answering, setAnswering] = useState(open);
  const waits = ({ id, waitsSince }: Thread) => id !== open && waitsSince !== null;
  const nextId = open === null ? undefined : rows?.find(waits)?.id;
  // While one is read, the next one comes.
  useEffect(() => {
    if (nextId) void queryClient.prefetchQuery(threadQuery(nextId));
  }, [nextId, queryClient]);
  async function openNext() {
    const firstPage = { ...listOf({ ...filter, page: 1 }), staleTime: 0 };
    const next = rows?.find(waits) ?? (await queryClient.fetchQuery(firstPage)).find(waits);
    if (!next) return;
    setAnswering(next.id);
    setParams({ open: next.id, page: rows?.includes(next) ? filter.page : 1 }, { replace: true });
  }
  return { answering, setAnswering, openNext };
}

/** 'Show new' leads to the first of the rows that came since the list was loaded. */
function useLeadToNews(
  { params: { open }, setParams }: InboxParams,
  rows: Thread[] | undefined,
  unread: number,
) {
  const queryClient = useQueryClient();
  const [fresh, addFresh] = useFresh(open);
  const [leadTo, setLeadTo] = useState<number>();
  useEffect(() => {
    const row = document.querySelector<HTMLElement>(`[${OPENS}="${leadTo}"]`);
    if (!leadTo || !row || !rows) return;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'center', behavior: 'instant' });
    setLeadTo(undefined);
  }, [leadTo, rows]);
  /** The newest are not always on the first page: who has waited longest is. */
  async function showNews(since: number) {
    const isNews = ({ waitsSince, lastAt }: Thread) =>
      waitsSince !== null && Date.parse(lastAt) > since;
    const fetchPage = (page: number) =>
      queryClient.fetchQuery({ ...listOf({ ...NO_FILTER, page }), staleTime: 0 });
    const last = Math.ceil(unread / LIST_PAGE_SIZE);
    for (const page of new Set([1, Math.max(1, last)])) {
      const news = (await fetchPage(page)).filter(isNews);
      if (news.length === 0 && page !== last) continue;
      addFresh(news.map(({ id }) => id));
      setParams({ ...NO_FILTER, open, page });
      setLeadTo(news[0]?.id);
      break;
    }
    await queryClient.invalidateQueries({ queryKey: LOADED_AT });
  }
  return { fresh, showNews };
}

/** Forgets what was being written to threads that have been erased. */
function useErasedDrafts() {
  const username = useUsername();
  useEffect(() => {
    forgetOldDrafts();
    for (const id of draftedThreads(username))
      fetchCall(GET_THREAD, { params: { id } }).catch((error: unknown) => {
        if (error instanceof CallError && error.status === 404) forgetKeptDraft(username, id);
      });
  }, [username]);
}

/** Throws 'Failed to fetch contacts', or a CallError if the session has ended. */
export function fetchContacts(
  options: { query?: URLSearchParams; signal?: AbortSignal } = {},
): Promise<Thread[]> {
  return fetchCall(LIST_THREADS, { headers: BOTH_KINDS, ...options }).catch((error: unknown) => {
    if (isSignedOut(error)) throw error;
    throw new Error('Failed to fetch contacts', { cause: error });
  });
}

function listOf(filter: InboxFilter) {
  const query = INBOX_FILTER.write(filter);
  return {
    queryKey: [...LIST, query.toString()],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchContacts({ query, signal }),
    meta: { failure: 'Failed to load contact submissions. Please try again.' },
  };
}
