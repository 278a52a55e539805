import { formatDollars } from '../../platform/money.ts';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { orderReference } from '../order-reference.ts';
import type { ToldOrderRow } from '../read-order.ts';
import { OrderBadge } from './order-badge.tsx';

interface OrdersTableProps {
  /** null while they are awaited. */
  rows: readonly ToldOrderRow[] | null;
  open: number | null;
  onOpen: (id: number) => void;
}

const HEADINGS = ['Date', 'Customer', 'Plan', 'Options', 'Monthly', 'Status', 'Action'];
const HEADING_LOOKS: Readonly<Record<string, string>> = { Monthly: 'text-right', Status: 'pl-6' };
/** Beside an open order there is room for less; what is left out stands there. */
const LEFT_OUT = ['Plan', 'Options'];

const CELL = 'px-2 py-2 max-lg:block max-lg:p-0 lg:first:pl-5 lg:last:pr-5';
const ROW =
  'max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:gap-y-1 max-lg:px-4 max-lg:py-3';

/** On phones and tablets a row stacks. */
export function OrdersTable({ rows, open, onOpen }: OrdersTableProps) {
  const headings = HEADINGS.filter((each) => open === null || !LEFT_OUT.includes(each));
  return (
    <table aria-busy={rows === null} className="w-full text-left text-sm max-lg:block">
      <caption className="sr-only">Orders</caption>
      <thead className="border-y border-line bg-paper text-xs text-muted max-lg:sr-only">
        <tr>
          {headings.map((heading) => (
            <th
              key={heading}
              scope="col"
              className={`px-2 py-2 font-medium first:pl-5 ${HEADING_LOOKS[heading] ?? ''}`}
            >
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-lg:block">
        {rows === null
          ? [...'01234567'].map((row) => <AwaitedRow key={row} headings={headings} />)
          : rows.map((row) => (
              <TableRow
                key={row.id}
                row={row}
                open={row.id === open}
                brief={open !== null}
                onOpen={onOpen}
              />
            ))}
      </tbody>
    </table>
  );
}

interface TableRowProps {
  row: ToldOrderRow;
  open: boolean;
  brief: boolean;
  onOpen: (id: number) => void;
}

function TableRow({ row, open, brief, onOpen }: TableRowProps) {
  const describedBy = `order-${row.id}`;
  return (
    <tr
      className={`${ROW} focus-within:bg-primary-soft ${open ? 'bg-primary-soft' : 'hover:bg-paper'}`}
    >
      <td className={`${CELL} text-xs max-lg:order-6`}>
        <span className="whitespace-nowrap">
          <Moment at={row.createdAt} />
        </span>{' '}
        <span className="text-muted tabular-nums lg:block">{orderReference(row.id)}</span>
      </td>
      <td id={describedBy} className={`${CELL} max-w-64 max-lg:order-1`}>
        <bdi className="block truncate font-medium text-ink">{row.name}</bdi>
        <bdi className="block truncate text-xs text-muted">{row.email}</bdi>
      </td>
      {!brief && (
        <>
          <td className={`${CELL} max-lg:order-3`}>{row.planName}</td>
          <td className={`${CELL} max-lg:order-5 max-lg:col-span-2`}>{options(row)}</td>
        </>
      )}
      <td className={`${CELL} text-right text-ink tabular-nums max-lg:order-4`}>
        {row.amount === null ? '—' : formatDollars(row.amount)}
      </td>
      <td className={`${CELL} lg:pl-6 max-lg:order-7 max-lg:justify-self-end`}>
        <OrderBadge order={row} />
      </td>
      <td className={`${CELL} max-lg:order-2 max-lg:justify-self-end`}>
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
function options({ lines }: ToldOrderRow): string {
  const added = lines.filter(({ kind }) => kind !== 'plan');
  return added.map(({ label, quantity }) => `${label} × ${quantity}`).join(', ') || '—';
}

function AwaitedRow({ headings }: { headings: readonly string[] }) {
  return (
    <tr className={ROW}>
      {headings.map((heading) => (
        <td key={heading} className={`${CELL} h-14`}>
          <Skeleton className="h-4 w-20 max-w-full" />
        </td>
      ))}
    </tr>
  );
}
