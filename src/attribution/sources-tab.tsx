/** What came from each source in the last 30 and 90 days. */
import { useQuery } from '@tanstack/react-query';
import { fetchCall } from '../platform/fetch-call.ts';
import { formatDollars, withCommas } from '../platform/money.ts';
import { Panel } from '../ui/admin-page-layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { isAssistant, READ_SOURCES, SOURCE_PERIODS, type SourceSums } from './sources-api.ts';

export function Sources() {
  const { data, isError, isPending } = useQuery({
    queryKey: ['logs', 'sources'],
    queryFn: ({ signal }) => fetchCall(READ_SOURCES, { signal }),
  });
  return (
    <div className="grid grid-cols-1 gap-5">
      {isError && <Notice kind="error">We couldn’t load the sources. Please try again.</Notice>}
      {isPending && <Skeleton className="h-96 w-full" />}
      {data &&
        SOURCE_PERIODS.map((period) => (
          <Panel key={period} heading={`Last ${period} days`}>
            <PeriodSources sources={data.sources.filter(({ days }) => days === period)} />
          </Panel>
        ))}
      <p className="max-w-text text-sm">
        The source is the utm_source of the first page of a tab, or else the site that led to it.
        Orders are those that were paid; money is what they paid, less refunds.
      </p>
    </div>
  );
}

/** On a phone, the source stands above its figures. */
const ROW =
  '*:not-first:text-right sm:*:not-first:pl-4 max-sm:grid max-sm:grid-cols-[1fr_3.25rem_3.25rem_4.5rem_3.5rem] max-sm:*:first:col-span-5';
const HEADINGS = ['Source', 'Money', 'Orders', 'Quotes', 'Messages', 'Visits'];

interface SourcesProps {
  sources: readonly SourceSums[];
}

/** What brought visits alone is folded, so that it cannot push away what brought customers. */
function PeriodSources({ sources }: SourcesProps) {
  if (sources.length === 0) return <p className="py-6 text-center text-sm">No visits yet</p>;
  const isListed = ({ source, money, orders, quotes, messages }: SourceSums) =>
    isAssistant(source) || money !== 0 || orders + quotes + messages > 0;
  const visitsAlone = sources.filter((sums) => !isListed(sums));
  const visits = visitsAlone.reduce((sum, each) => sum + each.visits, 0);
  return (
    <>
      <SourceTable sources={sources.filter(isListed)} />
      {visitsAlone.length > 0 && (
        <details className="mt-4 text-sm">
          <summary className="cursor-pointer py-2">
            <span>{`Visits alone: ${withCommas(visits)}, sources: ${withCommas(visitsAlone.length)}`}</span>
          </summary>
          <SourceTable sources={visitsAlone} />
        </details>
      )}
    </>
  );
}

function SourceTable({ sources }: SourcesProps) {
  if (sources.length === 0)
    return <p className="py-3 text-sm">No messages, quotes, or orders yet</p>;
  return (
    <table className="w-full text-left text-sm tabular-nums">
      <thead className="border-b border-line text-xs text-muted">
        <tr className={`*:py-1.5 *:font-medium ${ROW}`}>
          {HEADINGS.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <SourceRows sources={sources.filter(({ source }) => !isAssistant(source))} />
      <SourceRows
        heading="AI assistants"
        sources={sources.filter(({ source }) => isAssistant(source))}
      />
    </table>
  );
}

function SourceRows({ sources, heading }: SourcesProps & { heading?: string }) {
  if (sources.length === 0) return null;
  return (
    <tbody className="divide-y divide-line">
      {heading && (
        <tr className={ROW}>
          <th scope="rowgroup" colSpan={HEADINGS.length} className="pt-4 pb-1.5">
            {heading}
          </th>
        </tr>
      )}
      {sources.map(({ source, visits, messages, quotes, orders, money }) => (
        <tr key={source} className={`max-sm:py-2 sm:*:py-2 ${ROW}`}>
          <th
            scope="row"
            className="truncate font-medium text-ink sm:max-w-48"
            title={source}
            translate="no"
          >
            <bdi>{source}</bdi>
          </th>
          <td>{formatDollars(money)}</td>
          {[orders, quotes, messages, visits].map((amount, index) => (
            <td key={index.toString()}>{withCommas(amount)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
