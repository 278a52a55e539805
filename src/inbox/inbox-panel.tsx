import type { Ref } from 'react';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { NoMatches } from '../ui/no-matches.tsx';
import { type InboxFilter, isNarrowed } from './inbox.ts';
import { type InboxRow, InboxTable } from './inbox-table.tsx';

/** What every list of the inbox is told by the page. */
export interface InboxListProps {
  filter: InboxFilter;
  open: number | null;
  onOpen: (id: number) => void;
  /** Leaves out nothing any more. */
  onClear: () => void;
  ref: Ref<HTMLTableElement>;
}

/** What the detail of any list is told by the page. */
export interface OpenDetailProps {
  id: number;
  filter: InboxFilter;
  onClose: () => void;
}

interface InboxPanelProps extends InboxListProps {
  heading: string;
  about: string;
  loading: boolean;
  outdated: boolean;
  rows: readonly InboxRow[];
  /** Said when nobody has written yet. */
  empty: string;
}

export function InboxPanel(props: InboxPanelProps) {
  const { heading, empty, loading, rows, filter, onClear, ...table } = props;
  const nothing = !loading && rows.length === 0;
  return (
    <section
      aria-labelledby="list-heading"
      className="overflow-hidden rounded-card border border-line bg-white"
    >
      <h2 id="list-heading" className="px-4 py-3.5 text-base lg:px-5">
        {heading}
      </h2>
      <FailureBoundary>
        <InboxTable {...table} caption={heading} rows={loading ? null : rows} />
      </FailureBoundary>
      {nothing && isNarrowed(filter) && (
        <NoMatches onClear={onClear}>Nothing here matches the search and the filters.</NoMatches>
      )}
      {nothing && !isNarrowed(filter) && <p className="px-5 py-12 text-center text-sm">{empty}</p>}
    </section>
  );
}
