/** /admin: the inbox of contact messages and chats, below the deliveries that failed. */

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { LIST_PAGE_SIZE } from '../limits.ts';
import { LIST_OUTBOX } from '../notifications/outbox-api.ts';
import { OutboxSection } from '../notifications/outbox-section.tsx';
import { callQuery, isSignedOut } from '../platform/browser/query-client.ts';
import { callUrl } from '../platform/contract.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { countOf } from '../platform/list-query.ts';
import { MINUTE_MS } from '../platform/time.ts';
import { STAFF_PAGES } from '../routes.ts';
import { draftedThreads, forgetKeptDraft, forgetOldDrafts } from '../staff/drafts.ts';
import { useUsername } from '../staff/login.tsx';
import type { ThreadStatus } from '../threads/thread.ts';
import { AdminPageLayout, RefreshButton } from '../ui/admin-page-layout.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { DownloadLink } from '../ui/download-link.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { LocalTime, useNow } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { ListAndDetail, useListParams } from '../ui/records/list-and-detail.tsx';
import { type Column, OPENS } from '../ui/records/record-table.tsx';
import {
  BOTH_KINDS,
  COUNT_INBOX,
  DOWNLOAD_MESSAGES,
  GET_THREAD,
  INBOX_FILTER,
  type InboxFilter,
  LIST_THREADS,
  type Related,
  STATUS_LABELS,
  type Thread,
} from './inbox-api.ts';
import { InboxFilters } from './inbox-filters.tsx';
import {
  isUnread,
  LIST,
  LOADED_AT,
  NO_FILTER,
  threadQuery,
  useCounts,
  useFresh,
} from './inbox-queries.ts';
import { ServiceBadge } from './thread-beside.tsx';
import { ThreadDetail } from './thread-detail.tsx';

export default function InboxPage() {
  const listParams = useListParams(INBOX_FILTER.read, INBOX_FILTER.write);
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
  /** The thread that a link or 'Next' has led to: it is there to be answered. */
  const [answering, setAnswering] = useState(open);
  const queryClient = useQueryClient();
  /** The thread that has waited longest; on another page, once this one is done. */
  const waits = ({ id, waitsSince }: Thread) => id !== open && waitsSince !== null;
  const nextId = open === null ? undefined : rows?.find(waits)?.id;
  // While one is read, the next one comes.
  useEffect(() => {
    if (nextId) void queryClient.prefetchQuery(threadQuery(nextId));
  }, [nextId, queryClient]);
  const [fresh, addFresh] = useFresh(open);
  /** The row that 'Show new' leads to. */
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
    const last = Math.ceil(((counts?.new ?? 0) + (counts?.waiting ?? 0)) / LIST_PAGE_SIZE);
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
  async function openNext() {
    const firstPage = { ...listOf({ ...filter, page: 1 }), staleTime: 0 };
    const next = rows?.find(waits) ?? (await queryClient.fetchQuery(firstPage)).find(waits);
    if (!next) return;
    setAnswering(next.id);
    setParams({ open: next.id, page: rows?.includes(next) ? filter.page : 1 }, { replace: true });
  }
  const username = useUsername();
  useEffect(() => {
    forgetOldDrafts();
    for (const id of draftedThreads(username))
      fetchCall(GET_THREAD, { params: { id } }).catch((error: unknown) => {
        // It has been erased.
        if (error instanceof CallError && error.status === 404) forgetKeptDraft(username, id);
      });
  }, [username]);
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
        columns={COLUMNS}
        isNew={({ id }) => fresh.includes(id)}
        items={isError ? [] : (rows?.slice(0, LIST_PAGE_SIZE) ?? null)}
        outdated={isPlaceholderData}
        noMatches={
          filter.undelivered
            ? 'Every answer has left.'
            : 'No messages match your search and filters.'
        }
        empty="No submissions found. When customers submit the contact form, their submissions will appear here."
        total={counts ? countOf<ThreadStatus>(counts, filter.status) : 0}
        threads
        detail={(id) => (
          <ThreadDetail
            id={id}
            row={rows?.find((row) => row.id === id)}
            answering={id === answering}
            onClose={() => {
              setAnswering(null);
              setParams({ open: null }, { replace: true });
            }}
            onNext={counts && counts.new + counts.waiting > 0 ? openNext : undefined}
          />
        )}
      />
    </AdminPageLayout>
  );
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

interface UndeliveredProps {
  /** Answers. */
  failed: number;
  trying: number;
  /** The list has these alone. */
  shown: boolean;
  onShow: () => void;
}

/** What did not arrive, in one line above the list. */
function Undelivered({ failed, trying, shown, onShow }: UndeliveredProps) {
  const { data: outbox } = useQuery({
    ...callQuery(LIST_OUTBOX),
    meta: { inBackground: true },
  });
  const notices = outbox ? outbox.failed + outbox.waiting : 0;
  const words = [
    failed > 0 && `${inWords(failed, 'answer')} did not arrive`,
    trying > 0 && `${failed > 0 ? trying : inWords(trying, 'answer')} still trying`,
    notices > 0 && `${inWords(notices, 'notice')} not delivered`,
  ].filter(Boolean);
  if (words.length === 0 && !shown) return null;
  return (
    <div className="mr-auto flex min-w-0 items-center gap-2 text-xs text-danger">
      <TriangleAlert className="size-4 shrink-0" />
      <span className="min-w-0 truncate max-sm:sr-only in-data-compact:sr-only">
        {words.join(', ') || 'Everything has been delivered'}
      </span>
      <span aria-hidden="true" className="hidden tabular-nums max-sm:inline in-data-compact:inline">
        {failed + trying + notices}
      </span>
      <Button variant="quiet" size="row" aria-pressed={shown} onClick={onShow}>
        {shown ? 'Show all' : 'Show'}
      </Button>
    </div>
  );
}

const inWords = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The order or quote with the number that was searched for. */
function SaleFound({ sale: { reference, path, about, badge } }: { sale: Related }) {
  return (
    <Link href={path} className="flex min-h-10 min-w-0 flex-1 items-center gap-2 text-sm">
      <span className="shrink-0 font-medium text-ink tabular-nums underline underline-offset-4">
        {reference}
      </span>
      <bdi className="min-w-0 truncate">{about}</bdi>
      {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
    </Link>
  );
}

/** How many visitors have written since the list was loaded. */
function useNews(): { news: number; since: number } {
  const { data: loadedAt } = useQuery({
    queryKey: LOADED_AT,
    queryFn: async ({ signal }) => (await fetchCall(COUNT_INBOX, { signal })).at,
    meta: { inBackground: true },
  });
  const { data, isPlaceholderData } = useCounts(NO_FILTER, Boolean(loadedAt), loadedAt);
  const isKnown = loadedAt && data && !isPlaceholderData;
  const news = isKnown ? data.counts.new + data.counts.waiting : 0;
  return { news, since: loadedAt ?? 0 };
}

function ShowNews({ onShow }: { onShow: (since: number) => Promise<void> }) {
  const { news, since } = useNews();
  const showing = usePress({ mutationFn: onShow });
  return (
    <span role="status">
      {news > 0 && (
        <Button
          variant="quiet"
          size="row"
          busy={showing.isPending}
          onClick={() => showing.mutate(since)}
        >
          {`Show ${news} new`}
        </Button>
      )}
    </span>
  );
}

/** Cells truncate, so that a row stays one line on a desktop whatever a visitor writes. */
const COLUMNS: Column<Thread>[] = [
  {
    heading: 'Date',
    width: 'w-60',
    className: 'truncate text-xs max-lg:order-4 xl:in-data-compact:order-2',
    cell: (thread) => (
      <>
        <Waits status={thread.status} since={thread.waitsSince} />
        <span className={thread.waitsSince ? 'in-data-compact:hidden' : ''}>
          <LocalTime at={thread.lastAt || thread.createdAt} inList />
        </span>{' '}
        <span className="ml-1 text-muted tabular-nums max-lg:hidden in-data-compact:hidden">
          {thread.reference}
        </span>
      </>
    ),
  },
  {
    heading: 'Name',
    width: 'w-[20%]',
    className: 'truncate max-lg:order-1 max-lg:self-center xl:in-data-compact:order-1',
    labelsRow: true,
    cell: Name,
  },
  {
    heading: 'Email',
    width: 'w-[22%]',
    className: 'truncate max-lg:order-3 max-lg:text-xs xl:in-data-compact:hidden',
    cell: ({ email }) => <bdi>{email || 'Not provided'}</bdi>,
  },
  {
    heading: 'Service',
    className:
      'truncate max-lg:order-5 max-lg:col-span-2 xl:in-data-compact:order-3 xl:in-data-compact:col-span-2',
    cell: About,
  },
];

function Name({ status, name }: Thread) {
  const unread = isUnread({ status });
  return (
    <>
      {status && unread && (
        <span
          className={`mr-2 inline-block size-2.5 rounded-full border-2 align-middle ${status === 'new' ? 'border-primary bg-primary' : 'border-amber'}`}
        />
      )}
      {status === 'spam' && (
        <span className="mr-2">
          <Badge tone="danger">{STATUS_LABELS.spam}</Badge>
        </span>
      )}
      <bdi className={unread ? 'font-semibold text-ink' : 'text-ink'}>{name || 'Not provided'}</bdi>
    </>
  );
}

function Waits({ status, since }: { status: Thread['status']; since: string | null }) {
  const now = useNow(MINUTE_MS);
  if (since === null) return null;
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / MINUTE_MS));
  const words =
    minutes < 1
      ? 'just now'
      : minutes < 60
        ? `${minutes} min`
        : minutes < 48 * 60
          ? `${Math.floor(minutes / 60)} h`
          : `${Math.floor(minutes / 1440)} d`;
  const tone = status === 'new' ? 'bg-primary-soft text-primary-deep' : 'bg-amber-soft text-amber';
  return (
    <span
      title="Waiting for an answer"
      className={`mr-1.5 rounded-full px-2 py-0.5 font-medium tabular-nums in-data-compact:mr-0 ${tone}`}
    >
      {status ? `${STATUS_LABELS[status]} ${words}` : words}
    </span>
  );
}

/** The service of a contact message, the last words of a chat, and who looks after the thread. */
function About({ kind, service, messages, message, assignee, undelivered }: Thread) {
  return (
    <span className="flex items-center gap-2">
      {kind === 'chat'
        ? messages > 1 && <span className="shrink-0">{`(${messages})`}</span>
        : !undelivered && (
            <span className="flex max-w-1/2 min-w-0 shrink-0 in-data-compact:hidden">
              <ServiceBadge service={service} />
            </span>
          )}
      <bdi className={`min-w-0 flex-1 truncate ${undelivered ? 'text-danger' : 'text-muted'}`}>
        {undelivered ?? message}
      </bdi>
      {assignee && <bdi className="max-w-2/5 shrink-0 truncate text-xs text-ink">{assignee}</bdi>}
    </span>
  );
}
