/** /admin/logs: the requests of the last 24 hours, counted and line by line. */
import { type Query, useIsFetching } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Download from 'lucide-react/icons/download';
import { useLocation, useSearch } from 'wouter';
import { useReload } from '../platform/browser/query-client.ts';
import { addressOf } from '../platform/contract.ts';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
import { Button, ButtonLink, RefreshButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Workbench } from '../ui/workbench.tsx';
import { DOWNLOAD_LOG, READ_LOG } from './access-log-api.ts';
import { AnalyticsView } from './analytics-view.tsx';
import { LOGS, useLogs } from './use-logs.ts';

const TABS = [
  { value: 'analytics', label: 'Analytics' },
  { value: 'raw', label: 'Raw Logs' },
] as const;

export default function LogsPage() {
  const raw = new URLSearchParams(useSearch()).get('tab') === 'raw';
  const [path, navigate] = useLocation();
  return (
    <Workbench
      heading={STAFF_PAGES.logs.title}
      lead="User access logs for the last 24 hours"
      actions={<Actions />}
    >
      <Tabs
        label="Views"
        tabs={TABS}
        value={raw ? 'raw' : 'analytics'}
        onChange={(tab) => navigate(tab === 'raw' ? `${path}?tab=raw` : path, { replace: true })}
      >
        {raw ? <RawLogs /> : <AnalyticsView />}
      </Tabs>
    </Workbench>
  );
}

function isFirst({ state }: Query): boolean {
  return state.data === undefined;
}

function Actions() {
  const { busy, reload } = useReload();
  const nothingYet = useIsFetching({ queryKey: LOGS, predicate: isFirst }) > 0;
  return (
    <>
      <ButtonLink href={STAFF_PAGES.inbox.path} variant="quiet" size="small">
        <ArrowLeft className="size-4" />
        Back to Admin
      </ButtonLink>
      <RefreshButton busy={busy} onClick={reload} />
      <Button
        variant="quiet"
        size="small"
        disabled={nothingYet || busy}
        onClick={() => window.open(addressOf(DOWNLOAD_LOG), '_blank', 'noopener')}
      >
        <Download className="size-4" />
        Export CSV
      </Button>
    </>
  );
}

/** The lines as they are: what visitors sent stays text, one line each. */
function RawLogs() {
  const { data: answer, error, isPending } = useLogs(READ_LOG, 'Failed to fetch logs');
  const lines = answer?.logs;
  return (
    <div className="grid grid-cols-1 gap-5">
      {error && <Notice kind="error">{error.message}</Notice>}
      {isPending && <Skeleton className="h-96 w-full" />}
      {lines === '' && <p className="py-12 text-center text-sm">No logs available</p>}
      {lines && (
        <section
          aria-label="Raw Logs"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="on-night max-h-[75vh] overflow-auto rounded-card"
        >
          <pre className="w-max min-w-full p-4 font-mono text-xs leading-5">{lines}</pre>
        </section>
      )}
    </div>
  );
}
