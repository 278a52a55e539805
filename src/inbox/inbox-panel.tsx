import type { Ref } from 'react';
import { RecordPanel } from '../ui/records/record-panel.tsx';
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
  return (
    <RecordPanel
      heading={heading}
      nothing={!loading && rows.length === 0}
      narrowed={isNarrowed(filter)}
      noMatches="No messages match your search and filters."
      onClear={onClear}
      empty={empty}
    >
      <InboxTable {...table} caption={heading} rows={loading ? null : rows} />
    </RecordPanel>
  );
}
