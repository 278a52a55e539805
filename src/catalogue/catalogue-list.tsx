import { Fragment, type ReactNode, useCallback, useEffect, useState } from 'react';
import type * as z from 'zod/mini';
import { TryAgainOrCall } from '../company/try-again-or-call.tsx';
import type { Contract } from '../platform/old/contract.ts';
import { fetchCall, type ReaderOf } from '../platform/old/fetch-call.ts';
import { anything } from '../platform/old/read.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { UPDATE_PLANS } from './read-catalogue.ts';

export type ListState<Row> =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'loaded'; rows: readonly Row[] };

/**
 * A list of the catalogue, fetched on every mount and never by itself again. `rows` are those the server put
 * into the page: with them nothing is awaited on screen, yet a failed reload takes the list's place.
 */
export function useList<Answer extends z.ZodMiniType, Row>(
  contract: Contract<null, Answer>,
  read: ReaderOf<Answer, readonly Row[]>,
  rows: readonly Row[] | undefined,
): ListState<Row> & { reload: () => void } {
  const [state, setState] = useState<ListState<Row>>(
    rows?.length ? { status: 'loaded', rows } : { status: 'loading' },
  );
  const [reloads, setReloads] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloads` is what fetches again.
  useEffect(() => {
    const leaving = new AbortController();
    fetchCall(contract, read, { signal: leaving.signal }).then(
      (fetched) => setState({ status: 'loaded', rows: fetched }),
      () => leaving.signal.aborted || setState({ status: 'failed' }),
    );
    return () => leaving.abort();
  }, [contract, read, reloads]);

  const reload = useCallback(() => {
    // A failed list shows its placeholders again; a list on screen stays until the new one arrives.
    setState((current) => (current.status === 'failed' ? { status: 'loading' } : current));
    setReloads((count) => count + 1);
  }, []);
  return { ...state, reload };
}

/** Asks the server, when the prices come on screen, to renew the plans' features, and reloads the list then. */
export function useUpdatedPlans(reload: () => void) {
  useEffect(() => {
    fetchCall(UPDATE_PLANS, anything)
      .then((answer) => console.info('Plans updated', answer))
      .then(reload, (error) => console.warn('Plans not updated', error));
  }, [reload]);
}

/** A section of the home page that shows a list. */
export interface ListSectionProps {
  /** As the call answers. */
  rows: unknown;
  /** How each is priced, by its id. */
  priced: Readonly<Record<string, string>>;
}

interface CatalogueListProps<Row> {
  list: ListState<Row> & { reload: () => void };
  /** What it lists, in the words that are read out while it is awaited and shown when it has failed. */
  what: string;
  skeletons: number;
  skeleton: ReactNode;
  className: string;
  children: (row: Row) => ReactNode;
}

/** A list in its three states: placeholders of the true shape, the rows, or that it failed, with two ways on. */
export function CatalogueList<Row extends { id: number; name: string }>(
  props: CatalogueListProps<Row>,
) {
  const { list, what } = props;
  const [tries, setTries] = useState(0);
  const tryAgain = () => {
    setTries(tries + 1);
    list.reload();
  };
  const failure = (
    <div role="alert" className="py-12 text-center">
      <p className="text-danger in-[.on-night]:text-[#ff9d94]">{`Error loading ${what}. Please try again later.`}</p>
      <TryAgainOrCall onClick={tryAgain} />
    </div>
  );
  if (list.status === 'failed') return failure;
  // A list that is tried again gets a new boundary: the old one keeps its failure.
  return (
    <FailureBoundary key={tries} fallback={failure}>
      <Rows {...props} list={list} />
    </FailureBoundary>
  );
}

interface RowsProps<Row> extends Omit<CatalogueListProps<Row>, 'list'> {
  list: Exclude<ListState<Row>, { status: 'failed' }>;
}

function Rows<Row extends { id: number; name: string }>(props: RowsProps<Row>) {
  const { list, what, skeletons, skeleton, className, children } = props;
  if (list.status === 'loading') {
    return (
      <div role="status" className={className}>
        <span className="sr-only">{`Loading ${what}`}</span>
        {[...Array(skeletons).keys()].map((place) => (
          <Fragment key={place}>{skeleton}</Fragment>
        ))}
      </div>
    );
  }
  return (
    <ul className={className}>
      {list.rows.map((row) => (
        <li key={row.id || row.name} className="contents">
          {children(row)}
        </li>
      ))}
    </ul>
  );
}
