import type { ReactNode, Ref } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Moment } from '../ui/moment.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Mark } from './inbox.ts';

export interface InboxRow {
  id: number;
  reference: string;
  at: string;
  name: string;
  email: string;
  mark: Mark | null;
  /** What the fourth column holds. */
  about: ReactNode;
}

interface InboxTableProps {
  caption: string;
  /** The heading of the fourth column. */
  about: string;
  /** null while they are awaited. */
  rows: readonly InboxRow[] | null;
  /** Whether others are on their way. */
  outdated: boolean;
  open: number | null;
  onOpen: (id: number) => void;
  ref: Ref<HTMLTableElement>;
}

export const MARK_LABELS: Record<Mark, string> = { new: 'New', answered: 'Answered', spam: 'Spam' };
const MARK_TONES = { new: 'amber', spam: 'danger' } as const;

/** Every row is one line on a desk, whatever was written; on phones and tablets a row stacks. */
export function InboxTable(props: InboxTableProps) {
  const { caption, about, rows, outdated, open, onOpen, ref } = props;
  return (
    <table
      ref={ref}
      aria-busy={rows === null || outdated}
      className="w-full table-fixed text-left text-sm aria-busy:opacity-70 max-lg:block"
    >
      <caption className="sr-only">{caption}</caption>
      <colgroup>
        <col className="w-46" />
        <col className="w-[24%]" />
        <col />
        <col className="w-[21%]" />
        <col className="w-22" />
      </colgroup>
      <thead className="border-y border-line bg-paper text-xs text-muted max-lg:sr-only">
        <tr>
          {['Date', 'Name', 'Email', about, 'Action'].map((heading) => (
            <th key={heading} scope="col" className="px-2 py-2 font-medium first:pl-5">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-lg:block">
        {rows === null
          ? [...'0123456789'].map((row) => <AwaitedRow key={row} />)
          : rows.map((row) => (
              <TableRow key={row.id} row={row} open={row.id === open} onOpen={onOpen} />
            ))}
      </tbody>
    </table>
  );
}

interface TableRowProps {
  row: InboxRow;
  open: boolean;
  onOpen: (id: number) => void;
}

const CELL = 'truncate px-2 py-1.5 first:pl-5 max-lg:block max-lg:p-0 max-lg:first:pl-0';
const ROW =
  'max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:px-4 max-lg:py-3';

function TableRow({ row, open, onOpen }: TableRowProps) {
  const describedBy = `row-${row.id}`;
  return (
    <tr
      className={`${ROW} focus-within:bg-primary-soft ${open ? 'bg-primary-soft' : 'hover:bg-paper'}`}
    >
      <td className={`${CELL} text-xs max-lg:order-4 max-lg:col-span-2`}>
        <Moment at={row.at} /> <span className="ml-1 text-muted tabular-nums">{row.reference}</span>
      </td>
      <td className={`${CELL} max-lg:order-1 max-lg:self-center`}>
        {row.mark && row.mark !== 'answered' && (
          <span className="mr-2">
            <Badge tone={MARK_TONES[row.mark]}>{MARK_LABELS[row.mark]}</Badge>
          </span>
        )}
        <bdi id={describedBy} className="font-medium text-ink">
          {row.name}
        </bdi>
      </td>
      <td className={`${CELL} max-lg:order-3`}>
        <bdi>{row.email}</bdi>
      </td>
      <td className={`${CELL} max-lg:order-3 max-lg:col-span-2`}>{row.about}</td>
      <td className={`${CELL} max-lg:order-2 max-lg:overflow-visible`}>
        <Button
          variant="quiet"
          size="small"
          data-opens={row.id}
          aria-expanded={open}
          aria-describedby={describedBy}
          onClick={() => onOpen(row.id)}
        >
          View
        </Button>
      </td>
    </tr>
  );
}

function AwaitedRow() {
  return (
    <tr className={ROW}>
      {['w-32', 'w-28', 'w-40', 'w-36', 'w-14'].map((width) => (
        <td key={width} className={`${CELL} h-13`}>
          <Skeleton className={`h-4 max-w-full ${width}`} />
        </td>
      ))}
    </tr>
  );
}
