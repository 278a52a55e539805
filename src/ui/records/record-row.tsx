/** A record in a table, its cells, and the button that opens it. */
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../button.tsx';

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
