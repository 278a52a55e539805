/** The figures of the last 24 hours, as numbers, bars and a chart. */
import { withCommas } from '../platform/money.ts';
import { Panel } from '../ui/admin-page-layout.tsx';
import { FigureTable } from '../ui/figure-table.tsx';
import { useTimeFormats } from '../ui/local-time.tsx';
import type { Analytics } from './access-log-api.ts';

export function TrafficFigures({ analytics }: { analytics: Analytics }) {
  const { totalRequests, pathsNotFound, hourly, webVitals } = analytics;
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-5">
        <Figure term="Total Requests" value={wholeNumber(totalRequests)} />
        <Figure term="Unique Visitors" value={wholeNumber(analytics.uniqueVisitors)} />
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
            of={totalRequests ?? undefined}
            empty="No status code data available"
          />
        </Panel>
        {pathsNotFound && (
          <Panel heading="Recent Paths Not Found" className="lg:col-span-2">
            <BarList
              bars={pathsNotFound.map(({ url, count }) => ({ label: url, count }))}
              empty="No such requests"
            />
          </Panel>
        )}
        {webVitals && (
          <Panel heading="Page Speed for Visitors" className="lg:col-span-2">
            <VitalsTable pages={webVitals} />
          </Panel>
        )}
      </div>
    </>
  );
}

/** Of each value, what 75 of 100 measured views were not worse than. */
function VitalsTable({ pages }: { pages: NonNullable<Analytics['webVitals']> }) {
  if (pages.length === 0) return <p className="py-6 text-center text-sm">No page measured yet</p>;
  const ms = (value: number | null) => (value === null ? UNKNOWN : `${withCommas(value)} ms`);
  return (
    <>
      <p className="text-sm">
        75% of the views of the last 28 days were at least this good. One view in ten is measured.
      </p>
      <section
        aria-label="Measured pages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
        tabIndex={0}
        className="mt-3 overflow-x-auto"
      >
        <FigureTable
          columns={['Page', 'Views', 'Largest paint', 'Slowest response', 'Layout shift']}
          rows={pages.map(({ page, views, lcp, inp, cls }) => [
            page,
            withCommas(views),
            ms(lcp),
            ms(inp),
            cls ?? UNKNOWN,
          ])}
        />
      </section>
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

const DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

const UNKNOWN = '—';

function wholeNumber(count: number | null): string {
  return count === null ? UNKNOWN : withCommas(count);
}

function milliseconds(value: number | null): string {
  return value === null ? UNKNOWN : `${value.toLocaleString('en-US', DECIMALS)} ms`;
}

/** Only 200 counts as a success. */
function successRate({ httpStatusCodes, totalRequests }: Analytics): string {
  const isKnown = totalRequests === 0 || Object.keys(httpStatusCodes).length > 0;
  if (totalRequests === null || !isKnown) return UNKNOWN;
  const share = totalRequests === 0 ? 0 : (httpStatusCodes['200'] ?? 0) / totalRequests;
  return `${Math.round(share * 100)}%`;
}

function statusBars({ httpStatusCodes }: Analytics): Bar[] {
  return Object.entries(httpStatusCodes).map(([code, count]) => ({
    label: code,
    detail: STATUS_LABELS[code] ?? 'Unknown',
    count,
    tone: STATUS_TONES[code.charAt(0)] ?? 'primary',
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

/** By the first digit of the status code. */
const STATUS_TONES: Readonly<Record<string, keyof typeof TONES>> = {
  '2': 'green',
  '3': 'blue',
  '4': 'orange',
  '5': 'red',
};

const TONES = {
  primary: 'bg-current text-primary',
  green: 'bg-emerald-600',
  blue: 'bg-blue-600',
  orange: 'bg-orange-500',
  red: 'bg-red-600',
};

interface Bar {
  label: string;
  detail?: string;
  count: number;
  tone?: keyof typeof TONES;
}

interface BarListProps {
  bars: readonly Bar[];
  /** The count that fills the whole width; defaults to the first bar's. */
  of?: number;
  empty: string;
}

/** Counts with bars. A label may be a visitor's text, so it is isolated and kept to one line. */
function BarList({ bars, of = bars[0]?.count ?? 0, empty }: BarListProps) {
  if (bars.length === 0) return <p className="py-6 text-center text-sm">{empty}</p>;
  return (
    <ul className="grid grid-cols-1 gap-2.5 text-sm">
      {bars.map(({ label, detail, count, tone = 'primary' }) => (
        <li key={label}>
          <div className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 truncate" title={label}>
              <bdi className="font-medium text-ink">{label}</bdi>
              {detail && <span>{` ${detail}`}</span>}
            </span>
            <span className="text-ink tabular-nums">{withCommas(count)}</span>
          </div>
          <div className="mt-1 h-1.5 rounded-full bg-paper-deep">
            <div
              data-tone={tone}
              className={`h-full min-w-0.5 rounded-full ${TONES[tone]}`}
              // Capped, since the figures may be inconsistent.
              style={{ width: `${of <= 0 ? 0 : Math.min(100, (count / of) * 100)}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

type HourCount = NonNullable<Analytics['hourly']>[number];

/** Every sixth hour is labelled, except where the label would overflow the chart. */
const LABEL_EVERY = 6;
const LABEL_HOURS = 4;

function HourlyChart({ hours }: { hours: readonly HourCount[] }) {
  const formats = useTimeFormats();
  const most = Math.max(1, ...hours.map(({ requests }) => requests));
  return (
    <Panel heading="Requests and Errors by Hour" aside={<Legend />}>
      <p aria-hidden="true" className="h-6 text-sm text-muted tabular-nums">
        {withCommas(most)}
      </p>
      <svg
        role="img"
        aria-label="Requests and errors by hour"
        viewBox={`0 0 ${hours.length} 100`}
        preserveAspectRatio="none"
        className="h-48 w-full border-y border-line"
      >
        {hours.map((hour, index) => (
          <g key={hour.hour}>
            <title>{`${formats.hour.format(new Date(hour.hour))}: ${describeHour(hour)}`}</title>
            {/* Makes the whole column show the title on hover. */}
            <rect x={index} width={1} height={100} fill="transparent" />
            <Column index={index} percent={(hour.requests / most) * 100} color="fill-primary" />
            <Column index={index} percent={(hour.errors / most) * 100} color="fill-danger" />
          </g>
        ))}
      </svg>
      <p aria-hidden="true" className="mt-1 flex text-xs text-muted">
        {hours.map(({ hour }, index) => (
          <span key={hour} className="min-w-0 flex-1 basis-0 whitespace-nowrap">
            {index % LABEL_EVERY === 0 &&
              index + LABEL_HOURS <= hours.length &&
              formats.hourOfDay.format(new Date(hour))}
          </span>
        ))}
      </p>
      <details className="mt-3 text-sm">
        <summary className="inline-flex min-h-8 items-center rounded-control font-medium text-primary-deep underline underline-offset-4">
          Show as a table
        </summary>
        <FigureTable
          columns={['Hour', 'Requests', 'Errors']}
          rows={hours.map(({ hour, requests, errors }) => [
            formats.hour.format(new Date(hour)),
            withCommas(requests),
            withCommas(errors),
          ])}
        />
      </details>
    </Panel>
  );
}

function Column({ index, percent, color }: { index: number; percent: number; color: string }) {
  return <rect x={index + 0.15} y={100 - percent} width={0.7} height={percent} className={color} />;
}

function Legend() {
  return (
    <ul className="flex gap-4 text-sm">
      <li className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-xs bg-current text-primary" /> Requests
      </li>
      <li className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-xs bg-current text-danger" /> Errors
      </li>
    </ul>
  );
}

function describeHour({ requests, errors }: HourCount): string {
  const failed = errors === 1 ? '1 error' : `${withCommas(errors)} errors`;
  return `${withCommas(requests)} ${requests === 1 ? 'request' : 'requests'}, ${failed}`;
}
