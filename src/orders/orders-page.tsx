/** /admin/orders: who has bought what, where each order stands, and what staff can do about it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { useReload } from '../platform/browser/query-client.ts';
import { addressOf } from '../platform/contract.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { ButtonLink, RefreshButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ListAndDetail, useListAddress } from '../ui/records/list-and-detail.tsx';
import { SearchAndStatus, salesColumns } from '../ui/records/sales-table.tsx';
import { Workbench } from '../ui/workbench.tsx';
import { ORDER_STATUSES, orderReference } from './order.ts';
import {
  DOWNLOAD_ORDERS,
  LIST_ORDERS,
  ORDERS_KEY,
  ORDERS_PAGE,
  type OrderFilter,
  type OrderRow,
  readOrderFilter,
  writeOrderFilter,
} from './order-api.ts';
import { OrderBadge, OrderDetail, STATUS_LABELS } from './order-detail.tsx';

/** `below` stands under the list, where it moves nothing when it comes late. */
export function OrdersPage({ below }: { below: ReactNode }) {
  const shown = useListAddress(readOrderFilter, writeOrderFilter);
  const { address, go } = shown;
  const { open, ...filter } = address;
  const { data, isError } = useOrders(filter);
  return (
    <Workbench heading="Orders" actions={<Actions filter={filter} />}>
      <ListAndDetail
        heading="All Orders"
        shown={shown}
        filters={
          <SearchAndStatus
            words={filter.words}
            status={filter.status}
            labels={STATUS_LABELS}
            statuses={ORDER_STATUSES}
            counts={data?.counts}
            onWords={(words) => go({ open: null, page: 1, words })}
            onStatus={(status) => go({ open: null, page: 1, status })}
          />
        }
        notice={
          isError && <Notice kind="error">The orders could not be loaded. Please try again.</Notice>
        }
        columns={salesColumns('Options', open !== null)}
        items={data?.orders.map(saleOf) ?? (isError ? [] : null)}
        noMatches="No order matches the search and the filter."
        empty={
          isError ? null : 'No orders yet. When a customer buys a plan, the order appears here.'
        }
        pageSize={ORDERS_PAGE}
        total={data?.total ?? 0}
        detail={(id) => <OrderDetail id={id} onClose={() => go({ open: null })} />}
      />
      {below}
    </Workbench>
  );
}

function useOrders(filter: OrderFilter) {
  const query = writeOrderFilter(filter);
  return useQuery({
    queryKey: [...ORDERS_KEY, 'list', query.toString()],
    queryFn: ({ signal }) => fetchCall(LIST_ORDERS, { query, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

function Actions({ filter }: { filter: OrderFilter }) {
  const { busy, reload } = useReload();
  return (
    <>
      <ButtonLink
        href={addressOf(DOWNLOAD_ORDERS, { query: writeOrderFilter({ ...filter, page: 1 }) })}
        variant="quiet"
        size="small"
        download
      >
        <Download className="size-4" />
        Export CSV
      </ButtonLink>
      <RefreshButton busy={busy} onClick={reload} />
    </>
  );
}

function saleOf(order: OrderRow) {
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
function options({ lines }: OrderRow): string {
  const added = lines.filter(({ kind }) => kind !== 'plan');
  return added.map(({ label, quantity }) => `${label} × ${quantity}`).join(', ') || '—';
}
