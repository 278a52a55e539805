/** The staff's calls about orders, as the screen uses them, and what it shows as the address says it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { fetchJson } from '../platform/fetch-json.ts';
import { readOpen } from '../platform/list-query.ts';
import { anything } from '../platform/read.ts';
import { type OrderFilter, readOrderFilter, writeOrderFilter } from './order-list.ts';
import { readOrderList, readStaffOrder } from './read-order.ts';

const ORDERS = ['orders'];

export function useOrdersAddress() {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const { filter, open } = useMemo(() => {
    const query = new URLSearchParams(search);
    return { filter: readOrderFilter(query), open: readOpen(query) };
  }, [search]);
  return {
    filter,
    open,
    go(change: Partial<OrderFilter>, opened: number | null = null) {
      const query = writeOrderFilter({ ...filter, ...change });
      if (opened !== null) query.set('open', String(opened));
      navigate(query.size > 0 ? `${path}?${query}` : path);
    },
  };
}

export function useOrders(filter: OrderFilter) {
  const url = `/api/admin/orders?${writeOrderFilter(filter)}`;
  return useQuery({
    queryKey: [...ORDERS, 'list', url],
    queryFn: ({ signal }) => fetchJson(url, readOrderList, { signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

export function useOrder(id: number) {
  return useQuery({
    queryKey: [...ORDERS, id],
    queryFn: ({ signal }) => fetchJson(`/api/orders/${id}`, readStaffOrder, { signal }),
    refetchOnMount: 'always',
  });
}

/** Gives money back or ends the subscription; list and detail follow. */
export function useOrderAction(id: number, what: 'refund' | 'cancel') {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: object) =>
      fetchJson(`/api/admin/orders/${id}/${what}`, anything, { method: 'POST', body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ORDERS }),
  });
}
