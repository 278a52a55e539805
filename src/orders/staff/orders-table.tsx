import type { Ref } from 'react';
import { formatDollars } from '../../platform/money.ts';
import { Badge } from '../../ui/badge.tsx';
import { SalesTable } from '../../ui/records/sales-table.tsx';
import { type OrderStatus, orderReference } from '../order.ts';
import type { ToldOrderRow } from '../order-contracts.ts';

interface OrdersTableProps {
  /** null while they are awaited. */
  orders: readonly ToldOrderRow[] | null;
  open: number | null;
  onOpen: (id: number) => void;
  ref: Ref<HTMLTableElement>;
}

export function OrdersTable({ orders, ...table }: OrdersTableProps) {
  return (
    <SalesTable caption="Orders" terms="Options" items={orders} {...table}>
      {(order) => ({
        id: order.id,
        reference: orderReference(order.id),
        at: order.createdAt,
        name: order.name,
        contact: order.email,
        amount: order.amount,
        status: <OrderBadge order={order} />,
        plan: order.planName,
        terms: options(order),
      })}
    </SalesTable>
  );
}

/** 'Microsoft 365 Business Standard × 20, Cloud Backup × 20'. */
function options({ lines }: ToldOrderRow): string {
  const added = lines.filter(({ kind }) => kind !== 'plan');
  return added.map(({ label, quantity }) => `${label} × ${quantity}`).join(', ') || '—';
}

/** A status in the words of staff. */
export const STATUS_LABELS: Record<OrderStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  paid: 'Paid',
  failed: 'Failed',
  canceled: 'Canceled',
  past_due: 'Past due',
  refunded: 'Refunded',
};

const TONES = {
  pending: 'neutral',
  processing: 'amber',
  paid: 'primary',
  failed: 'danger',
  canceled: 'neutral',
  past_due: 'danger',
  refunded: 'neutral',
} as const;

/** The status, with what it does not show: a dispute, a partial refund, or a scheduled end. */
export function OrderBadge({ order }: { order: ToldOrderRow }) {
  const { status, dispute, refunded, endsAt } = order;
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {status && <Badge tone={TONES[status]}>{STATUS_LABELS[status]}</Badge>}
      {dispute && <Badge tone={dispute === 'won' ? 'neutral' : 'danger'}>Dispute {dispute}</Badge>}
      {refunded > 0 && status !== 'refunded' && <Badge>{formatDollars(refunded)} refunded</Badge>}
      {endsAt && status === 'paid' && (
        <Badge tone="amber">Ends {shortDay.format(new Date(endsAt))}</Badge>
      )}
    </span>
  );
}

const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
