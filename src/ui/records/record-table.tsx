/** A table of records on staff's screens: a row is a line on a desk, and stacks on phones and tablets. */
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { Skeleton } from '../skeleton.tsx';

export interface Column {
  heading: string;
  /** A class; a table with one keeps its columns as wide whatever they hold. */
  width?: string;
  /** Further classes of the heading. */
  look?: string;
}

interface RecordTableProps<Item> {
  caption: string;
  columns: readonly Column[];
  /** null while they are awaited. */
  items: readonly Item[] | null;
  /** Whether others are on their way. */
  outdated?: boolean;
  /** Whether the rows reach the edges of what holds the table. */
  edgeToEdge?: boolean;
  /** A RecordRow. */
  children: (item: Item) => ReactNode;
}

const AWAITED = [...'01234567'];
const EDGE_TO_EDGE =
  'lg:[&_tr>:first-child]:pl-5 lg:[&_tr>:last-child]:pr-5 max-lg:[&_tbody>tr]:px-4';

export function RecordTable<Item>(props: RecordTableProps<Item>) {
  const { caption, columns, items, outdated = false, edgeToEdge = false, children } = props;
  const fixed = columns.some(({ width }) => width);
  return (
    <table
      aria-busy={items === null || outdated}
      className={`w-full text-left text-sm max-lg:block ${fixed ? 'lg:table-fixed' : ''} ${
        outdated ? 'opacity-70' : ''
      } ${edgeToEdge ? EDGE_TO_EDGE : 'lg:[&_tr>:first-child]:pl-0'}`}
    >
      <caption className="sr-only">{caption}</caption>
      {fixed && (
        <colgroup>
          {columns.map(({ heading, width }) => (
            <col key={heading} className={width} />
          ))}
        </colgroup>
      )}
      <thead
        className={`border-line text-xs text-muted max-lg:sr-only ${edgeToEdge ? 'border-y bg-paper panes:in-data-panes:sticky panes:in-data-panes:top-0' : 'border-b'}`}
      >
        <tr>
          {columns.map(({ heading, look = '' }) => (
            <th key={heading} scope="col" className={`px-2 py-2 font-medium ${look}`}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-lg:block">
        {items === null
          ? AWAITED.map((row) => <AwaitedRow key={row} columns={columns} />)
          : items.map(children)}
      </tbody>
    </table>
  );
}

function AwaitedRow({ columns }: { columns: readonly Column[] }) {
  return (
    <RecordRow>
      {columns.map(({ heading }) => (
        <RecordCell key={heading}>
          <Skeleton className="h-4 w-24 max-w-full" />
        </RecordCell>
      ))}
    </RecordRow>
  );
}

/** Holds a record's id on the control that opens it. */
export const OPENS = 'data-opens';

const ROW = 'max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:py-3';

/** `open`: whether its record is being read, which a press anywhere in it begins; undefined when it cannot be opened. */
export function RecordRow({ open, children }: { open?: boolean; children: ReactNode }) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const panel = row.current?.closest('section');
    if (!open || !panel) return;
    // Called at once too. The panel shrinks when the filters above it wrap, as they do when their counts arrive.
    const observer = new ResizeObserver(() => row.current?.scrollIntoView({ block: 'nearest' }));
    observer.observe(panel);
    return () => observer.disconnect();
  }, [open]);
  if (open === undefined) return <tr className={ROW}>{children}</tr>;
  return (
    <tr
      ref={row}
      onClick={open ? undefined : pressButton}
      className={`${ROW} cursor-pointer focus-within:bg-primary-soft ${open ? 'bg-primary-soft' : 'hover:bg-paper'}`}
    >
      {children}
    </tr>
  );
}

/** Not where something else was pressed, or text chosen to be copied. */
function pressButton({ target, currentTarget }: MouseEvent<HTMLElement>) {
  if (target instanceof Element && target.closest('a, button')) return;
  if (window.getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>(`[${OPENS}]`)?.click();
}

interface RecordCellProps {
  id?: string;
  className?: string;
  children?: ReactNode;
}

export function RecordCell({ id, className = '', children }: RecordCellProps) {
  return (
    <td id={id} className={`px-2 max-lg:block max-lg:p-0 lg:h-10 lg:py-0.75 ${className}`}>
      {children}
    </td>
  );
}

interface OpenRecordProps {
  id: number;
  open: boolean;
  /** The id of the element that names the record. */
  describedBy: string;
  onOpen: (id: number) => void;
}

export function OpenRecord({ id, open, describedBy, onOpen }: OpenRecordProps) {
  return (
    <Button
      variant="quiet"
      size="row"
      {...{ [OPENS]: id }}
      aria-expanded={open}
      aria-describedby={describedBy}
      onClick={() => onOpen(id)}
    >
      View
    </Button>
  );
}
