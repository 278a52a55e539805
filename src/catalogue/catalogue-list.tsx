import { type ReactNode, useState } from 'react';
import { TryAgainOrCall } from '../company/try-again-or-call.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import type { ListState } from './use-list.ts';

interface CatalogueListProps<Row> {
  list: ListState<Row> & { reload: () => void };
  /** Read out while the list is awaited. */
  loading: string;
  skeletons: number;
  /** How many rows will come: those beyond the placeholders get their room too, so that nothing below moves. */
  awaited?: number;
  skeleton: ReactNode;
  error: string;
  className: string;
  children: (row: Row) => ReactNode;
}

/** A list in its three states: placeholders of the true shape, the rows, or that it failed, with two ways on. */
export function CatalogueList<Row extends { id: number; name: string }>(
  props: CatalogueListProps<Row>,
) {
  const { list, error } = props;
  const [tries, setTries] = useState(0);
  const tryAgain = () => {
    setTries(tries + 1);
    list.reload();
  };
  const failure = <ListFailure error={error} tryAgain={tryAgain} />;
  if (list.status === 'failed') return failure;
  // A list that is tried again gets a new boundary: the old one keeps its failure.
  return (
    <FailureBoundary key={tries} fallback={failure}>
      <Rows {...props} list={list} />
    </FailureBoundary>
  );
}

function ListFailure({ error, tryAgain }: { error: string; tryAgain: () => void }) {
  return (
    <div role="alert" className="py-12 text-center">
      <p className="text-danger in-[.on-night]:text-[#ff9d94]">{error}</p>
      <TryAgainOrCall onClick={tryAgain} />
    </div>
  );
}

interface RowsProps<Row> extends Omit<CatalogueListProps<Row>, 'list'> {
  list: Exclude<ListState<Row>, { status: 'failed' }>;
}

function Rows<Row extends { id: number; name: string }>(props: RowsProps<Row>) {
  const { list, loading, skeletons, awaited = 0, skeleton, className, children } = props;
  if (list.status === 'loading') {
    return (
      <div role="status" className={className}>
        <span className="sr-only">{loading}</span>
        {[...Array(Math.max(skeletons, awaited)).keys()].map((place) => (
          <div key={place} className={place < skeletons ? 'contents' : 'invisible contents'}>
            {skeleton}
          </div>
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
