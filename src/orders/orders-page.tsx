/** /admin/orders: staff's list of orders. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ORDER_STATUSES } from '../billing/order-status.ts';
import { orderReference } from '../billing/reference.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { callUrl } from '../platform/contract.ts';
import { withCommas } from '../platform/money.ts';
import { useListParams } from '../ui/records/list-and-detail.tsx';
import { SalesPage } from '../ui/records/sales-page.tsx';
import {
  DOWNLOAD_ORDERS,
  DOWNLOAD_PAYMENTS,
  LIST_ORDERS,
  ORDER_FILTER,
  type OrderRow,
} from './order-api.ts';
import { OrderBadge } from './order-badge.tsx';
import { STATUS_WORDS } from './status-words.ts';

interface OrdersPageProps {
  detail: (id: number, onClose: () => void) => ReactNode;
}

export function OrdersPage({ detail }: OrdersPageProps) {
  const listParams = useListParams(ORDER_FILTER.read, ORDER_FILTER.write);
  const { params, query } = listParams;
  const { data, isError } = useQuery({
    ...callQuery(LIST_ORDERS, { query }),
    placeholderData: keepPreviousData,
  });
  const all = { query: ORDER_FILTER.write({ ...params, page: 1 }) };
  return (
    <SalesPage
      noun="order"
      listParams={listParams}
      statuses={ORDER_STATUSES}
      labelOf={(status) => STATUS_WORDS[status].staff}
      isError={isError}
      sales={data?.orders.map(tableRow)}
      total={data?.total}
      counts={data?.counts}
      termsHeading="Options"
      downloads={[
        ['Export CSV', callUrl(DOWNLOAD_ORDERS, all)],
        ['Export payments', callUrl(DOWNLOAD_PAYMENTS, all)],
      ]}
      empty="No orders yet. When a customer buys a plan, the order appears here."
      detail={detail}
    />
  );
}

function tableRow(order: OrderRow) {
  return {
    id: order.id,
    reference: orderReference(order.id),
    at: order.createdAt,
    name: order.name,
    contact: order.email,
    amount: order.amount,
    status: <OrderBadge order={order} />,
    plan: order.planName,
    terms: options(order),
  };
}

/** 'Microsoft 365 Business Standard × 20, Cloud Backup × 20'. */
function options({ price }: OrderRow): string {
  const added = price?.lines.filter(({ kind }) => kind !== 'plan' && kind !== 'discount') ?? [];
  return added.map(({ label, quantity }) => `${label} ×\u00a0${withCommas(quantity)}`).join(', ');
}
