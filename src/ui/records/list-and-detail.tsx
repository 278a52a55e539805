/** A list with filters and pages, and the open record beside it. Its state is kept in the URL. */
import { type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Button } from '../button.tsx';
import { FailureBoundary } from '../failure-boundary.tsx';
import { Card } from '../layout.tsx';
import { Notice } from '../notice.tsx';
import { Pager } from '../pager.tsx';
import { Skeleton } from '../skeleton.tsx';
import { type Column, OPENS, RecordTable } from './record-table.tsx';

interface ListParams {
  /** The id of the open record; null when none is. */
  open: number | null;
  /** Counts from 1. */
  page: number;
}

/**
 * The filter, page and open record of a list, kept in the URL's query so that a reload, the back button and a shared link
 * show the same. `read` and `write` must be stable functions.
 */
export function useListParams<Filter extends { page: number }>(
  read: (query: URLSearchParams) => Filter,
  write: (filter: Filter) => URLSearchParams,
) {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const params: Filter & ListParams = useMemo(() => {
    const query = new URLSearchParams(search);
    return { ...read(query), open: readOpen(query) };
  }, [read, search]);
  const query = write(params);
  return {
    params,
    query,
    isFiltered: query.size > 0,
    setParams(change: Partial<Filter & ListParams>, options: { replace?: boolean } = {}) {
      const next = { ...params, ...change };
      const query = write(next);
      if (next.open !== null) query.set('open', String(next.open));
      if (query.toString() !== search)
        navigate(query.size > 0 ? `${path}?${query}` : path, options);
    },
    clearParams: () => navigate(path),
  };
}

function readOpen(query: URLSearchParams): number | null {
  const id = query.get('open') ?? '';
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null;
}

interface ListAndDetailProps<Item extends { id: number }> {
  heading: string;
  /** From `useListParams`. */
  listParams: {
    params: ListParams;
    isFiltered: boolean;
    setParams: (change: Partial<ListParams>) => void;
    clearParams: () => void;
  };
  filters: ReactNode;
  /** Why the list could not be loaded. */
  notice?: ReactNode;
  columns: readonly Column<Item>[];
  /** Null while loading. */
  items: readonly Item[] | null;
  /** The items are those of an earlier query while the next ones load. */
  outdated?: boolean;
  /** Shown when the search and filters match nothing. */
  noMatches: string;
  /** Shown when an unfiltered list is empty; null when it could not be loaded. */
  empty: string | null;
  pageSize: number;
  /** The number of items on all pages; 0 until it is known. */
  total: number;
  /** Above the list, beside its heading. */
  news?: ReactNode;
  /** The open record gets more room than the list. */
  wideDetail?: boolean;
  /** Renders the open record. */
  detail: (id: number) => ReactNode;
}

/**
 * Shows the list and the open record side by side, each with its own scrolling, or the record alone where there is no room
 * for both. Closing a record returns the focus to the button that opened it.
 */
export function ListAndDetail<Item extends { id: number }>(props: ListAndDetailProps<Item>) {
  const { heading, listParams, filters, notice, items, noMatches, empty, detail } = props;
  const { open, page } = listParams.params;
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
      <div className="flex min-h-13 items-center justify-between gap-3 px-4 lg:px-5">
        <h2 id={id} className="text-base">
          {heading}
        </h2>
        {props.news}
      </div>
      <FailureBoundary>
        <div className="relative panes:in-data-panes:scroll-pt-10 panes:in-data-panes:overflow-y-auto">
          <RecordTable
            caption={heading}
            columns={props.columns}
            items={items}
            getRowId={({ id }) => id}
            outdated={props.outdated}
            openId={open}
            onOpen={(id) => listParams.setParams({ open: id })}
          />
        </div>
      </FailureBoundary>
      {items?.length === 0 && (
        <div className="grid justify-items-center gap-4 px-5 py-12 text-center text-sm empty:hidden">
          {listParams.isFiltered ? (
            <>
              <p>{noMatches}</p>
              <Button variant="quiet" size="small" onClick={listParams.clearParams}>
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
        <div data-panes className={`${PANES} ${props.wideDetail ? WIDE_DETAIL : WIDE_LIST}`}>
          <div className={`${PANE} ${hidden}`}>{list}</div>
          {/* As high as the screen, so that no visible content moves when the record arrives. */}
          <div className={`${PANE} max-xl:min-h-dvh`}>
            <FailureBoundary key={open}>{detail(open)}</FailureBoundary>
          </div>
        </div>
      )}
      <Pager
        page={page}
        pageSize={props.pageSize}
        total={props.total}
        onChange={(page) => listParams.setParams({ open: null, page })}
      />
    </>
  );
}

const PANES =
  'grid flex-1 grid-cols-1 items-start gap-5 panes:min-h-80 panes:grid-rows-[minmax(0,1fr)]';
const WIDE_LIST = 'xl:grid-cols-[minmax(0,2fr)_minmax(26rem,1fr)]';
const WIDE_DETAIL = 'xl:grid-cols-[minmax(0,4fr)_minmax(0,5fr)]';
const PANE = 'flex min-w-0 flex-col panes:max-h-full';

interface DetailCardProps {
  id: number;
  heading: string;
  aside: ReactNode;
  /** Why the record could not be loaded; null when it could. */
  failure: string | null;
  /** Buttons that are there before the record has loaded. */
  actions?: ReactNode;
  /** Stays in sight below what scrolls. */
  foot?: ReactNode;
  /** Beside all of it where there is room, otherwise below. */
  beside?: ReactNode;
  /** Null while the record loads. */
  children: ReactNode;
}

/** The frame of the open record. Its heading takes the focus when the record changes. */
export function DetailCard(props: DetailCardProps) {
  const { id, heading, aside, failure, actions, foot, beside, children } = props;
  const title = useRef<HTMLHeadingElement>(null);
  // Before the effects of its content, which may scroll on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of record moves the focus, too
  useLayoutEffect(() => title.current?.focus(), [id]);
  return (
    <Card className="grid grid-cols-1 p-0! panes:grid-rows-[minmax(0,1fr)_auto] panes:overflow-hidden panes:has-[>aside]:grid-cols-[minmax(0,1fr)_16.5rem]">
      <div data-scrolls className="min-w-0 p-6 panes:overflow-y-auto">
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
      </div>
      {foot}
      {beside && (
        <aside
          aria-label="More about this"
          className="border-t border-line p-6 text-sm panes:col-start-2 panes:row-span-2 panes:row-start-1 panes:overflow-y-auto panes:border-t-0 panes:border-l panes:px-4"
        >
          {beside}
        </aside>
      )}
    </Card>
  );
}
