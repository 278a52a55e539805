import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Analytics } from './access-log-api.ts';
import { type Bar, BarList } from './bar-list.tsx';
import { HourlyChart } from './hourly-chart.tsx';
import { useAnalytics } from './use-logs.ts';

export function AnalyticsView() {
  const { data: answer, error, isPending } = useAnalytics();
  const analytics = answer?.analytics;
  return (
    <div className="grid grid-cols-1 gap-5">
      {error && <Notice kind="error">{error.message}</Notice>}
      {isPending && <LoadingFigures />}
      {!isPending && !analytics && (
        <p className="py-12 text-center text-sm">No analytics data available</p>
      )}
      {analytics && <Figures analytics={analytics} />}
    </div>
  );
}

function Figures({ analytics }: { analytics: Analytics }) {
  const { totalRequests, hourly } = analytics;
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-5">
        <Figure term="Total Requests" value={whole(totalRequests)} />
        <Figure term="Unique Visitors" value={whole(analytics.uniqueVisitors)} />
        <Figure term="Avg Response Time" value={milliseconds(analytics.responseTimeAvg)} />
        <Figure term="Success Rate" value={successRate(analytics)} />
      </dl>
      {hourly && <HourlyChart hours={hourly} />}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <Panel heading="Most Visited Pages">
          <BarList
            bars={analytics.mostVisitedPages.map(({ url, count }) => ({ label: url, count }))}
            empty="No page data available"
          />
        </Panel>
        <Panel heading="HTTP Status Codes">
          <BarList
            bars={statusBars(analytics)}
            of={totalRequests ?? 0}
            empty="No status code data available"
          />
        </Panel>
      </div>
    </>
  );
}

function Figure({ term, value }: { term: string; value: string }) {
  return (
    <div className="rounded-card border border-line bg-surface p-4 sm:px-5">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="mt-1 text-xl font-semibold tracking-tight text-ink tabular-nums">{value}</dd>
    </div>
  );
}

function LoadingFigures() {
  return (
    <div role="status" className="grid gap-5">
      <span className="sr-only">Loading…</span>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-5">
        {['requests', 'visitors', 'time', 'success'].map((figure) => (
          <Skeleton key={figure} className="h-24" />
        ))}
      </div>
      <Skeleton className="h-80" />
    </div>
  );
}

const DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

const UNKNOWN = '—';

function whole(count: number | null): string {
  return count?.toLocaleString('en-US') ?? UNKNOWN;
}

function milliseconds(value: number | null): string {
  return value === null ? UNKNOWN : `${value.toLocaleString('en-US', DECIMALS)} ms`;
}

/** Only 200 counts as a success. */
function successRate({ httpStatusCodes, totalRequests }: Analytics): string {
  if (totalRequests === null) return UNKNOWN;
  const share = totalRequests === 0 ? 0 : (httpStatusCodes['200'] ?? 0) / totalRequests;
  return `${Math.round(share * 100)}%`;
}

function statusBars({ httpStatusCodes }: Analytics): Bar[] {
  return Object.entries(httpStatusCodes).map(([code, count]) => ({
    label: code,
    detail: statusLabel(code),
    count,
    tone: statusClass(code),
  }));
}

const STATUS_LABELS: Readonly<Record<string, string>> = {
  '200': 'OK',
  '201': 'Created',
  '204': 'No Content',
  '304': 'Not Modified',
  '400': 'Bad Request',
  '401': 'Unauthorized',
  '403': 'Forbidden',
  '404': 'Not Found',
  '500': 'Server Error',
};

function statusLabel(code: string): string {
  return STATUS_LABELS[code] ?? 'Unknown';
}

type Colour = 'green' | 'blue' | 'orange' | 'red';
const STATUS_COLOURS: Record<string, Colour> = {
  '2': 'green',
  '3': 'blue',
  '4': 'orange',
  '5': 'red',
};

/** The colour of a code's class; none for one that HTTP does not know. */
function statusClass(code: string): Colour | undefined {
  return STATUS_COLOURS[code.charAt(0)];
}
