import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Bar, BarList } from './bar-list.tsx';
import { HourlyPanel } from './hourly-panel.tsx';
import { type ToldAnalytics, useAnalytics } from './use-logs.ts';

export function AnalyticsView({ live }: { live: boolean }) {
  const { data: answer, error, isPending } = useAnalytics(live);
  const analytics = answer?.analytics;
  return (
    <div className="grid grid-cols-1 gap-5">
      {error && <Notice kind="error">{error.message}</Notice>}
      <MissingLines until={answer?.linesMissingUntil} />
      {isPending && <Awaited />}
      {!isPending && !analytics && (
        <p className="py-12 text-center text-sm">No analytics data available</p>
      )}
      {analytics && <Figures analytics={analytics} />}
    </div>
  );
}

/** Which lines the raw logs and the export do not have; nothing when they have all. */
export function MissingLines({ until }: { until: string | null | undefined }) {
  if (!until) return null;
  const at = new Date(until).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Notice kind="info">
      Some requests up to {at} are missing from Raw Logs and the CSV because the log reached its
      size limit or the database was unavailable. The totals still count them.
    </Notice>
  );
}

function Figures({ analytics }: { analytics: ToldAnalytics }) {
  const { totalRequests, hourly, percentiles, referrers, devices } = analytics;
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-5">
        <Figure term="Total Requests" value={whole(totalRequests)} />
        <Figure term="Unique Visitors" value={whole(analytics.uniqueVisitors)} />
        <Figure term="Avg Response Time" value={milliseconds(analytics.responseTimeAvg)} />
        <Figure term="Success Rate" value={successRate(analytics)} />
      </dl>
      {hourly && <HourlyPanel hours={hourly} />}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-6">
        <Panel heading="Most Visited Pages" className="lg:col-span-3">
          <BarList
            bars={analytics.mostVisitedPages.map(({ url, count }) => ({ label: url, count }))}
            empty="No page data available"
          />
        </Panel>
        <Panel heading="HTTP Status Codes" className="lg:col-span-3">
          <BarList
            bars={statusBars(analytics)}
            of={totalRequests ?? 0}
            empty="No status code data available"
          />
        </Panel>
        {referrers && (
          <Panel heading="Visits by Referrer" className="lg:col-span-2">
            <BarList bars={referrerBars(referrers)} empty="No referrer data available" />
          </Panel>
        )}
        {devices && (
          <Panel heading="Requests by Device" className="lg:col-span-2">
            <BarList
              bars={deviceBars(devices)}
              of={totalRequests ?? 0}
              empty="No device data available"
            />
          </Panel>
        )}
        {percentiles && (
          <Panel heading="Response Time" className="lg:col-span-2">
            <dl className="grid gap-2 text-sm">
              <Percentile term="p50" of="median" value={percentiles.p50} />
              <Percentile term="p95" of="95% within" value={percentiles.p95} />
              <Percentile term="p99" of="99% within" value={percentiles.p99} />
            </dl>
          </Panel>
        )}
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

function Percentile({ term, of, value }: { term: string; of: string; value: number }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt>
        <span className="font-medium text-ink">{term}</span> {of}
      </dt>
      <dd className="text-ink tabular-nums">{milliseconds(value)}</dd>
    </div>
  );
}

function Awaited() {
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

const NOT_KNOWN = '—';

function whole(count: number | null): string {
  return count?.toLocaleString('en-US') ?? NOT_KNOWN;
}

function milliseconds(value: number | null): string {
  return value === null ? NOT_KNOWN : `${value.toLocaleString('en-US', DECIMALS)} ms`;
}

/** Only 200 counts as a success. */
function successRate({ httpStatusCodes, totalRequests }: ToldAnalytics): string {
  if (totalRequests === null) return NOT_KNOWN;
  const share = totalRequests === 0 ? 0 : (httpStatusCodes['200'] ?? 0) / totalRequests;
  return `${Math.round(share * 100)}%`;
}

function statusBars({ httpStatusCodes }: ToldAnalytics): Bar[] {
  return Object.entries(httpStatusCodes).map(([code, count]) => ({
    label: code,
    detail: statusLabel(code),
    count,
    tone: statusClass(code),
  }));
}

function referrerBars(referrers: readonly { referrer: string; count: number }[]): Bar[] {
  return referrers.map(({ referrer, count }) => ({
    label: referrer === '-' ? 'Direct or unknown' : referrer,
    count,
  }));
}

const DEVICE_LABELS: Readonly<Record<string, string>> = {
  desktop: 'Desktop',
  phone: 'Phone',
  tablet: 'Tablet',
  bot: 'Bot',
  unknown: 'Unknown',
};

function deviceBars(devices: readonly { device: string; count: number }[]): Bar[] {
  return devices.map(({ device, count }) => ({ label: DEVICE_LABELS[device] ?? device, count }));
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
