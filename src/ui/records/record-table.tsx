/** Staff's table of records. A row is one line on a desktop, and stacks on small screens. */
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../button.tsx';
import { Skeleton } from '../skeleton.tsx';

export interface Column<Item> {
  heading: string;
  /** A width class. If any column has one, the table's layout is fixed. */
  width?: string;
  headingClassName?: string;
  className?: string;
  /** The button that opens a row is described by this column's cell. */
  labelsRow?: boolean;
  cell: (item: Item) => ReactNode;
}

interface RecordTableProps<Item> {
  caption: string;
  columns: readonly Column<Item>[];
  items: readonly Item[] | null;
  /** Which rows have just come. */
  isNew?: ((item: Item) => boolean) | undefined;
  getRowId: (item: Item) => number | string;
  /** The items are those of an earlier query while the next ones load. */
  outdated?: boolean;
  openId?: number | null;
  /** Rows open by a button or a press anywhere, and reach their panel's edges. */
  onOpen?: (id: number) => void;
}

const SKELETON_ROWS = [...'01234567'];
const EDGE_TO_EDGE =
  'lg:[&_tr>:first-child]:pl-5 lg:[&_tr>:last-child]:pr-5 max-lg:[&_tbody>tr]:px-4';

export function RecordTable<Item>(props: RecordTableProps<Item>) {
  const { caption, columns, items, getRowId, outdated = false, openId = null, onOpen } = props;
  const fixed = columns.some(({ width }) => width);
  /** The one row that Tab reaches: the open one, else the one that had the focus last. */
  const [last, setLast] = useState<number | string | null>(null);
  const ids = items?.map(getRowId) ?? [];
  const stop = [openId, last].find((id) => id !== null && ids.includes(id)) ?? ids[0];
  return (
    <table
      aria-busy={items === null || outdated}
      className={`w-full text-left text-sm max-lg:block xl:in-data-compact:block ${fixed ? 'lg:table-fixed' : ''} ${
        outdated ? 'opacity-70' : ''
      } ${onOpen ? EDGE_TO_EDGE : 'lg:[&_tr>:first-child]:pl-0'}`}
    >
      <caption className="sr-only">{caption}</caption>
      <thead
        className={`border-line text-xs text-muted max-lg:sr-only xl:in-data-compact:sr-only xl:in-data-compact:absolute! ${onOpen ? 'border-y bg-paper panes:in-data-panes:sticky panes:in-data-panes:-top-px' : 'border-b'}`}
      >
        <tr>
          {columns.map(({ heading, width = '', headingClassName = '' }) => (
            <th
              key={heading}
              scope="col"
              className={`px-2 py-2 font-medium ${width} ${headingClassName}`}
            >
              {heading}
            </th>
          ))}
          {onOpen && (
            <th scope="col" className="w-20 px-2 py-2 font-medium">
              Action
            </th>
          )}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-lg:block xl:in-data-compact:block">
        {items === null
          ? SKELETON_ROWS.map((row) => (
              <tr key={row} className={ROW}>
                {columns.map(({ heading }) => (
                  <td key={heading} className={CELL}>
                    <Skeleton className="h-4 w-24" />
                  </td>
                ))}
              </tr>
            ))
          : items.map((item) => {
              const id = getRowId(item);
              return (
                <Row
                  key={id}
                  open={id === openId}
                  fresh={props.isNew?.(item) ?? false}
                  id={id}
                  item={item}
                  columns={columns}
                  onOpen={onOpen}
                  isStop={id === stop}
                  onFocus={() => setLast(id)}
                />
              );
            })}
      </tbody>
    </table>
  );
}

/** That of the row that Tab and the skip link reach. */
export const LIST_ID = 'list';
/** The attribute with the record's id on the button that opens it. */
export const OPENS = 'data-opens';

/** In a compact list a row has two lines, and is its button. */
const ROW =
  'max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:py-2 xl:in-data-compact:relative xl:in-data-compact:grid xl:in-data-compact:grid-cols-[minmax(0,1fr)_auto] xl:in-data-compact:gap-x-3 xl:in-data-compact:px-4 xl:in-data-compact:py-1.5 xl:in-data-compact:has-focus-visible:outline-2 xl:in-data-compact:has-focus-visible:-outline-offset-2 xl:in-data-compact:has-focus-visible:outline-(--focus)';
const CELL =
  'px-2 max-lg:block max-lg:p-0 lg:h-10 lg:py-0.75 xl:in-data-compact:block xl:in-data-compact:h-auto xl:in-data-compact:p-0!';

/** A rule at the left until it is opened, and a soft ground that fades. */
const FRESH =
  'bg-[linear-gradient(90deg,var(--color-primary)_3px,transparent_3px)] motion-safe:animate-[settle_1.2s_ease-out]';

interface RowProps<Item> {
  id: number | string;
  item: Item;
  columns: readonly Column<Item>[];
  open: boolean;
  fresh: boolean;
  onOpen: ((id: number) => void) | undefined;
  isStop: boolean;
  onFocus: () => void;
}

function Row<Item>({ id, item, columns, open, fresh, onOpen, isStop, onFocus }: RowProps<Item>) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const panel = row.current?.closest('section');
    if (!open || !panel) return;
    // At the start, and when the panel shrinks: the filters above wrap with their counts.
    const observer = new ResizeObserver(() => row.current?.scrollIntoView({ block: 'nearest' }));
    observer.observe(panel);
    return () => observer.disconnect();
  }, [open]);
  const background = open ? 'bg-primary-soft' : `hover:bg-paper ${fresh ? FRESH : ''}`;
  return (
    <tr
      ref={row}
      onClick={onOpen && !open ? openFromRow : undefined}
      className={`${ROW} ${onOpen ? `cursor-pointer focus-within:bg-primary-soft ${background}` : ''}`}
    >
      {columns.map(({ heading, className = '', labelsRow, cell }) => (
        <td
          key={heading}
          id={labelsRow ? `record-${id}` : undefined}
          className={`${CELL} ${className}`}
        >
          {cell(item)}
        </td>
      ))}
      {onOpen && (
        <td
          className={`${CELL} max-lg:order-2 max-lg:justify-self-end xl:in-data-compact:absolute xl:in-data-compact:inset-0 xl:in-data-compact:opacity-0`}
        >
          <Button
            variant="quiet"
            size="row"
            className="max-lg:h-9 xl:in-data-compact:size-full"
            {...{ [OPENS]: id }}
            aria-expanded={open}
            aria-describedby={`record-${id}`}
            id={isStop ? LIST_ID : undefined}
            tabIndex={isStop ? 0 : -1}
            onFocus={onFocus}
            onKeyDown={moveFocus}
            onClick={() => onOpen(Number(id))}
          >
            View
          </Button>
        </td>
      )}
    </tr>
  );
}

const STEPS: Partial<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** From row to row, or to the search. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  if (event.key === '/') {
    event.preventDefault();
    document.querySelector<HTMLElement>('input[type=search]')?.focus();
  }
  const step = STEPS[event.key];
  const list = event.currentTarget.closest('tbody');
  if (!step || !list || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const rows = [...list.querySelectorAll<HTMLElement>(`[${OPENS}]`)];
  rows[step(rows.indexOf(event.currentTarget), rows.length - 1)]?.focus();
}

/** Ignores presses on other links and buttons, and the selection of text. */
function openFromRow({ target, currentTarget }: MouseEvent<HTMLElement>) {
  if (target instanceof Element && target.closest('a, button')) return;
  if (window.getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>(`[${OPENS}]`)?.click();
}
