/** /admin/orders: who has bought what, where each order stands, and what staff can do about it. */

import Download from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { useReload } from '../../platform/browser/use-reload.ts';
import { addressOf } from '../../platform/contract.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { FailureBoundary } from '../../ui/failure-boundary.tsx';
import { SearchBox } from '../../ui/fields/search-box.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { NoMatches } from '../../ui/no-matches.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { Workbench } from '../../ui/workbench.tsx';
import { ORDER_STATUSES } from '../order.ts';
import { DOWNLOAD_ORDERS } from '../order-contracts.ts';
import type { OrderListJson } from '../order-shapes.ts';
import { STATUS_LABELS } from './order-badge.tsx';
import { OrderDetail } from './order-detail.tsx';
import { ORDERS_PAGE, type OrderFilter, readOrderFilter, writeOrderFilter } from './order-list.ts';
import { OrdersTable } from './orders-table.tsx';
import { useOrders, useOrdersAddress } from './use-orders.ts';

/** `above` stands over the list. */
export function OrdersPage({ above }: { above: ReactNode }) {
  const { filter, open, go } = useOrdersAddress();
  const { data, isError } = useOrders(filter);
  const nothing = data?.orders.length === 0;
  const narrowed = filter.words !== '' || filter.status !== '' || filter.page > 1;
  return (
    <Workbench heading="Orders" actions={<Actions filter={filter} />}>
      <div className={`grid gap-5 ${open === null ? '' : 'max-xl:hidden'}`}>
        {above}
        <Filters
          filter={filter}
          counts={data?.counts}
          onChange={(change) => go({ ...change, page: 1 })}
        />
      </div>
      {isError && <Notice kind="error">The orders could not be loaded. Please try again.</Notice>}
      <div
        className={
          open === null
            ? ''
            : 'grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_26rem]'
        }
      >
        <section
          aria-labelledby="all-orders"
          className={`overflow-hidden rounded-card border border-line bg-white ${open === null ? '' : 'max-xl:hidden'}`}
        >
          <h2 id="all-orders" className="px-4 py-3.5 text-base lg:px-5">
            All Orders
          </h2>
          <FailureBoundary>
            <OrdersTable
              rows={data?.orders ?? (isError ? [] : null)}
              open={open}
              onOpen={(id) => go({}, id)}
            />
          </FailureBoundary>
          {nothing && narrowed && (
            <NoMatches onClear={() => go(readOrderFilter(new URLSearchParams()))}>
              No order matches the search and the filter.
            </NoMatches>
          )}
          {nothing && !narrowed && (
            <p className="px-5 py-12 text-center text-sm">
              No orders yet. When a customer buys a plan, the order appears here.
            </p>
          )}
        </section>
        {open !== null && (
          <div className="xl:sticky xl:top-5">
            <FailureBoundary key={open}>
              <OrderDetail id={open} onClose={() => go({})} />
            </FailureBoundary>
          </div>
        )}
      </div>
      <Pager
        page={filter.page}
        pageSize={ORDERS_PAGE}
        total={data?.total ?? 0}
        onChange={(page) => go({ page })}
      />
    </Workbench>
  );
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

interface FiltersProps {
  filter: OrderFilter;
  counts: OrderListJson['counts'] | undefined;
  onChange: (change: Partial<OrderFilter>) => void;
}

function Filters({ filter, counts, onChange }: FiltersProps) {
  return (
    <search className="flex flex-wrap items-center gap-3">
      <SearchBox
        placeholder="Name, e-mail, plan, number"
        words={filter.words}
        onChange={(words) => onChange({ words })}
      />
      <div className="max-sm:w-full">
        <Select
          aria-label="Status"
          value={filter.status}
          onChange={({ target }) =>
            onChange({ status: ORDER_STATUSES.find((each) => each === target.value) ?? '' })
          }
          className="h-11 text-sm"
        >
          <option value="">Any status</option>
          {ORDER_STATUSES.map((status) => (
            <option key={status} value={status}>
              {STATUS_LABELS[status]} ({counts?.[status] ?? 0})
            </option>
          ))}
        </Select>
      </div>
    </search>
  );
}
