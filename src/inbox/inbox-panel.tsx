import type { ReactNode, Ref } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Moment } from '../ui/moment.tsx';
import { RecordPanel } from '../ui/records/record-panel.tsx';
import { OpenRecord, RecordCell, RecordRow } from '../ui/records/record-row.tsx';
import { RecordTable } from '../ui/records/record-table.tsx';
import { type InboxFilter, isNarrowed, MARK_LABELS, type Mark } from './inbox.ts';
import type { Rows } from './use-inbox.ts';

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

interface InboxRow {
  id: number;
  reference: string;
  at: string;
  name: string;
  email: string;
  mark: Mark | null;
  /** What the fourth column holds. */
  about: ReactNode;
}

interface InboxPanelProps extends InboxListProps, Rows<InboxRow> {
  heading: string;
  /** The heading of the fourth column. */
  about: string;
  /** What stands above when they could not be loaded. */
  failure: ReactNode;
  /** Said when nobody has written yet. */
  empty: string;
}

/** Every row is one line on a desk, whatever was written. */
export function InboxPanel(props: InboxPanelProps) {
  const { heading, about, failure, empty, filter, onClear } = props;
  const { status, rows, outdated, open, onOpen, ref } = props;
  const loading = status === 'loading';
  return (
    <>
      {status === 'failed' && <div className="mb-5">{failure}</div>}
      <RecordPanel
        heading={heading}
        nothing={!loading && rows.length === 0}
        narrowed={isNarrowed(filter)}
        noMatches="No messages match your search and filters."
        onClear={onClear}
        empty={empty}
      >
        <RecordTable
          ref={ref}
          caption={heading}
          columns={[
            { heading: 'Date', width: 'w-44' },
            { heading: 'Name', width: 'w-[20%]' },
            { heading: 'Email', width: 'w-[22%]' },
            { heading: about },
            { heading: 'Action', width: 'w-20' },
          ]}
          items={loading ? null : rows}
          outdated={outdated}
          edgeToEdge
        >
          {(row) => <Row key={row.id} row={row} open={row.id === open} onOpen={onOpen} />}
        </RecordTable>
      </RecordPanel>
    </>
  );
}

interface RowProps {
  row: InboxRow;
  open: boolean;
  onOpen: (id: number) => void;
}

function Row({ row, open, onOpen }: RowProps) {
  const describedBy = `row-${row.id}`;
  return (
    <RecordRow open={open}>
      <RecordCell className="truncate text-xs max-lg:order-4 max-lg:col-span-2">
        <Moment at={row.at} /> <span className="ml-1 text-muted tabular-nums">{row.reference}</span>
      </RecordCell>
      <RecordCell className="truncate max-lg:order-1 max-lg:self-center">
        {row.mark === 'new' && (
          <>
            <span className="mr-2 inline-block size-2 rounded-full bg-primary align-middle" />
            <span className="sr-only">{MARK_LABELS.new} </span>
          </>
        )}
        {row.mark === 'spam' && (
          <span className="mr-2">
            <Badge tone="danger">{MARK_LABELS.spam}</Badge>
          </span>
        )}
        <bdi
          id={describedBy}
          className={row.mark === 'new' ? 'font-semibold text-ink' : 'text-ink'}
        >
          {row.name}
        </bdi>
      </RecordCell>
      <RecordCell className="truncate max-lg:order-3">
        <bdi>{row.email}</bdi>
      </RecordCell>
      <RecordCell className="truncate max-lg:order-3 max-lg:col-span-2">{row.about}</RecordCell>
      <RecordCell className="max-lg:order-2">
        <OpenRecord id={row.id} open={open} describedBy={describedBy} onOpen={onOpen} />
      </RecordCell>
    </RecordRow>
  );
}
