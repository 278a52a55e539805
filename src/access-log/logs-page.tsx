/** /admin/logs: figures and raw lines of the last 24 hours. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Download from 'lucide-react/icons/download';
import { useDeferredValue } from 'react';
import { useLocation, useSearch } from 'wouter';
import type * as z from 'zod/mini';
import { DOWNLOAD_SOURCES } from '../attribution/sources-api.ts';
import { Sources } from '../attribution/sources-tab.tsx';
import { type Contract, callUrl } from '../platform/contract.ts';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { STAFF_PAGES } from '../routes.ts';
import { LIST_FIRST_ANSWERS } from '../threads/first-answers.ts';
import { FirstAnswersPanel } from '../threads/first-answers-panel.tsx';
import { AdminPageLayout, RefreshButton } from '../ui/admin-page-layout.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { ListFilters } from '../ui/records/list-filters.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import {
  DOWNLOAD_LOG,
  LOG_FILTER,
  type LogFilter,
  READ_ANALYTICS,
  READ_LOG,
} from './access-log-api.ts';
import { TrafficFigures } from './traffic-figures.tsx';

const TABS = [
  { value: 'analytics', label: 'Analytics' },
  { value: 'raw', label: 'Raw Logs' },
  { value: 'sources', label: 'Sources' },
  { value: 'answers', label: 'Answers' },
] as const;

type Tab = (typeof TABS)[number]['value'];

/** The tab and what of the log it shows, from the URL. */
function useView() {
  const query = new URLSearchParams(useSearch());
  const [path, navigate] = useLocation();
  const tab = TABS.find(({ value }) => value === query.get('tab'))?.value ?? 'analytics';
  const filter = LOG_FILTER.read(query);
  return {
    tab,
    filter,
    show(tab: Tab, filter?: LogFilter) {
      const next = filter ? LOG_FILTER.write(filter) : new URLSearchParams();
      if (tab !== 'analytics') next.set('tab', tab);
      navigate(next.size > 0 ? `${path}?${next}` : path, { replace: true });
    },
  };
}

interface View {
  /** Of what the tab fetches. */
  queryKey: string[];
  /** What it shows, as a file; null where there is none. */
  file: string | null;
}

const VIEWS: Record<Tab, (filter: LogFilter) => View> = {
  analytics: () => ({ queryKey: ['logs', READ_ANALYTICS.path], file: callUrl(DOWNLOAD_LOG) }),
  raw: (filter) => {
    const query = LOG_FILTER.write(filter);
    return {
      queryKey: ['logs', READ_LOG.path, query.toString()],
      file: callUrl(DOWNLOAD_LOG, { query }),
    };
  },
  sources: () => ({ queryKey: ['logs', 'sources'], file: callUrl(DOWNLOAD_SOURCES) }),
  answers: () => ({ queryKey: ['logs', LIST_FIRST_ANSWERS.path], file: null }),
};

export default function LogsPage() {
  const { tab, filter, show } = useView();
  const byDay = tab === 'raw' && (filter.from || filter.to);
  return (
    <AdminPageLayout
      heading={STAFF_PAGES.logs.title}
      lead={
        tab === 'analytics' || tab === 'raw'
          ? `User access logs for ${byDay ? 'the days you chose' : 'the last 24 hours'}`
          : undefined
      }
      actions={<Actions {...VIEWS[tab](filter)} />}
    >
      <Tabs label="Views" tabs={TABS} value={tab} onChange={(next) => show(next)}>
        {tab === 'raw' && <RawLogs filter={filter} onFilter={(next) => show('raw', next)} />}
        {tab === 'sources' && <Sources />}
        {tab === 'analytics' && <AnalyticsView />}
        {tab === 'answers' && <FirstAnswersPanel />}
      </Tabs>
    </AdminPageLayout>
  );
}

function Actions({ queryKey, file }: View) {
  // Only looks at what the tab fetches: before that has begun, it is loading too.
  const { isPending, isFetching } = useQuery({ queryKey, enabled: false });
  return (
    <>
      <ButtonLink href={STAFF_PAGES.inbox.path} variant="quiet" size="small">
        <ArrowLeft className="size-4" />
        Back to Admin
      </ButtonLink>
      <RefreshButton />
      {file && (
        <Button
          variant="quiet"
          size="small"
          disabled={isPending || isFetching}
          data-once
          onClick={() => window.open(file, '_blank', 'noopener')}
        >
          <Download className="size-4" />
          Export CSV
        </Button>
      )}
    </>
  );
}

interface RawLogsProps {
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
}

function RawLogs({ filter, onFilter }: RawLogsProps) {
  const query = LOG_FILTER.write(filter);
  const asked = useLogs(READ_LOG, 'Failed to fetch logs', query);
  const { data: answer, error, isPending } = asked;
  const lines = answer?.logs;
  const change = (changed: Partial<LogFilter>) => onFilter({ ...filter, ...changed });
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <ListFilters
          placeholder="Address, page, browser, or status"
          filter={filter}
          onChange={change}
          isFirstSet={filter.status !== ''}
          first={
            <Checkbox
              label="Pages only"
              checked={filter.status === 'pages'}
              onChange={({ target }) => change({ status: target.checked ? 'pages' : '' })}
              className="lg:px-2"
            />
          }
        />
      </div>
      {error && <Notice kind="error">{error.message}</Notice>}
      {isPending && (
        <div role="status">
          <p className="mb-3 text-sm">Loading the newest lines…</p>
          <Skeleton className="h-96 w-full" />
        </div>
      )}
      {lines === '' && <p className="py-12 text-center text-sm">No logs available</p>}
      {lines && (
        <section
          aria-label="Raw Logs"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
          tabIndex={0}
          className={`on-night max-h-[75vh] overflow-auto rounded-card ${asked.isPlaceholderData ? 'opacity-70' : ''}`}
        >
          <Lines lines={lines} />
        </section>
      )}
    </div>
  );
}

const FIRST_LINES = 100;

/** The first lines, then all of them: laying out thousands takes a phone seconds. */
function Lines({ lines }: { lines: string }) {
  const deferredLines = useDeferredValue(lines, lines.split('\n', FIRST_LINES).join('\n'));
  return (
    <pre translate="no" className="w-max min-w-full p-4 font-mono text-xs leading-5">
      {deferredLines}
    </pre>
  );
}

/** `failure` is shown when the server gives no reason. */
function useLogs<Answer extends { success: boolean; message: string }>(
  call: Contract<null, z.ZodMiniType<Answer>>,
  failure: string,
  query?: URLSearchParams,
) {
  return useQuery({
    queryKey: ['logs', call.path, ...(query ? [query.toString()] : [])],
    // Days and words change what is shown while it is read.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const answer = await fetchCall(call, { signal, ...(query && { query }) }).catch(
        (error: unknown) => {
          // The admin layout handles an expired session.
          if (error instanceof CallError && error.status === 401) throw error;
          const answered = error instanceof CallError || error instanceof SyntaxError;
          throw new Error(answered ? reasonOf(error, failure) : 'Error connecting to server');
        },
      );
      if (!answer.success) throw new Error(answer.message || failure);
      return answer;
    },
  });
}

function AnalyticsView() {
  const { data: answer, error, isPending } = useLogs(READ_ANALYTICS, 'Failed to fetch analytics');
  const analytics = answer?.analytics;
  return (
    <div className="grid grid-cols-1 gap-5">
      {error && <Notice kind="error">{error.message}</Notice>}
      {isPending && <Skeleton className="h-96 w-full" />}
      {!isPending && !analytics && (
        <p className="py-12 text-center text-sm">No analytics data available</p>
      )}
      {analytics && <TrafficFigures analytics={analytics} />}
    </div>
  );
}
