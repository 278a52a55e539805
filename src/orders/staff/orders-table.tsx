import type { Ref } from 'react';
import { SalesTable } from '../../ui/records/sales-table.tsx';
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
