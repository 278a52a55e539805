import { reference } from '../notify/reference.ts';
import { formatDollars, fromDollars } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { Moment } from '../ui/moment.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { OrderBadge } from './order-badge.tsx';
import type { OrderRow } from './order-list.ts';

interface OrdersTableProps {
  /** null while they are awaited. */
  rows: readonly OrderRow[] | null;
  open: number | null;
  onOpen: (id: number) => void;
}

const HEADINGS = ['Date', 'Customer', 'Plan', 'Options', 'Monthly', 'Status', 'Action'];

const CELL = 'px-2 py-2 first:pl-5 last:pr-5 max-md:block max-md:p-0';
const ROW =
  'max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-1 max-md:px-4 max-md:py-3';

/** On a phone a row stacks. */
export function OrdersTable({ rows, open, onOpen }: OrdersTableProps) {
  return (
    <table aria-busy={rows === null} className="w-full text-left text-sm max-md:block">
      <caption className="sr-only">Orders</caption>
      <thead className="border-y border-line bg-paper text-xs text-muted max-md:sr-only">
        <tr>
          {HEADINGS.map((heading) => (
            <th
              key={heading}
              scope="col"
              className={`px-2 py-2 font-medium first:pl-5 ${heading === 'Monthly' ? 'text-right' : ''}`}
            >
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-md:block">
        {rows === null
          ? [...'01234567'].map((row) => <AwaitedRow key={row} />)
          : rows.map((row) => (
              <TableRow key={row.id} row={row} open={row.id === open} onOpen={onOpen} />
            ))}
      </tbody>
    </table>
  );
}

interface TableRowProps {
  row: OrderRow;
  open: boolean;
  onOpen: (id: number) => void;
}

function TableRow({ row, open, onOpen }: TableRowProps) {
  const describedBy = `order-${row.id}`;
  return (
    <tr
      className={`${ROW} focus-within:bg-primary-soft ${open ? 'bg-primary-soft' : 'hover:bg-paper'}`}
    >
      <td className={`${CELL} text-xs max-md:order-6`}>
        <Moment at={row.createdAt} />{' '}
        <span className="text-muted tabular-nums">{reference('order', row.id)}</span>
      </td>
      <td id={describedBy} className={`${CELL} max-w-64 max-md:order-1`}>
        <bdi className="block truncate font-medium text-ink">{row.name}</bdi>
        <bdi className="block truncate text-xs text-muted">{row.email}</bdi>
      </td>
      <td className={`${CELL} max-md:order-3`}>{row.planName}</td>
      <td className={`${CELL} max-md:order-5 max-md:col-span-2`}>{options(row)}</td>
      <td className={`${CELL} text-right text-ink tabular-nums max-md:order-4`}>
        {formatDollars(fromDollars(row.amount))}
      </td>
      <td className={`${CELL} max-md:order-7 max-md:justify-self-end`}>
        <OrderBadge order={row} />
      </td>
      <td className={`${CELL} max-md:order-2`}>
        <Button
          variant="quiet"
          size="small"
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

/** 'Microsoft 365 Business Standard × 20, Cloud Backup × 20'. */
function options({ lines }: OrderRow): string {
  const added = lines.filter(({ kind }) => kind !== 'plan');
  return added.map(({ label, quantity }) => `${label} × ${quantity}`).join(', ') || '—';
}

function AwaitedRow() {
  return (
    <tr className={ROW}>
      {HEADINGS.map((heading) => (
        <td key={heading} className={`${CELL} h-14`}>
          <Skeleton className="h-4 w-20 max-w-full" />
        </td>
      ))}
    </tr>
  );
}
