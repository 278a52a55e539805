/** A list with the record that is open beside it: its address, its filters, and the list in pages. */
import { type ReactNode, useEffect, useId, useMemo, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Button } from '../button.tsx';
import { FailureBoundary } from '../failure-boundary.tsx';
import { Card } from '../layout.tsx';
import { Notice } from '../notice.tsx';
import { Pager } from '../pager.tsx';
import { Skeleton } from '../skeleton.tsx';
import { type Column, OPENS, RecordTable } from './record-table.tsx';

interface Shown {
  /** The id of the open record; null when none is. */
  open: number | null;
  /** Counts from 1. */
  page: number;
}

/**
 * What a list shows stands in its address: a reload, the back button and a link to a colleague show the same. `read` and
 * `write` turn the address's query into what narrows the list down, and back; both stay the same functions.
 */
export function useListAddress<Filter extends { page: number }>(
  read: (query: URLSearchParams) => Filter,
  write: (filter: Filter) => URLSearchParams,
) {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const address: Filter & Shown = useMemo(() => {
    const query = new URLSearchParams(search);
    return { ...read(query), open: readOpen(query) };
  }, [read, search]);
  return {
    address,
    /** Whether a search or a filter leaves something out. */
    narrowed: write(address).size > 0,
    /** `replace`: the way back leads past what is shown now. */
    go(change: Partial<Filter & Shown>, options: { replace?: boolean } = {}) {
      const next = { ...address, ...change };
      const query = write(next);
      if (next.open !== null) query.set('open', String(next.open));
      if (query.toString() !== search)
        navigate(query.size > 0 ? `${path}?${query}` : path, options);
    },
    clear: () => navigate(path),
  };
}

function readOpen(query: URLSearchParams): number | null {
  const id = query.get('open') ?? '';
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null;
}

interface ListAndDetailProps<Item extends { id: number }> {
  heading: string;
  /** From `useListAddress`. */
  shown: {
    address: Shown;
    narrowed: boolean;
    go: (change: Partial<Shown>) => void;
    clear: () => void;
  };
  /** What narrows the list down. */
  filters: ReactNode;
  /** What went wrong. */
  notice?: ReactNode;
  columns: readonly Column<Item>[];
  /** null while they are awaited. */
  items: readonly Item[] | null;
  /** Whether others are on their way. */
  outdated?: boolean;
  /** Said when search and filters leave nothing. */
  noMatches: string;
  /** Said when there is nothing to leave out; null when that is not known. */
  empty: string | null;
  pageSize: number;
  /** Of all pages, as far as it is known. */
  total: number;
  /** Draws the open record. */
  detail: (id: number) => ReactNode;
}

/**
 * A list with the open record beside it, both scrolling by themselves; where there is no room for both, the record alone. A record that is closed gives the focus back to the control that opened it.
 */
export function ListAndDetail<Item extends { id: number }>(props: ListAndDetailProps<Item>) {
  const { heading, shown, filters, notice, items, noMatches, empty, detail } = props;
  const { open, page } = shown.address;
  const id = useId();
  const lastOpen = useRef(open);
  useEffect(() => {
    if (open === null && lastOpen.current !== null)
      document.querySelector<HTMLElement>(`[${OPENS}="${lastOpen.current}"]`)?.focus();
    lastOpen.current = open;
  }, [open]);

  const list = (
    <section
      aria-labelledby={id}
      className="flex min-h-0 flex-col overflow-hidden rounded-card border border-line bg-surface"
    >
      <h2 id={id} className="px-4 py-3.5 text-base lg:px-5">
        {heading}
      </h2>
      <FailureBoundary>
        <div className="relative panes:in-data-panes:scroll-pt-10 panes:in-data-panes:overflow-y-auto">
          <RecordTable
            caption={heading}
            columns={props.columns}
            items={items}
            idOf={({ id }) => id}
            outdated={props.outdated ?? false}
            opening={{ open, onOpen: (id) => shown.go({ open: id }) }}
          />
        </div>
      </FailureBoundary>
      {items?.length === 0 && (
        <div className="grid justify-items-center gap-4 px-5 py-12 text-center text-sm empty:hidden">
          {shown.narrowed ? (
            <>
              <p>{noMatches}</p>
              <Button variant="quiet" size="small" onClick={shown.clear}>
                Clear search and filters
              </Button>
            </>
          ) : (
            empty && <p>{empty}</p>
          )}
        </div>
      )}
    </section>
  );
  const hidden = open === null ? '' : 'max-xl:hidden';
  return (
    <>
      <div className={`flex flex-wrap items-start gap-3 ${hidden}`}>{filters}</div>
      {notice}
      {open === null ? (
        list
      ) : (
        <div data-panes className={PANES}>
          <div className={`${PANE} ${hidden}`}>{list}</div>
          {/* As high as the screen, so that nothing under it is seen to move when the record comes. */}
          <div className={`${PANE} max-xl:min-h-dvh`}>
            <FailureBoundary key={open}>{detail(open)}</FailureBoundary>
          </div>
        </div>
      )}
      <Pager
        page={page}
        pageSize={props.pageSize}
        total={props.total}
        onChange={(page) => shown.go({ open: null, page })}
      />
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

/** The open record; its heading takes the focus. */
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
      {!children && !failure && (
        <div role="status" className="mt-5 grid gap-3">
          <span className="sr-only">Loading…</span>
          {['w-40', 'w-56', 'w-48', 'w-full', 'w-3/4'].map((width) => (
            <Skeleton key={width} className={`h-5 ${width}`} />
          ))}
        </div>
      )}
      {children}
    </Card>
  );
}
