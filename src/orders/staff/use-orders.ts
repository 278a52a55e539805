/** The staff's calls about orders, as the screen uses them, and what it shows as the address says it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchCall } from '../../platform/fetch-call.ts';
import { useListAddress } from '../../ui/records/use-list-address.ts';
import {
  GET_ORDER,
  LIST_ORDERS,
  type OrderFilter,
  readOrderFilter,
  readOrderList,
  readStaffOrder,
  writeOrderFilter,
} from '../order-contracts.ts';

const ORDERS = ['orders'];

export const useOrdersAddress = () => useListAddress(readOrderFilter, writeOrderFilter);

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
