import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import { callQuery } from '../platform/browser/query-client.ts';
import type { Contract } from '../platform/contract.ts';
import { useSite } from '../platform/site.ts';
import { TryAgainButton } from '../ui/button.tsx';
import { CompanyPhone } from '../ui/contact-links.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';

interface List<Row> {
  state: 'loading' | 'failed' | 'loaded';
  /** As loaded last. */
  data: Row[] | undefined;
  refetch: () => unknown;
}

/**
 * Fetches a list on every mount. `rows` from the page's HTML stand until it arrives or fails. The
 * state is read here: React Query renders again for what was read alone, and the parts that show
 * it may be hydrated after the answer.
 */
export function useList<Row>(
  contract: Contract<null, z.ZodMiniType<Row[]>>,
  rows: Row[],
): List<Row> {
  const query = useQuery({ ...callQuery(contract), ...(rows.length > 0 && { initialData: rows }) });
  const state = query.isSuccess
    ? 'loaded'
    : query.isError && !query.isFetching
      ? 'failed'
      : 'loading';
  return { state, data: query.data, refetch: query.refetch };
}

/** The rows as `useList` has loaded them last. */
export function useLoaded<Row>(contract: Contract<null, z.ZodMiniType<Row[]>>, rows: Row[]): Row[] {
  return useQuery({ ...callQuery(contract), initialData: rows, enabled: false }).data;
}

interface ListStatesProps<Row> {
  list: List<Row>;
  /** The name of the list in messages, for example 'pricing plans'. */
  what: string;
  failureClass: string;
  placeholders: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A list that is loading, has loaded, or has failed, also while rendering. */
export function ListStates<Row>(props: ListStatesProps<Row>) {
  const { list, what, failureClass, placeholders, children } = props;
  const { phone } = useSite().company;
  const [tries, setTries] = useState(0);

  function tryAgain() {
    setTries(tries + 1);
    list.refetch();
  }

  const failed = (
    <div role="alert" className={`text-center ${failureClass}`}>
      <p className="text-danger in-[.on-night]:text-[#ff9d94]">
        {`Error loading ${what}. Please try again later.`}
      </p>
      <p className="mt-4 flex flex-wrap items-center justify-center gap-x-6 gap-y-3">
        <TryAgainButton size="medium" className="" onClick={tryAgain} />
        <a
          href={`tel:${phone.tel}`}
          className="inline-flex min-h-11 items-center text-sm font-medium text-ink tabular-nums underline underline-offset-4 in-[.on-night]:text-white"
        >
          {`Or call ${phone.display}`}
        </a>
      </p>
    </div>
  );
  if (list.state === 'failed') return failed;
  if (list.data?.length === 0)
    return (
      <p className={`text-center ${failureClass}`}>
        <span>{`There are no ${what} to show right now. Please call `}</span>
        <CompanyPhone className="tabular-nums" />.
      </p>
    );
  // The new key resets the boundary, which otherwise keeps its failure.
  return (
    <FailureBoundary key={tries} fallback={failed}>
      {list.state === 'loaded' && list.data ? children(list.data) : placeholders}
    </FailureBoundary>
  );
}

interface CatalogueListProps<Row> {
  list: List<Row>;
  /** As in ListStatesProps; also announced while the list is loading. */
  what: string;
  skeletons: number;
  skeleton: ReactNode;
  className: string;
  children: (row: Row) => ReactNode;
}

export function CatalogueList<Row extends { id: number; name: string }>(
  props: CatalogueListProps<Row>,
) {
  const { list, what, skeletons, skeleton, className, children } = props;
  return (
    <ListStates
      list={list}
      what={what}
      failureClass="py-12"
      placeholders={
        <div role="status" className={className}>
          <span className="sr-only">{`Loading ${what}`}</span>
          {[...Array(skeletons).keys()].map((place) => (
            <Fragment key={place}>{skeleton}</Fragment>
          ))}
        </div>
      }
    >
      {(rows) => (
        <ul className={className}>
          {rows.map((row) => (
            <li key={row.id || row.name} className="contents">
              {children(row)}
            </li>
          ))}
        </ul>
      )}
    </ListStates>
  );
}
