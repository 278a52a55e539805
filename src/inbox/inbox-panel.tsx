import type { Ref } from 'react';
import { type InboxFilter, isNarrowed } from './inbox.ts';
import { type InboxRow, InboxTable } from './inbox-table.tsx';

/** What every list of the inbox is told by the page. */
export interface InboxListProps {
  filter: InboxFilter;
  open: number | null;
  onOpen: (id: number) => void;
  ref: Ref<HTMLTableElement>;
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

export function InboxPanel({ heading, empty, loading, rows, filter, ...table }: InboxPanelProps) {
  return (
    <section
      aria-labelledby="list-heading"
      className="overflow-hidden rounded-card border border-line bg-white"
    >
      <h2 id="list-heading" className="px-5 py-3.5 text-base">
        {heading}
      </h2>
      <InboxTable {...table} caption={heading} rows={loading ? null : rows} />
      {!loading && rows.length === 0 && (
        <p className="px-5 py-12 text-center text-sm">
          {isNarrowed(filter) ? 'Nothing here matches the search and the filters.' : empty}
        </p>
      )}
    </section>
  );
}
