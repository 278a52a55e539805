/** A list with filters and pages, and the open record beside it. Its state is kept in the URL. */
import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useLocation, useSearch } from 'wouter';
import { LIST_PAGE_SIZE } from '../../limits.ts';
import { Button } from '../button.tsx';
import { FailureBoundary } from '../failure-boundary.tsx';
import { Card } from '../layout.tsx';
import { Notice } from '../notice.tsx';
import { Pager } from '../pager.tsx';
import { Skeleton } from '../skeleton.tsx';
import { stayAboveKeyboard } from '../stay-above-keyboard.ts';
import { type Column, OPENS, RecordTable } from './record-table.tsx';

interface ListParams {
  open: number | null;
  page: number;
}

/** A list's filter, page and open record in the URL. `read` and `write` must be stable. */
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
  listParams: ReturnType<typeof useListParams<{ page: number }>>;
  notice?: ReactNode;
  columns: readonly Column<Item>[];
  items: readonly Item[] | null;
  isNew?: (item: Item) => boolean;
  /** The items are those of an earlier query while the next ones load. */
  outdated?: boolean;
  /** Shown when the search and filters match nothing. */
  noMatches: string;
  /** Shown when an unfiltered list is empty; null when it could not be loaded. */
  empty: string | null;
  /** The number of items on all pages; 0 until it is known. */
  total: number;
  /** Above the list, beside its heading. */
  news?: ReactNode;
  /** Records are conversations: an open one gets more room, and on a phone the screen. */
  threads?: boolean;
  detail: (id: number) => ReactNode;
}

/** List and record side by side, or the record alone. Closing returns the focus to its button. */
export function ListAndDetail<Item extends { id: number }>(props: ListAndDetailProps<Item>) {
  const { heading, listParams, notice, items, noMatches, empty, detail } = props;
  const { open, page } = listParams.params;
  const id = useId();
  const lastOpen = useRef(open);
  /** The record that was opened from the whole list, and how far that was scrolled. */
  const opened = useRef({ id: 0, scrollY: 0 });
  useLayoutEffect(() => {
    const { id, scrollY } = opened.current;
    const isBack = lastOpen.current === id;
    if (open === null && lastOpen.current !== null) {
      if (isBack) window.scrollTo({ top: scrollY, behavior: 'instant' });
      const opener = document.querySelector<HTMLElement>(`[${OPENS}="${lastOpen.current}"]`);
      opener?.focus({ preventScroll: isBack });
    }
    lastOpen.current = open;
  }, [open]);
  useEscape(open !== null, () => listParams.setParams({ open: null }, { replace: true }));

  const list = (
    <section
      aria-labelledby={id}
      data-compact={(props.threads && open !== null) || undefined}
      className="flex min-h-0 flex-col overflow-hidden rounded-card border border-line bg-surface"
    >
      <div className="flex min-h-11 items-center justify-between gap-3 px-4 lg:px-5">
        <h2 id={id} className="min-w-0 truncate text-base">
          {heading}
        </h2>
        {props.news}
      </div>
      <FailureBoundary>
        <div className="relative panes:in-data-panes:scroll-pt-10 xl:in-data-compact:scroll-pt-0! panes:in-data-panes:overflow-y-auto">
          <RecordTable
            caption={heading}
            columns={props.columns}
            items={items}
            isNew={props.isNew}
            getRowId={({ id }) => id}
            outdated={props.outdated}
            openId={open}
            onOpen={(id) => {
              if (open === null) opened.current = { id, scrollY: window.scrollY };
              listParams.setParams({ open: id });
            }}
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
      {/* The rows may come after their number, and would push it down. */}
      {items && (
        <Pager
          page={page}
          pageSize={LIST_PAGE_SIZE}
          total={props.total}
          onChange={(page) => listParams.setParams({ open: null, page })}
        />
      )}
    </section>
  );
  return (
    <>
      {notice}
      {open === null ? (
        list
      ) : (
        <div
          data-panes
          data-thread={props.threads}
          ref={stayAboveKeyboard}
          className={`${PANES} ${props.threads ? WIDE_DETAIL : WIDE_LIST}`}
        >
          <div className={`${PANE} max-xl:hidden`}>{list}</div>
          {/* As high as the screen, so that no visible content moves when the record arrives. */}
          <div className={`${PANE} max-xl:min-h-dvh max-xl:in-data-thread:min-h-0`}>
            <FailureBoundary key={open}>{detail(open)}</FailureBoundary>
          </div>
        </div>
      )}
    </>
  );
}

/** What lies above the record, or a field that clears itself, takes the key first. */
function useEscape(isOpen: boolean, close: () => void) {
  const onKeyDown = useEffectEvent(({ key, target, isComposing }: KeyboardEvent) => {
    if (key !== 'Escape' || isComposing || target instanceof HTMLInputElement) return;
    if (!document.querySelector(':popover-open, dialog:modal')) close();
  });
  useEffect(() => {
    if (!isOpen) return;
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOpen]);
}

const PANES =
  'grid flex-1 grid-cols-1 items-start gap-5 panes:min-h-80 panes:grid-rows-[minmax(0,1fr)]';
const WIDE_LIST = 'xl:grid-cols-[minmax(0,2fr)_minmax(26rem,1fr)]';
const WIDE_DETAIL =
  'gap-3 max-xl:min-h-80 max-xl:grid-rows-[minmax(0,1fr)] max-xl:pb-(--keyboard) xl:grid-cols-[minmax(0,2fr)_minmax(0,5fr)]';
const PANE =
  'flex min-w-0 flex-col panes:max-h-full max-xl:in-data-thread:h-full panes:in-data-thread:h-full';

interface DetailCardProps {
  id: number;
  heading: ReactNode;
  /** Without it, the actions close the record. */
  onClose?: () => void;
  /** Why the record could not be loaded; null when it could. */
  failure: string | null;
  actions?: ReactNode;
  /** What can be changed about it: beside the heading, on a small screen below it. */
  state?: ReactNode;
  /** Stays in sight below what scrolls. */
  foot?: ReactNode;
  /** Beside all of it where there is room, otherwise behind a button. */
  beside?: ReactNode;
  children: ReactNode;
}

/**
 * The frame of the open record. What can be read takes the focus when the record changes, unless
 * something in it has: the heading, or the conversation, which the keyboard scrolls.
 */
export function DetailCard(props: DetailCardProps) {
  const { id, heading, onClose, failure, actions, state, foot, beside, children } = props;
  const title = useId();
  const card = useRef<HTMLDivElement>(null);
  // Before the effects of its content, which may scroll on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another record moves the focus, too
  useLayoutEffect(() => {
    if (card.current?.contains(document.activeElement)) return;
    card.current?.querySelector<HTMLElement>('[data-read]')?.focus({ preventScroll: true });
  }, [id]);
  const isConversation = Boolean(foot);
  return (
    <Card ref={card} className={`grid grid-cols-1 p-0! panes:overflow-hidden ${ROWS}`}>
      <div
        className={`flex min-w-0 items-baseline justify-between gap-x-3 gap-y-1 ${actions ? 'flex-wrap items-center! border-b border-line px-3 py-1 sm:px-4' : 'px-6 pt-6'}`}
      >
        <h2
          id={title}
          tabIndex={-1}
          data-read={isConversation ? undefined : ''}
          className={`min-w-0 tracking-tight ${actions ? 'flex-1 text-sm' : 'text-lg'}`}
        >
          {heading}
        </h2>
        {onClose && (
          <Button variant="quiet" size="small" onClick={onClose}>
            Close
          </Button>
        )}
        {beside && (
          <Button variant="quiet" size="small" popoverTarget="beside" className="panes:hidden">
            Details
          </Button>
        )}
        {state && (
          <div className="flex flex-wrap items-center gap-2 max-xl:order-last max-xl:w-full">
            {state}
          </div>
        )}
        {actions}
      </div>
      <div
        data-scrolls
        {...(isConversation && { role: 'group', 'aria-labelledby': title, tabIndex: 0 })}
        data-read={isConversation ? '' : undefined}
        className={`min-w-0 -outline-offset-2 panes:overflow-y-auto max-xl:in-data-thread:overflow-y-auto ${actions ? 'p-4' : 'p-6 pt-0'} ${FROM_THE_END}`}
      >
        <div className="mb-auto">
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
      </div>
      {foot}
      {beside && (
        <aside
          id="beside"
          popover="auto"
          aria-label="More about this"
          className="inset-x-0 top-14 m-0 max-h-[75dvh] w-full max-w-none overflow-y-auto bg-surface p-4 text-sm text-body shadow-raised backdrop:bg-night/40 sm:left-auto sm:w-88 panes:static panes:col-start-2 panes:row-span-3 panes:row-start-1 panes:block panes:h-full panes:max-h-none panes:w-auto panes:border-l panes:border-line panes:shadow-none"
        >
          {beside}
        </aside>
      )}
    </Card>
  );
}

/** Reversed: the end of a conversation stays in view while the box below grows. */
const FROM_THE_END = 'in-data-thread:has-[li]:flex in-data-thread:has-[li]:flex-col-reverse';

/** Only the middle scrolls; on a phone that is so for an open thread, if there is room for it. */
const ROWS =
  'panes:grid-rows-[auto_minmax(0,1fr)_auto] panes:has-[>aside]:h-full panes:has-[>aside]:grid-cols-[minmax(0,1fr)_17.5rem] max-xl:in-data-thread:h-full max-xl:in-data-thread:grid-rows-[auto_minmax(6rem,1fr)_auto] max-xl:[@media(height<18rem)]:in-data-thread:grid-rows-[auto_minmax(10rem,1fr)_auto] max-xl:in-data-thread:rounded-none max-xl:in-data-thread:border-0';
