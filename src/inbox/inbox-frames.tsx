/** What the lists of the inbox have in common, and what is read: who wrote, the marks, the ways to answer. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSite } from '../platform/site.ts';
import { personPath } from '../staff/staff-pages.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { mailAddress } from '../ui/contact-links.tsx';
import { Moment } from '../ui/moment.tsx';
import { DetailCard } from '../ui/records/list-and-detail.tsx';
import { RecordPanel } from '../ui/records/record-panel.tsx';
import { OpenRecord, RecordCell, RecordRow } from '../ui/records/record-row.tsx';
import { RecordTable } from '../ui/records/record-table.tsx';
import { Segments } from '../ui/text/segments.tsx';
import {
  type ConversationView,
  type InboxFilter,
  type InboxList,
  isNarrowed,
  MARK_LABELS,
  MARKS,
  type Mark,
} from './inbox.ts';
import { type Found, type Rows, useMark } from './use-inbox.ts';

/** The props of every list of the inbox. */
export interface InboxListProps {
  filter: InboxFilter;
  open: number | null;
  onOpen: (id: number) => void;
  /** Leaves out nothing any more. */
  onClear: () => void;
}

/** The props of the detail of any list. */
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
  /** Shown when there are no messages at all. */
  empty: string;
}

/** Every row is one line on a desk, whatever was written. */
export function InboxPanel(props: InboxPanelProps) {
  const { heading, about, failure, empty, filter, onClear } = props;
  const { status, rows, outdated, open, onOpen } = props;
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

type Marked = Pick<ConversationView, 'reference' | 'email' | 'mark'>;

interface DetailProps<Thing> extends Pick<OpenDetailProps, 'id' | 'onClose'> {
  found: Found<Thing>;
  list: InboxList;
  heading: string;
  /** Further ways to answer, beside the one by email. */
  actions?: (thing: Thing) => ReactNode;
  children: (thing: Thing) => ReactNode;
}

export function Detail<Thing extends Marked>(props: DetailProps<Thing>) {
  const { found, list, id, heading, onClose, actions, children } = props;
  const { thing, isError } = found;
  const marking = useMark(list, id);
  return (
    <DetailCard
      id={id}
      heading={heading}
      aside={<span className="text-sm text-muted tabular-nums">{thing?.reference}</span>}
      failure={isError ? 'Couldn’t load this message.' : null}
      actions={
        <div className="mt-4 flex flex-wrap gap-2">
          {thing?.email && <ReplyLink email={thing.email} />}
          {thing && actions?.(thing)}
          <Button variant="quiet" size="small" onClick={onClose}>
            Close
          </Button>
        </div>
      }
    >
      {thing && (
        <>
          {thing.mark && (
            <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
              <span aria-hidden="true" className="text-sm text-muted">
                Mark as
              </span>
              <Segments
                label="Mark as"
                value={thing.mark}
                busy={marking.isPending}
                segments={MARKS.map((value) => ({ value, label: MARK_LABELS[value] }))}
                onChange={(mark) => marking.mutate(mark)}
              />
            </div>
          )}
          {children(thing)}
          {thing.email && (
            <Link
              href={personPath(thing.email)}
              className="mt-4 inline-flex min-h-11 items-center rounded-control text-sm underline underline-offset-4"
            >
              Everything from this address
            </Link>
          )}
        </>
      )}
    </DetailCard>
  );
}

function ReplyLink({ email }: { email: string }) {
  const { company } = useSite();
  const subject = encodeURIComponent(`Re: Your inquiry to ${company.name}`);
  return (
    <ButtonLink href={`${mailAddress(email)}?subject=${subject}`} size="small">
      Reply by Email
    </ButtonLink>
  );
}
