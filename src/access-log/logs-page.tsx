/** /admin/logs: figures and raw lines of the last 24 hours. */
import { useQuery } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Download from 'lucide-react/icons/download';
import { useDeferredValue } from 'react';
import { useLocation, useSearch } from 'wouter';
import type * as z from 'zod/mini';
import { Sources } from '../attribution/sources-tab.tsx';
import { useReload } from '../platform/browser/query-client.ts';
import { type Contract, callUrl } from '../platform/contract.ts';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { STAFF_PAGES } from '../routes.ts';
import { LIST_FIRST_ANSWERS } from '../threads/first-answers.ts';
import { FirstAnswersPanel } from '../threads/first-answers-panel.tsx';
import { AdminPageLayout, RefreshButton } from '../ui/admin-page-layout.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { DOWNLOAD_LOG, READ_ANALYTICS, READ_LOG } from './access-log-api.ts';
import { TrafficFigures } from './traffic-figures.tsx';

const TABS = [
  { value: 'analytics', label: 'Analytics' },
  { value: 'raw', label: 'Raw Logs' },
  { value: 'sources', label: 'Sources' },
  { value: 'answers', label: 'First Answers' },
] as const;

const QUERIES = {
  analytics: ['logs', READ_ANALYTICS.path],
  raw: ['logs', READ_LOG.path],
  sources: ['logs', 'sources'],
  answers: ['logs', LIST_FIRST_ANSWERS.path],
};

export default function LogsPage() {
  const asked = new URLSearchParams(useSearch()).get('tab');
  const tab = TABS.find(({ value }) => value === asked)?.value ?? 'analytics';
  const [path, navigate] = useLocation();
  return (
    <AdminPageLayout
      heading={STAFF_PAGES.logs.title}
      lead="User access logs for the last 24 hours"
      actions={<Actions tab={tab} />}
    >
      <Tabs
        label="Views"
        tabs={TABS}
        value={tab}
        onChange={(next) =>
          navigate(next === 'analytics' ? path : `${path}?tab=${next}`, { replace: true })
        }
      >
        {tab === 'raw' && <RawLogs />}
        {tab === 'sources' && <Sources />}
        {tab === 'analytics' && <AnalyticsView />}
        {tab === 'answers' && <FirstAnswersPanel />}
      </Tabs>
    </AdminPageLayout>
  );
}

function Actions({ tab }: { tab: keyof typeof QUERIES }) {
  const { busy, reload } = useReload();
  // Only looks at what the tab fetches: before that has begun, it is loading too.
  const { data, isPending, isFetching } = useQuery({ queryKey: QUERIES[tab], enabled: false });
  const firstLoad = isPending || (isFetching && data === undefined);
  return (
    <>
      <ButtonLink href={STAFF_PAGES.inbox.path} variant="quiet" size="small">
        <ArrowLeft className="size-4" />
        Back to Admin
      </ButtonLink>
      <RefreshButton busy={busy} onClick={reload} />
      {tab !== 'answers' && (
        <Button
          variant="quiet"
          size="small"
          disabled={firstLoad || busy}
          onClick={() => window.open(callUrl(DOWNLOAD_LOG), '_blank', 'noopener')}
        >
          <Download className="size-4" />
          Export CSV
        </Button>
      )}
    </>
  );
}

function RawLogs() {
  const { data: answer, error, isPending } = useLogs(READ_LOG, 'Failed to fetch logs');
  const lines = answer?.logs;
  return (
    <div className="grid grid-cols-1 gap-5">
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
          className="on-night max-h-[75vh] overflow-auto rounded-card"
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
) {
  return useQuery({
    queryKey: ['logs', call.path],
    queryFn: async ({ signal }) => {
      const answer = await fetchCall(call, { signal }).catch((error: unknown) => {
        // The admin layout handles an expired session.
        if (error instanceof CallError && error.status === 401) throw error;
        const answered = error instanceof CallError || error instanceof SyntaxError;
        throw new Error(answered ? reasonOf(error, failure) : 'Error connecting to server');
      });
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
