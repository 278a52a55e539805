import type { Ref } from 'react';
import { formatDollars } from '../../platform/money.ts';
import { Moment } from '../../ui/moment.tsx';
import {
  type Column,
  OpenRecord,
  RecordCell,
  RecordRow,
  RecordTable,
} from '../../ui/records/record-table.tsx';
import { orderReference } from '../order-reference.ts';
import type { ToldOrderRow } from '../read-order.ts';
import { OrderBadge } from './order-badge.tsx';

interface OrdersTableProps {
  /** null while they are awaited. */
  orders: readonly ToldOrderRow[] | null;
  open: number | null;
  onOpen: (id: number) => void;
  ref: Ref<HTMLTableElement>;
}

const COLUMNS: readonly Column[] = [
  { heading: 'Date' },
  { heading: 'Customer' },
  { heading: 'Plan' },
  { heading: 'Options' },
  { heading: 'Monthly', look: 'text-right' },
  { heading: 'Status', look: 'pl-6' },
  { heading: 'Action' },
];
/** Beside an open order there is room for less; what is left out stands there. */
const BRIEF = COLUMNS.filter(({ heading }) => heading !== 'Plan' && heading !== 'Options');

export function OrdersTable({ orders, open, onOpen, ref }: OrdersTableProps) {
  const brief = open !== null;
  return (
    <RecordTable
      ref={ref}
      caption="Orders"
      columns={brief ? BRIEF : COLUMNS}
      items={orders}
      edgeToEdge
    >
      {(order) => (
        <Row key={order.id} order={order} open={order.id === open} brief={brief} onOpen={onOpen} />
      )}
    </RecordTable>
  );
}

interface RowProps {
  order: ToldOrderRow;
  open: boolean;
  brief: boolean;
  onOpen: (id: number) => void;
}

function Row({ order, open, brief, onOpen }: RowProps) {
  const describedBy = `order-${order.id}`;
  return (
    <RecordRow open={open}>
      <RecordCell className="text-xs max-lg:order-6">
        <span className="whitespace-nowrap">
          <Moment at={order.createdAt} />
        </span>{' '}
        <span className="whitespace-nowrap text-muted tabular-nums lg:block">
          {orderReference(order.id)}
        </span>
      </RecordCell>
      <RecordCell id={describedBy} className="max-w-64 max-lg:order-1">
        <bdi className="block truncate font-medium text-ink">{order.name}</bdi>
        <bdi className="block truncate text-xs text-muted">{order.email}</bdi>
      </RecordCell>
      {!brief && (
        <>
          <RecordCell className="max-lg:order-3">{order.planName}</RecordCell>
          <RecordCell className="max-lg:order-5 max-lg:col-span-2">{options(order)}</RecordCell>
        </>
      )}
      <RecordCell className="text-right text-ink tabular-nums max-lg:order-4">
        {order.amount === null ? '—' : formatDollars(order.amount)}
      </RecordCell>
      <RecordCell className="lg:pl-6 max-lg:order-7 max-lg:justify-self-end">
        <OrderBadge order={order} />
      </RecordCell>
      <RecordCell className="max-lg:order-2 max-lg:justify-self-end">
        <OpenRecord id={order.id} open={open} describedBy={describedBy} onOpen={onOpen} />
      </RecordCell>
    </RecordRow>
  );
}

/** 'Microsoft 365 Business Standard × 20, Cloud Backup × 20'. */
function options({ lines }: ToldOrderRow): string {
  const added = lines.filter(({ kind }) => kind !== 'plan');
  return added.map(({ label, quantity }) => `${label} × ${quantity}`).join(', ') || '—';
}
