/** The staff's calls about orders, as the screen uses them, and what it shows as the address says it. */

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { fetchCall } from '../../platform/fetch-call.ts';
import { readOpen } from '../../platform/list-query.ts';
import { GET_ORDER, LIST_ORDERS } from '../order-contracts.ts';
import { readOrderList, readStaffOrder } from '../read-order.ts';
import { type OrderFilter, readOrderFilter, writeOrderFilter } from './order-list.ts';

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
  const query = writeOrderFilter(filter);
  return useQuery({
    queryKey: [...ORDERS, 'list', query.toString()],
    queryFn: ({ signal }) => fetchCall(LIST_ORDERS, readOrderList, { query, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

export function useOrder(id: number) {
  return useQuery({
    queryKey: [...ORDERS, id],
    queryFn: ({ signal }) => fetchCall(GET_ORDER, readStaffOrder, { params: { id }, signal }),
    refetchOnMount: 'always',
  });
}

/** Does something with an order; list and detail follow. */
export function useOrderAction() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ORDERS }),
  });
}
