/** One way to show a list with a detail: the address, the two side by side, the list under its heading, the record that is read. */
import { type ReactNode, useEffect, useId, useMemo, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { readOpen } from '../../platform/list-query.ts';
import { Button } from '../button.tsx';
import { FailureBoundary } from '../failure-boundary.tsx';
import { Card } from '../layout.tsx';
import { Notice } from '../notice.tsx';
import { Skeleton } from '../skeleton.tsx';
import { OPENS } from './record-table.tsx';

interface Open {
  /** The id of the record that is read; null when none is. */
  open: number | null;
}

/**
 * What a list shows stands in its address: a reload, the back button and a link to a colleague show the same. `read` and
 * `write` turn the address's query into what is shown, and back; both stay the same functions.
 */
export function useListAddress<Shown extends object>(
  read: (query: URLSearchParams) => Shown,
  write: (shown: Shown) => URLSearchParams,
) {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const address: Shown & Open = useMemo(() => {
    const query = new URLSearchParams(search);
    return { ...read(query), open: readOpen(query) };
  }, [read, search]);
  return {
    address,
    /** `replace`: the way back leads past what is shown now. */
    go(change: Partial<Shown & Open>, options: { replace?: boolean } = {}) {
      const next = { ...address, ...change };
      const query = write(next);
      if (next.open !== null) query.set('open', String(next.open));
      navigate(query.size > 0 ? `${path}?${query}` : path, options);
    },
  };
}

interface ListAndDetailProps {
  /** The id of the record that is read; null when none is. */
  open: number | null;
  /** What narrows the list down. */
  filters: ReactNode;
  /** What went wrong. */
  notices?: ReactNode;
  list: ReactNode;
  /** The record that is read. */
  detail: (id: number) => ReactNode;
}

/**
 * A list with the record that is read beside it, both scrolling by themselves; where there is no room for both, the
 * record alone. A record that is closed gives the focus back to the control that opened it.
 */
export function ListAndDetail({ open, filters, notices, list, detail }: ListAndDetailProps) {
  const lastOpen = useRef(open);
  useEffect(() => {
    if (open === null && lastOpen.current !== null)
      document.querySelector<HTMLElement>(`[${OPENS}="${lastOpen.current}"]`)?.focus();
    lastOpen.current = open;
  }, [open]);
  const hidden = open === null ? '' : 'max-xl:hidden';
  return (
    <>
      <div className={`flex flex-wrap items-start gap-3 ${hidden}`}>{filters}</div>
      {notices}
      {open === null ? (
        list
      ) : (
        <div data-panes className={PANES}>
          <div className={`${PANE} ${hidden}`}>{list}</div>
          <div className={PANE}>
            <FailureBoundary key={open}>{detail(open)}</FailureBoundary>
          </div>
        </div>
      )}
    </>
  );
}

const PANES =
  'grid flex-1 grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(26rem,1fr)] panes:min-h-80 panes:grid-rows-[minmax(0,1fr)]';
const PANE = 'flex min-w-0 flex-col panes:max-h-full';

interface DetailCardProps {
  id: number;
  heading: string;
  /** At the end of the heading's line. */
  aside: ReactNode;
  /** What to say if it could not be loaded; else null. */
  failure: string | null;
  /** What can be done with it, also while it is awaited. */
  actions?: ReactNode;
  /** The record; null while it is awaited. */
  children: ReactNode;
}

/** The record that is read: focus comes to its heading. */
export function DetailCard({ id, heading, aside, failure, actions, children }: DetailCardProps) {
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another record in the same place arrives too
  useEffect(() => title.current?.focus(), [id]);
  return (
    <Card className="sm:p-6! panes:overflow-y-auto">
      <div className="flex items-baseline justify-between gap-4">
        <h2 ref={title} tabIndex={-1} className="text-lg tracking-tight">
          {heading}
        </h2>
        {aside}
      </div>
      {actions}
      {failure && (
        <div className="mt-4">
          <Notice kind="error">{failure}</Notice>
        </div>
      )}
      {!children && !failure && <Awaited />}
      {children}
    </Card>
  );
}

function Awaited() {
  return (
    <div role="status" className="mt-5 grid gap-3">
      <span className="sr-only">Loading…</span>
      {['w-40', 'w-56', 'w-48', 'w-full', 'w-3/4'].map((width) => (
        <Skeleton key={width} className={`h-5 ${width}`} />
      ))}
    </div>
  );
}

interface RecordPanelProps {
  heading: string;
  /** Whether the list is known to hold nothing. */
  nothing: boolean;
  /** Whether a search or a filter leaves something out. */
  narrowed: boolean;
  /** Said when search and filters leave nothing. */
  noMatches: string;
  /** Leaves out nothing any more. */
  onClear: () => void;
  /** Said when there is nothing to leave out. */
  empty: string;
  /** The table. */
  children: ReactNode;
}

/** A list of records under its heading, or why it is empty. */
export function RecordPanel(props: RecordPanelProps) {
  const { heading, nothing, narrowed, noMatches, onClear, empty, children } = props;
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex min-h-0 flex-col overflow-hidden rounded-card border border-line bg-surface"
    >
      <h2 id={id} className="px-4 py-3.5 text-base lg:px-5">
        {heading}
      </h2>
      <FailureBoundary>
        <div className="relative panes:in-data-panes:scroll-pt-10 panes:in-data-panes:overflow-y-auto">
          {children}
        </div>
      </FailureBoundary>
      {nothing && narrowed && (
        <div className="grid justify-items-center gap-4 px-5 py-12 text-center text-sm">
          <p>{noMatches}</p>
          <Button variant="quiet" size="small" onClick={onClear}>
            Clear search and filters
          </Button>
        </div>
      )}
      {nothing && !narrowed && <p className="px-5 py-12 text-center text-sm">{empty}</p>}
    </section>
  );
}
