/** What came from each source in the last 30 or 90 days. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { callUrl } from '../platform/contract.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { formatDollars, withCommas } from '../platform/money.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Panel } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { DOWNLOAD_SOURCES, READ_SOURCES, SOURCE_PERIODS, type SourceSums } from './sources-api.ts';

const PERIODS = SOURCE_PERIODS.map((days) => ({ value: `${days}`, label: `${days} days` }));

export function Sources() {
  const [days, setDays] = useState(`${SOURCE_PERIODS[0]}`);
  const query = new URLSearchParams({ days });
  const { data, isError, isPending } = useQuery({
    queryKey: ['logs', 'sources', days],
    queryFn: ({ signal }) => fetchCall(READ_SOURCES, { query, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl label="Period" value={days} segments={PERIODS} onChange={setDays} />
        <ButtonLink
          href={callUrl(DOWNLOAD_SOURCES, { query })}
          variant="quiet"
          size="small"
          download
        >
          <Download className="size-4" />
          Export sources
        </ButtonLink>
      </div>
      {isError && <Notice kind="error">The sources could not be loaded. Please try again.</Notice>}
      {isPending && <Skeleton className="h-96 w-full" />}
      {data && (
        <Panel heading="Sources">
          <p className="mb-4 max-w-prose text-sm">
            The first page of a tab decides: its utm_source, or else the site that led to it. Orders
            are those that were paid, money is what they have paid so far without refunds.
          </p>
          <SourceTable sources={data.sources} />
        </Panel>
      )}
    </div>
  );
}

/** On a phone, the source stands above its figures. */
const ROW =
  '*:not-first:text-right sm:*:not-first:pl-4 max-sm:grid max-sm:grid-cols-[2.75rem_4.5rem_3.25rem_3.25rem_1fr] max-sm:*:first:col-span-5';
const HEADINGS = ['Source', 'Visits', 'Messages', 'Quotes', 'Orders', 'Money'];

function SourceTable({ sources }: { sources: readonly SourceSums[] }) {
  return (
    <table className="w-full text-left text-sm tabular-nums">
      <thead className="border-b border-line text-xs text-muted">
        <tr className={`py-1.5 *:font-medium ${ROW}`}>
          {HEADINGS.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line *:last:font-semibold">
        {sources.map(({ source, visits, messages, quotes, orders, money }) => (
          <tr key={source} className={`max-sm:py-2 sm:*:py-2 ${ROW}`}>
            <th
              scope="row"
              className="truncate font-medium text-ink in-[tr:last-child]:font-semibold sm:max-w-48"
              title={source}
            >
              <bdi translate="no">{source}</bdi>
            </th>
            {[visits, messages, quotes, orders].map((amount, index) => (
              <td key={index.toString()}>{withCommas(amount)}</td>
            ))}
            <td>{formatDollars(money)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
