/** A table of records on staff's screens: a row is a line on a desk, and stacks on phones and tablets. */
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { Skeleton } from '../skeleton.tsx';

export interface Column<Item> {
  heading: string;
  /** A class; a table with one keeps its columns as wide whatever they hold. */
  width?: string;
  /** Classes of the heading, and of each cell. */
  headingLook?: string;
  look?: string;
  /** It names the record: the button that opens one refers to it. */
  names?: boolean;
  cell: (item: Item) => ReactNode;
}

/** For records that open by their button, or by a press anywhere in their row. */
export interface Opening {
  /** The id of the open record; null when none is. */
  open: number | null;
  onOpen: (id: number) => void;
}

interface RecordTableProps<Item> {
  caption: string;
  columns: readonly Column<Item>[];
  /** null while they are awaited. */
  items: readonly Item[] | null;
  idOf: (item: Item) => number | string;
  /** Whether others are on their way. */
  outdated?: boolean;
  /** For a list with a detail, whose rows reach the edges of what holds the table. */
  opening?: Opening;
}

const AWAITED = [...'01234567'];
const EDGE_TO_EDGE =
  'lg:[&_tr>:first-child]:pl-5 lg:[&_tr>:last-child]:pr-5 max-lg:[&_tbody>tr]:px-4';

export function RecordTable<Item>(props: RecordTableProps<Item>) {
  const { caption, columns, items, idOf, outdated = false, opening } = props;
  const fixed = columns.some(({ width }) => width);
  return (
    <table
      aria-busy={items === null || outdated}
      className={`w-full text-left text-sm max-lg:block ${fixed ? 'lg:table-fixed' : ''} ${
        outdated ? 'opacity-70' : ''
      } ${opening ? EDGE_TO_EDGE : 'lg:[&_tr>:first-child]:pl-0'}`}
    >
      <caption className="sr-only">{caption}</caption>
      <thead
        className={`border-line text-xs text-muted max-lg:sr-only ${opening ? 'border-y bg-paper panes:in-data-panes:sticky panes:in-data-panes:top-0' : 'border-b'}`}
      >
        <tr>
          {columns.map(({ heading, width = '', headingLook = '' }) => (
            <th
              key={heading}
              scope="col"
              className={`px-2 py-2 font-medium ${width} ${headingLook}`}
            >
              {heading}
            </th>
          ))}
          {opening && (
            <th scope="col" className="w-20 px-2 py-2 font-medium">
              Action
            </th>
          )}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-lg:block">
        {items === null
          ? AWAITED.map((row) => (
              <tr key={row} className={ROW}>
                {columns.map(({ heading }) => (
                  <td key={heading} className={CELL}>
                    <Skeleton className="h-4 w-24 max-w-full" />
                  </td>
                ))}
              </tr>
            ))
          : items.map((item) => (
              <Row key={idOf(item)} id={idOf(item)} {...{ item, columns, opening }} />
            ))}
      </tbody>
    </table>
  );
}

/** Holds a record's id on the control that opens it. */
export const OPENS = 'data-opens';

const ROW = 'max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:py-3';
const CELL = 'px-2 max-lg:block max-lg:p-0 lg:h-10 lg:py-0.75';

interface RowProps<Item> {
  id: number | string;
  item: Item;
  columns: readonly Column<Item>[];
  opening: Opening | undefined;
}

function Row<Item>({ id, item, columns, opening }: RowProps<Item>) {
  const row = useRef<HTMLTableRowElement>(null);
  const open = opening?.open === id;
  useEffect(() => {
    const panel = row.current?.closest('section');
    if (!open || !panel) return;
    // The observer also calls once at the start. Later the panel shrinks when the filters above it wrap, as when counts arrive.
    const observer = new ResizeObserver(() => row.current?.scrollIntoView({ block: 'nearest' }));
    observer.observe(panel);
    return () => observer.disconnect();
  }, [open]);
  const look = open ? 'bg-primary-soft' : 'hover:bg-paper';
  return (
    <tr
      ref={row}
      onClick={opening && !open ? pressButton : undefined}
      className={`${ROW} ${opening ? `cursor-pointer focus-within:bg-primary-soft ${look}` : ''}`}
    >
      {columns.map(({ heading, look = '', names, cell }) => (
        <td key={heading} id={names ? `record-${id}` : undefined} className={`${CELL} ${look}`}>
          {cell(item)}
        </td>
      ))}
      {opening && (
        <td className={`${CELL} max-lg:order-2 max-lg:justify-self-end`}>
          <Button
            variant="quiet"
            size="row"
            {...{ [OPENS]: id }}
            aria-expanded={open}
            aria-describedby={`record-${id}`}
            onClick={() => opening.onOpen(Number(id))}
          >
            View
          </Button>
        </td>
      )}
    </tr>
  );
}

/** Not where something else was pressed, or text chosen to be copied. */
function pressButton({ target, currentTarget }: MouseEvent<HTMLElement>) {
  if (target instanceof Element && target.closest('a, button')) return;
  if (window.getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>(`[${OPENS}]`)?.click();
}
