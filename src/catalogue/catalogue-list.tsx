import type { ReactNode } from 'react';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import type { ListState } from './use-list.ts';

interface CatalogueListProps<Row> {
  list: ListState<Row>;
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

/** A list in its three states: placeholders of the true shape, the rows, or one line that says it failed. */
export function CatalogueList<Row extends { id: number; name: string }>(
  props: CatalogueListProps<Row>,
) {
  const failure = (
    <p role="alert" className="py-12 text-center text-danger in-[.on-night]:text-[#ff9d94]">
      {props.error}
    </p>
  );
  if (props.list.status === 'failed') return failure;
  return (
    <FailureBoundary fallback={failure}>
      <Rows {...props} list={props.list} />
    </FailureBoundary>
  );
}

interface RowsProps<Row> extends CatalogueListProps<Row> {
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
